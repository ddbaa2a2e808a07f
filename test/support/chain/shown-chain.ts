// Shows a chain in memory to nodes, up to a tip that the test moves.

import type { StateAnswer, StateRequest } from '../simulator/nodes/state-answers.ts'
import { STORE_KEY } from '../simulator/queries/store.ts'
import type { ServedChain } from '../simulator/rpc/served-chain.ts'
import type { MemoryChain } from './memory-chain.ts'

/** Error codes of the SDK's root codespace. */
const KEY_NOT_FOUND = 22
const INVALID_HEIGHT = 38

export type ShownChain = ServedChain & {
  /** Releases one more block; false if all blocks are released. */
  grow(): boolean
}

/** The response of the chain in memory to a state query, for a test that changes some of them. */
export const readState = async (
  chain: MemoryChain,
  request: StateRequest,
): Promise<StateAnswer> => {
  const proves = chain.simulated.signed !== undefined && request.path === STORE_KEY
  const answer = await chain.abciQuery({ ...request, ...(proves ? { prove: true } : {}) })
  switch (answer.kind) {
    case 'value':
      return answer
    case 'not_found':
      return { code: KEY_NOT_FOUND, log: answer.log }
    case 'pruned':
      return { code: INVALID_HEIGHT, log: answer.log }
    case 'refused':
      return answer
  }
}

/** Shows the blocks up to `firstTip`, by default all. */
export const showChain = (whole: MemoryChain, firstTip = whole.tip): ShownChain => {
  const { chainId, firstHeight, block, query, signed } = whole.simulated
  let tip = Math.min(firstTip, whole.tip)
  return {
    chainId,
    firstHeight,
    get tip() {
      return tip
    },
    block,
    query: (request) => query(request, tip),
    ...(signed ? { signed } : {}),
    grow: () => {
      if (tip >= whole.tip) return false
      tip += 1
      return true
    },
  }
}
