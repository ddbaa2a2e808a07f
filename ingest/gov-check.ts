// Asks a chain without x/gov for it again, because an upgrade may add it. Depends only on block times, so that a
// restart asks at the same heights.
import { findGov, type GovPresence } from './chain/gov-presence.ts'
import { toEpochMs } from './chain/time.ts'
import type { Block } from './comet/block.ts'
import type { ChainNode } from './comet/node.ts'

export type GovCheck = {
  /**
   * Call in order of heights. At the first call as of `stateHeight`, the state before the block; later as of the
   * block. Undefined if nothing is due.
   */
  read(
    block: Pick<Block, 'height' | 'time'>,
    stateHeight?: number,
  ): Promise<GovPresence | undefined> | undefined
}

const INTERVAL_MS = 3_600_000

export type GovCheckOptions = {
  node: Pick<ChainNode, 'abciQuery' | 'refuse'>
  /** Whether the log ends without x/gov. */
  isAbsent: boolean
  previousMs: number | undefined
}

const intervalOf = (ms: number): number => Math.floor(ms / INTERVAL_MS)

export const createGovCheck = ({ node, ...start }: GovCheckOptions): GovCheck => {
  let { previousMs } = start
  let first: Promise<GovPresence> | undefined
  return {
    read: ({ height, time }, stateHeight = height - 1) => {
      const nowMs = toEpochMs(time)
      const isDue = previousMs !== undefined && intervalOf(nowMs) !== intervalOf(previousMs)
      previousMs = nowMs
      if (!first) {
        first = findGov(node, stateHeight)
        return first
      }
      if (!isDue) return undefined
      return first.then((found) =>
        start.isAbsent || found === 'absent' ? findGov(node, height) : undefined,
      )
    },
  }
}
