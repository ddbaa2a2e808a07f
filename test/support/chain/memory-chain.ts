// A simulated chain behind the port of ingest to a node: in memory, without network and clock.
import type { AbciRequest } from '../../../infra/app/chain/query.ts'
import { readLightBlock } from '../../../infra/base/proof/light-block.ts'
import { AppError } from '../../../infra/base/runtime/errors.ts'
import type { AbciEvent, Block } from '../../../ingest/comet/blocks/block.ts'
import type { BlockSource, ChainNode, SignedBlock } from '../../../ingest/comet/endpoints/node.ts'
import { readAbciAnswer } from '../../../ingest/comet/transport/abci-answer.ts'
import { toSignedBlock } from '../../../ingest/comet/verification/light-block.ts'
import { type BlockSketch, timeAt } from '../simulator/blocks.ts'
import {
  createSimulatedChain,
  type SimulatedChain,
  type SimulatedChainOptions,
  type StateChange,
} from '../simulator/simulated-chain.ts'
import type { ChainState } from '../simulator/state/chain-state.ts'
import { decodeBlock } from './decoded-block.ts'

export type MemoryChain = ChainNode & {
  readonly simulated: SimulatedChain
  readonly tip: number
  /** State below this height is pruned. */
  prunedBelow: number
  readonly queries: readonly { path: string; height: number }[]
  /** Appends a block: the state after it has its votes, then the given change, and no votes that it ends. */
  add(sketch?: BlockSketch, change?: StateChange): number
  /** Appends a block with the state after it. That state must not change later. */
  append(sketch: BlockSketch, state: ChainState): number
  blocks(): readonly Block[]
  /** `isAtTip`: each block is the last one when it is followed, also if the chain has later ones. */
  source(isAtTip?: boolean): BlockSource
}

const hasEvent = (block: Block, type: string, [key, value]: readonly [string, string]): boolean =>
  block.events.some(
    (event: AbciEvent) =>
      event.type === type &&
      event.txIndex !== null &&
      event.attributes.some((each) => each.key === key && each.value === value),
  )

/** Checked once, because a signature takes milliseconds. */
const createLightBlocks = ({ chainId, signed }: SimulatedChain) => {
  const checked = new Map<number, SignedBlock>()
  return (height: number): SignedBlock | undefined => {
    const json = signed?.(height)
    const block = checked.get(height) ?? (json && toSignedBlock(readLightBlock(json, chainId)))
    if (block) checked.set(height, block)
    return block
  }
}

const followFrom = async function* (
  chain: MemoryChain,
  { from, signal }: { from: number; signal: AbortSignal },
  isAtTip: boolean,
) {
  for (let height = from; !signal.aborted; height++) {
    while (height > chain.tip && !signal.aborted) {
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    if (!signal.aborted) {
      yield { block: await chain.block(height), tip: isAtTip ? height : chain.tip }
    }
  }
}

export const createMemoryChain = (options: SimulatedChainOptions = {}): MemoryChain => {
  const simulated = createSimulatedChain(options)
  const { chainId, firstHeight } = simulated
  const queries: { path: string; height: number }[] = []
  const decoded: Block[] = []
  const decodedUpTo = (height: number): readonly Block[] => {
    for (let next = firstHeight + decoded.length; next <= height; next++) {
      decoded.push(decodeBlock(simulated.block(next), chainId, next))
    }
    return decoded
  }
  const readLight = createLightBlocks(simulated)
  const requireHeight = <Found>(height: number, found: Found | undefined): Found => {
    if (found === undefined) throw new AppError('HEIGHT_UNAVAILABLE', `no block ${height}`)
    return found
  }
  const chain: MemoryChain = {
    simulated,
    chainId,
    queries,
    get tip() {
      return simulated.tip
    },
    get prunedBelow() {
      return simulated.prunedBelow
    },
    set prunedBelow(height) {
      simulated.prunedBelow = height
    },
    add: simulated.add,
    append: simulated.append,
    blocks: () => decodedUpTo(simulated.tip),
    status: async () => ({
      chainId,
      latestHeight: simulated.tip,
      latestTime: timeAt(simulated.tip),
      earliestHeight: firstHeight,
      catchingUp: false,
    }),
    latestHeight: async () => simulated.tip,
    block: async (height) =>
      requireHeight(height, decodedUpTo(simulated.tip)[height - firstHeight]),
    header: async (height) => {
      const { time, previousHash } = await chain.block(height)
      return { height, time, previousHash }
    },
    searchTxs: async (query) => {
      const [, type = '', key = '', id = ''] = /^(\w+)\.(\w+)='(\d+)'$/.exec(query) ?? []
      const found = chain.blocks().filter((block) => hasEvent(block, type, [key, id]))
      return { heights: found.map(({ height }) => height), reason: null }
    },
    ...(simulated.signed
      ? { lightBlock: async (height) => requireHeight(height, readLight(height)) }
      : {}),
    abciQuery: async (request) => {
      const { path, data, height, prove = false } = request
      queries.push({ path, height })
      const response = simulated.query({ path, data, height: BigInt(height), prove })
      return readAbciAnswer({ response }, request)
    },
    source: (isAtTip = false) => ({ follow: (range) => followFrom(chain, range, isAtTip) }),
    close: async () => undefined,
  }
  return chain
}

/** Shows the chain to nodes up to a tip that the test moves: `firstTip`, by default that of the chain. */
export const showChain = (whole: MemoryChain, firstTip = whole.tip) => {
  const { chainId, firstHeight, block, query, signed } = whole.simulated
  let tip = Math.min(firstTip, whole.tip)
  return {
    chainId,
    firstHeight,
    get tip() {
      return tip
    },
    block,
    query: (request: AbciRequest) => query(request, tip),
    ...(signed ? { signed } : {}),
    /** Releases one more block; false if all blocks are released. */
    grow: () => {
      if (tip >= whole.tip) return false
      tip += 1
      return true
    },
  }
}
