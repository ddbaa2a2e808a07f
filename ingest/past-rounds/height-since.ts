// Finds the first block since a time by the times of headers: about six reads of some million blocks.
import { type Answer, known, unavailable } from '../chain/answer.ts'
import { toEpochMs } from '../chain/time.ts'
import { isBefore, parseInstant } from '../comet/blocks/block-time.ts'
import type { BlockHeader, ChainReader } from '../comet/endpoints/node.ts'

export type BlockTime = Pick<BlockHeader, 'height' | 'time'>

/** `first`: the chain or the endpoint has no block before it. */
export type HeightSince = { height: number; first: BlockHeader | null }

/** Interpolated probes, then halvings: together at most 40 for any chain of 16 million blocks. */
const MAX_GUESSES = 14
const MAX_PROBES = 40
/** How far beyond the estimate to look, as a part of the distance: then the rest is short at both ends. */
const MARGIN = 0.02

const guess = (low: BlockTime, high: BlockTime, time: string): number => {
  const [from, to, at] = [low.time, high.time, time].map(toEpochMs) as [number, number, number]
  const blocks = high.height - low.height
  const below = to > from ? (blocks * (at - from)) / (to - from) : blocks / 2
  const above = blocks - below
  const beyond = Math.ceil(Math.min(below, above) * MARGIN)
  const offset = Math.round(below < above ? below + beyond : below - beyond)
  return low.height + Math.min(Math.max(offset, 1), blocks - 1)
}

/**
 * The first block with this time or a later one. Undefined if `tip` is earlier. Times of consecutive blocks may be equal. The
 * caller verifies the height: the times of headers are the word of one endpoint.
 */
export const findHeightSince = async (
  node: Pick<ChainReader, 'status' | 'header'>,
  { time, tip }: { time: string; tip: BlockTime },
): Promise<Answer<HeightSince | undefined>> => {
  if (!parseInstant(time)) return unavailable(`${time} is not a time of a block`)
  if (isBefore(tip.time, time)) return known(undefined)
  const { earliestHeight } = await node.status()
  const first = await node.header(Math.max(earliestHeight, 1))
  if (!isBefore(first.time, time)) return known({ height: first.height, first })
  let [low, high]: [BlockTime, BlockTime] = [first, tip]
  for (let probes = 0; high.height - low.height > 1; probes++) {
    if (probes === MAX_PROBES) {
      return unavailable(`no block since ${time} was found by ${probes} headers`)
    }
    const middle = Math.floor((low.height + high.height) / 2)
    const header = await node.header(probes < MAX_GUESSES ? guess(low, high, time) : middle)
    if (isBefore(header.time, time)) low = header
    else high = header
  }
  return known({ height: high.height, first: null })
}
