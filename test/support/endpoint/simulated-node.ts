// A node behind a gateway: it keeps only the latest blocks, results and states, and may be some heights behind.
import type { FakeChain } from '../chain/fake-chain.ts'
import { createFaults } from '../chain/fake-faults.ts'
import { type FakeNodeState, type Reply, type RpcCall, replyTo } from '../chain/fake-replies.ts'

/** Numbers of latest heights; absent: all. */
export type NodeWindow = {
  blocks?: number
  results?: number
  states?: number
  /** The node prunes states only at every multiple of this height. */
  prunesEvery?: number
  /** How many heights the node is behind the chain. */
  behind?: number
}

export type RpcResponder = (call: RpcCall) => Promise<Reply>

export type SimulatedNodeOptions = Pick<FakeNodeState, 'chain' | 'abci'> & {
  era?: FakeNodeState['era']
  window?: NodeWindow
}

const refuseState = (code: number, log: string, height: number): Reply => ({
  result: { response: { code, codespace: 'sdk', log, value: null, height: `${height}` } },
})

const createBounds = (chain: FakeChain, window: NodeWindow) => {
  const { blocks, results, states, prunesEvery = 1, behind = 0 } = window
  const tip = () => Math.max(chain.tip - behind, chain.initialHeight)
  const lowest = (kept: number | undefined, last = tip()) =>
    kept === undefined ? chain.initialHeight : Math.max(last - kept + 1, chain.initialHeight)
  return {
    tip,
    lowestBlock: () => lowest(blocks),
    lowestResults: () => lowest(results),
    lowestState: () => lowest(states, tip() - (tip() % prunesEvery)),
  }
}

export const createSimulatedNode = ({
  chain,
  abci,
  era = '0.38',
  window = {},
}: SimulatedNodeOptions): RpcResponder => {
  const bounds = createBounds(chain, window)
  const { tip } = bounds
  const state: FakeNodeState = { chain, era, abci, tip, faults: createFaults() }

  const answerStatus = async (call: RpcCall): Promise<Reply> => {
    const reply = await replyTo(state, call)
    if ('error' in reply) return reply
    const { sync_info: info, ...rest } = reply.result as { sync_info: object }
    const earliest = { earliest_block_height: `${bounds.lowestBlock()}` }
    return { result: { ...rest, sync_info: { ...info, ...earliest } } }
  }
  return async (call) => {
    const { method, params } = call
    const height = Number(params['height'] ?? 0) || tip()
    const atHeight = { ...call, params: { ...params, height: `${height}` } }
    switch (method) {
      case 'status':
        return answerStatus(call)
      case 'block':
      case 'commit':
      case 'validators': {
        const lowest = bounds.lowestBlock()
        if (height >= lowest) return replyTo(state, atHeight)
        return { error: `height ${height} is not available, lowest height is ${lowest}` }
      }
      case 'block_results':
        if (height >= bounds.lowestResults()) return replyTo(state, atHeight)
        return { error: `could not find results for height #${height}` }
      case 'abci_query': {
        if (height > tip()) {
          const log = 'cannot query with height in the future; please provide a valid height'
          return refuseState(26, `${log}: invalid height`, height)
        }
        if (height >= bounds.lowestState()) return replyTo(state, atHeight)
        const log = `failed to load state at height ${height}; version does not exist`
        return refuseState(38, `${log} (latest height: ${tip()}): not found`, height)
      }
      default:
        return replyTo(state, call)
    }
  }
}
