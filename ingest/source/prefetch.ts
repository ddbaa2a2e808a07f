// Prefetches heights within limits of number and bytes, and delivers them strictly in order.
import type { Clock } from '../../infra/runtime/clock.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { policies } from '../../infra/runtime/policies.ts'
import { handledLater } from '../../infra/runtime/promises.ts'
import { retry } from '../../infra/runtime/retry.ts'
import type { Block } from '../comet/block.ts'
import type { BlockOptions, ChainNode } from '../comet/node.ts'

export type PrefetchLimits = { blocks: number; bytes: number }

export type Fetching = { node: ChainNode; clock: Clock; logger: Logger; signal: AbortSignal }
export type PrefetchOptions = Fetching & { limits: PrefetchLimits }

export type Prefetch = {
  /** The block of `height`, which must follow the last one; prefetches up to `tip`. */
  take(height: number, tip: number): Promise<Block>
}

/** Memory of an event or an attribute in addition to its text. */
const OBJECT_BYTES = 64
/** Concurrent fetches while no block size is known. */
const FIRST_FETCHES = 8

const bytesOf = (block: Block): number => {
  let bytes = OBJECT_BYTES
  for (const tx of block.txs) bytes += tx.bytes.length + OBJECT_BYTES
  for (const event of block.events) {
    bytes += OBJECT_BYTES
    for (const { key, value } of event.attributes) bytes += key.length + value.length + OBJECT_BYTES
  }
  return bytes
}

type Limited = Fetching & { budgetMs?: number }

/** Fetches one height; retries until `budgetMs` is spent, or without a limit. */
export const fetchHeight = <T>(
  height: number,
  fetch: () => Promise<T>,
  { clock, logger, signal, budgetMs }: Limited,
): Promise<T> => {
  let failed = false
  return retry(fetch, {
    ...policies.fetchBlock(budgetMs),
    signal,
    clock,
    onRetry: ({ error }) => {
      if (!failed)
        logger.error(
          { height, fault: error.code, reason: error.message },
          'height is not available yet',
        )
      failed = true
    },
  })
}

export const fetchBlock = (
  { height, ...expected }: BlockOptions & { height: number },
  limited: Limited,
): Promise<Block> => fetchHeight(height, () => limited.node.block(height, expected), limited)

export const createPrefetch = (options: PrefetchOptions): Prefetch => {
  const { limits } = options
  const fetches = new Map<number, Promise<Block>>()
  const sizes = new Map<number, number>()
  let cachedBytes = 0
  /** Size of the largest recent block; a high estimate before the first ones. */
  let expectedBytes = limits.bytes / FIRST_FETCHES

  const start = (height: number) => {
    const fetched = fetchBlock({ height }, options).then((block) => {
      const bytes = bytesOf(block)
      expectedBytes = Math.max(bytes, expectedBytes * 0.9)
      sizes.set(height, bytes)
      cachedBytes += bytes
      return block
    })
    fetches.set(height, handledLater(fetched))
  }
  const hasCapacity = (): boolean => {
    if (fetches.size >= limits.blocks) return false
    const pending = fetches.size - sizes.size
    return cachedBytes + (pending + 1) * expectedBytes <= limits.bytes
  }
  const fill = (from: number, tip: number) => {
    if (!fetches.has(from)) start(from)
    for (let height = from + 1; height <= tip; height++) {
      if (fetches.has(height)) continue
      if (!hasCapacity()) return
      start(height)
    }
  }

  return {
    take: async (height, tip) => {
      fill(height, tip)
      const block = await fetches.get(height)!
      fetches.delete(height)
      cachedBytes -= sizes.get(height) ?? 0
      sizes.delete(height)
      return block
    },
  }
}
