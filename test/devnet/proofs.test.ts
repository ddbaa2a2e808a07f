// Tests proofs of every closed proposal from a real node, from the first header, and a dishonest node.
import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { ProofError } from '../../infra/base/proof/proof-error.ts'
import { createNodeRest, type RestProposal } from './node-rest.ts'
import { verifyAtNode } from './proposal-at-node.ts'
import { createRawRpc } from './rpc.ts'

const { rpcUrl, restUrl, proposals, lastHeight } = inject('devnet')
const rest = createNodeRest(restUrl)
const rpc = createRawRpc(rpcUrl)

/** Proposals that the chain still has, by id. */
const chainProposals = new Map<string, RestProposal>()
let trustedHash = ''

beforeAll(async () => {
  trustedHash = (await rpc.call('block', { height: '1' })).block_id.hash
  for (const id of Object.values(proposals)) {
    const found = await rest.proposal(id, lastHeight)
    if (found) chainProposals.set(id, found)
  }
})

const verifyAt = (url: string, id: string) =>
  verifyAtNode({
    url,
    proposalId: BigInt(id),
    trusted: { height: 1n, hash: trustedHash },
    height: lastHeight,
    signal: AbortSignal.timeout(60_000),
  })

describe('the proof of a proposal that a node gives', () => {
  it('leads from the first header to the status and the final tally that the node reports', async () => {
    expect(chainProposals.size).toBeGreaterThan(5)
    for (const [id, { status, final_tally_result: tally }] of chainProposals) {
      const { proposal, path } = await verifyAt(rpcUrl, id)
      expect(`PROPOSAL_STATUS_${proposal.status.toUpperCase()}`, id).toBe(status)
      expect(proposal.tally, id).toEqual({
        yes: tally.yes_count,
        no: tally.no_count,
        abstain: tally.abstain_count,
        noWithVeto: tally.no_with_veto_count,
      })
      expect(path[0]?.header.height).toBe(1n)
    }
  })
})

/** Returns the responses of the node, changed by `change`. */
const startLyingNode = async (change: (method: string, text: string) => string) => {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    const answer = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    response.end(change(JSON.parse(body).method, await answer.text()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

describe('a node that is not honest', () => {
  const closers: (() => void)[] = []
  afterAll(() => {
    for (const close of closers) close()
  })
  const refusal = async (change: (method: string, text: string) => string) => {
    const { url, close } = await startLyingNode(change)
    closers.push(close)
    const [id = ''] = chainProposals.keys()
    const error = await verifyAt(url, id).catch((reason: unknown) => reason)
    return error instanceof ProofError ? error.code : error
  }
  const only = (wanted: string, edit: (text: string) => string) => (method: string, text: string) =>
    method === wanted ? edit(text) : text

  it('cannot change the final tally of a proposal', async () => {
    const edit = (text: string) => {
      const answer = JSON.parse(text)
      const value = Buffer.from(answer.result.response.value, 'base64')
      const at = value.findIndex((byte, n) => n > 20 && byte >= 0x30 && byte <= 0x38)
      value[at] = (value[at] ?? 0) + 1
      answer.result.response.value = value.toString('base64')
      return JSON.stringify(answer)
    }
    expect(await refusal(only('abci_query', edit))).toBe('wrong_value')
  })

  it('cannot change a header, nor the validators who signed it', async () => {
    const header = only('commit', (text) =>
      text.replace(/"app_hash":"(.)/, (_, digit) => `"app_hash":"${digit === 'A' ? 'B' : 'A'}`),
    )
    expect(await refusal(header)).toBe('wrong_header')
    const validators = only('validators', (text) =>
      text.replace(/"voting_power":"[0-9]+"/, '"voting_power":"1"'),
    )
    expect(await refusal(validators)).toBe('wrong_validators')
  })

  it('cannot prove one proposal with another', async () => {
    const others = [...chainProposals.keys()]
    const other = await rpc.call('abci_query', {
      path: '/store/gov/key',
      data: `00${BigInt(others[1] ?? 0)
        .toString(16)
        .padStart(16, '0')}`,
      height: `${lastHeight}`,
      prove: true,
    })
    const edit = () => JSON.stringify({ jsonrpc: '2.0', id: 0, result: other })
    const withId = (text: string) => edit().replace('"id":0', `"id":${JSON.parse(text).id}`)
    expect(await refusal(only('abci_query', withId))).toBe('wrong_key')
  })
})
