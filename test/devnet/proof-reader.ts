// What a node has of a proof: the stored bytes of a proposal with their proof, and light blocks.
import { GOV_STORE, proposalKey } from '../../infra/proof/proposal.ts'
import type { RawRpc } from './rpc.ts'

const PAGE = 100

type Listed = { validators: Record<string, unknown>[]; total: string }

const readValidators = async (rpc: RawRpc, height: number) => {
  const found: Record<string, unknown>[] = []
  for (let page = 1; ; page++) {
    const params = { height: `${height}`, page: `${page}`, per_page: `${PAGE}` }
    const { validators, total }: Listed = await rpc.call('validators', params)
    found.push(...validators)
    if (found.length >= Number(total) || validators.length === 0) return found
  }
}

/** `{ header, commit, validators }` of a height. */
export const readLightBlockJson = async (rpc: RawRpc, height: number) => {
  const [{ signed_header: signed }, validators] = await Promise.all([
    rpc.call('commit', { height: `${height}` }),
    readValidators(rpc, height),
  ])
  return { header: signed.header, commit: signed.commit, validators }
}

/** As `GET /api/proposals/{id}/proof` answers. `height`: of the state. */
export const readProofJson = async (rpc: RawRpc, id: bigint, height: number) => {
  const key = proposalKey(id)
  const { response } = await rpc.call('abci_query', {
    path: `/store/${GOV_STORE}/key`,
    data: Buffer.from(key).toString('hex'),
    height: `${height}`,
    prove: true,
  })
  return {
    height,
    store: GOV_STORE,
    key: Buffer.from(key).toString('hex'),
    value: response.value,
    proofOps: response.proofOps.ops,
    ...(await readLightBlockJson(rpc, height + 1)),
  }
}
