// Nodes of a signed chain that answer `/block`, `/commit` and `/validators`, honestly or with false data.

import type { BlockChain } from '../simulator/block-chain.ts'
import type { NodeOptions } from '../simulator/nodes/node.ts'
import { internalError, type Reply, type RpcCall } from '../simulator/rpc/reply.ts'
import type { ServedChain } from '../simulator/rpc/served-chain.ts'
import { lightBlockJson, type Member } from '../simulator/signatures.ts'
import type { LightBlockJson, Signed } from '../simulator/signed-chain.ts'

export type SignedChain = Signed<BlockChain>

/** The data of the responses to `/block`, `/block_results`, `/commit` and `/validators`. */
export type BlockData = {
  height: number
  header: LightBlockJson['header']
  commit: LightBlockJson['commit']
  validators: LightBlockJson['validators']
  blockId: LightBlockJson['commit']['block_id']
  /** In base64. */
  txs: string[]
  results: unknown[]
}
/** Changes the data that a node serves for a height. */
export type Lie = (blockData: BlockData) => void

type Wire = {
  block?: { data: { txs: string[] } }
  txs_results?: unknown[] | null
}

const toValidatorPage = (validators: readonly unknown[], { page, per_page }: RpcCall['params']) => {
  const size = Math.min(Number(per_page ?? 30), 100)
  const from = (Number(page ?? 1) - 1) * size
  const shown = validators.slice(from, from + size)
  return { validators: shown, count: `${shown.length}`, total: `${validators.length}` }
}

const getResult = (reply: Reply): Wire => ('result' in reply ? (reply.result as Wire) : {})

export type SignedNode = Required<Pick<NodeOptions, 'chain' | 'reply'>>

/** A node of the chain. With a lie, it serves false data for every height, or where `when` is true. */
export const signedNode = (
  chain: Signed<ServedChain>,
  lie: Lie = () => {},
  when: (height: number) => boolean = () => true,
): SignedNode => ({
  chain,
  reply: async (call, honest) => {
    const { method, params } = call
    if (!['block', 'block_results', 'commit', 'validators'].includes(method)) return honest(call)
    const block = await honest({ ...call, method: 'block' })
    if ('error' in block) return method === 'block_results' ? honest(call) : block
    const results = getResult(await honest({ ...call, method: 'block_results' }))
    const height = Number(params['height'] ?? chain.tip)
    const { header, commit, validators } = structuredClone(chain.signed(height))
    const blockData: BlockData = {
      height,
      header,
      commit,
      validators,
      blockId: structuredClone(commit.block_id),
      txs: [...(getResult(block).block?.data.txs ?? [])],
      results: [...(results.txs_results ?? [])],
    }
    if (when(height)) lie(blockData)
    switch (method) {
      case 'block':
        return {
          result: {
            block_id: blockData.blockId,
            block: { header: blockData.header, data: { txs: blockData.txs } },
          },
        }
      case 'block_results':
        return { result: { ...results, txs_results: blockData.results } }
      case 'commit': {
        const canonical = height < chain.tip
        return {
          result: {
            signed_header: { header: blockData.header, commit: blockData.commit },
            canonical,
          },
        }
      }
      default:
        return {
          result: { block_height: `${height}`, ...toValidatorPage(blockData.validators, params) },
        }
    }
  },
})

const LIARS: readonly Member[] = [{ name: 'liar', power: 1 }]

/** A block signed by a false validator set and linked to the block before. */
export const signedByLiars: Lie = (blockData) => {
  const { header } = blockData
  const forged = lightBlockJson({
    height: blockData.height,
    members: LIARS,
    chainId: header.chain_id,
    time: header.time,
    dataHash: header.data_hash,
    previousHash: header.last_block_id.hash,
  })
  Object.assign(blockData, forged, { blockId: forged.commit.block_id })
}

/** A later node has a height only after a call to the first node: the order does not depend on speed. */
export const createTurns = () => {
  const requested = new Set<string>()
  return ({ chain, reply }: SignedNode, order: number): SignedNode => ({
    chain,
    reply: async (call, honest) => {
      const { method, params } = call
      const height = Number(params['height'] ?? 0)
      if (order === 0) requested.add(`${method} ${height}`)
      if (['block', 'commit'].includes(method) && !requested.has(`${method} ${height}`)) {
        const reason = `height ${height} must be less than or equal to the current blockchain height 0`
        return { error: internalError(reason) }
      }
      return await reply(call, honest)
    },
  })
}
