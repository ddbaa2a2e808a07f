// Prefetches heights within limits of number and memory, and delivers them strictly in order.
import { handledLater } from '../../infra/base/runtime/promises.ts'
import { type Block, bytesOfBlock } from '../comet/blocks/block.ts'
import type { BlockOptions, ChainNode } from '../comet/endpoints/node.ts'
import { type Repeating, repeatRead } from '../comet/endpoints/repeat-read.ts'
import { createMemoryBudget, type Reservation } from '../comet/transport/memory-budget.ts'
import { createFetchPace } from './fetch-pace.ts'

export type PrefetchLimits = { blocks: number; bytes: number }

export type Fetching = Omit<Repeating, 'budgetMs' | 'onOutage'> & { node: ChainNode }
export type PrefetchOptions = Fetching & { limits: PrefetchLimits }

export type Prefetch = {
  /** The block of `height`, which must follow the last one; prefetches up to `tip`. */
  take(height: number, tip: number): Promise<Block>
}

/** Concurrent fetches while no block size is known. */
const FIRST_FETCHES = 8

type Limited = Fetching & { budgetMs?: number }

/** Fetches one height; repeats until `budgetMs` is spent, or without a limit. */
export const fetchHeight = <T>(
  height: number,
  fetch: () => Promise<T>,
  limited: Limited,
): Promise<T> => {
  let isLogged = false
  const onOutage: Repeating['onOutage'] = ({ error: { code: fault, message: reason } }) => {
    if (!isLogged) limited.logger.error({ height, fault, reason }, 'height is not available yet')
    isLogged = true
  }
  return repeatRead(`block ${height}`, fetch, { ...limited, onOutage })
}

export const fetchBlock = (
  { height, ...expected }: BlockOptions & { height: number },
  limited: Limited,
): Promise<Block> => fetchHeight(height, () => limited.node.block(height, expected), limited)

/** A height that is being fetched, or that waits for its delivery. */
type Prefetched = {
  block: Promise<Block>
  /** Of its responses, then of the block; until the delivery. */
  memory: Reservation
  /** 0 until it is fetched. */
  bytes: number
}

export const createPrefetch = (options: PrefetchOptions): Prefetch => {
  const { limits, node, signal } = options
  const heights = new Map<number, Prefetched>()
  const budget = createMemoryBudget(limits.bytes)
  const pace = createFetchPace(signal)
  /** Memory of the largest recent fetch; a high estimate before the first ones. */
  let expectedBytes = limits.bytes / FIRST_FETCHES

  const start = (height: number) => {
    const memory = budget.open(height)
    const fetch = () => pace.run(height, () => node.block(height, { memory }))
    const block = fetchHeight(height, fetch, options).then((fetched) => {
      expectedBytes = Math.max(memory.peakBytes, expectedBytes * 0.9)
      prefetched.bytes = bytesOfBlock(fetched)
      memory.settle(prefetched.bytes)
      return fetched
    })
    const prefetched: Prefetched = { block: handledLater(block), memory, bytes: 0 }
    heights.set(height, prefetched)
  }
  const hasCapacity = (): boolean => {
    if (heights.size >= limits.blocks) return false
    let bytes = expectedBytes
    for (const each of heights.values()) bytes += each.bytes || expectedBytes
    return bytes <= limits.bytes
  }
  const fill = (from: number, tip: number) => {
    if (!heights.has(from)) start(from)
    for (let height = from + 1; height <= tip; height++) {
      if (heights.has(height)) continue
      if (!hasCapacity()) return
      start(height)
    }
  }

  return {
    take: async (height, tip) => {
      fill(height, tip)
      const { block, memory } = heights.get(height)!
      const fetched = await block
      heights.delete(height)
      memory.close()
      return fetched
    },
  }
}
