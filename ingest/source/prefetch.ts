// Prefetches heights within limits of number and memory, and delivers them strictly in order.

import { handledLater } from '../../infra/base/runtime/abort.ts'
import { hasCode } from '../../infra/base/runtime/errors.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { type Block, bytesOfBlock, type HeightRange } from '../comet/blocks/block.ts'
import { MAX_HEADERS } from '../comet/blocks/quiet.ts'
import type { ChainNode } from '../comet/endpoints/node.ts'
import {
  createMemoryBudget,
  type MemoryBudget,
  type Reservation,
} from '../comet/transport/memory-budget.ts'

export type PrefetchLimits = { blocks: number; bytes: number }

export type Fetching = { node: ChainNode; logger: Logger; signal: AbortSignal }
export type PrefetchOptions = Pick<Fetching, 'node' | 'signal'> & { limits: PrefetchLimits }

/** Concurrent fetches while no block size is known. */
const FIRST_FETCHES = 8

/** A height that is being fetched, or that waits for its delivery. */
type Prefetched = {
  block: Promise<Block>
  /** 0 until it is fetched. */
  bytes: number
  /** Called at the delivery. */
  release: () => void
}

/** No reading of an open vote follows a height that is so far behind the tip. */
const PAST_HEIGHTS = 20

export class Prefetch {
  readonly #options: PrefetchOptions
  readonly #heights = new Map<number, Prefetched>()
  readonly #budget: MemoryBudget
  /** Memory of the largest recent fetch of one height; a high estimate before the first ones. */
  #expectedBytes: number

  constructor(options: PrefetchOptions) {
    const { limits } = options
    this.#options = options
    this.#budget = createMemoryBudget(limits.bytes)
    this.#expectedBytes = limits.bytes / FIRST_FETCHES
  }

  /** The block of `height`, which must follow the last one; prefetches up to `tip`. */
  async take(height: number, tip: number): Promise<Block> {
    this.#fill(height, tip)
    const { block, release } = this.#heights.get(height)!
    const fetched = await block
    this.#heights.delete(height)
    release()
    return fetched
  }

  /** How many more heights there is memory for. */
  #capacity(): number {
    const { limits } = this.#options
    let bytes = limits.bytes
    for (const each of this.#heights.values()) bytes -= each.bytes || this.#expectedBytes
    return Math.min(limits.blocks - this.#heights.size, Math.floor(bytes / this.#expectedBytes))
  }

  #fill(from: number, tip: number): void {
    const { limits, node } = this.#options
    const lastPast = tip - PAST_HEIGHTS
    let height = from
    while (this.#heights.has(height)) height++
    while (height <= tip || height === from) {
      const room = this.#capacity()
      if (height > from && room < 1) return
      const size = Math.min(MAX_HEADERS, lastPast - height + 1)
      // A whole range takes the fewest requests: waits for room, if there can be enough.
      const isPossible = size <= limits.blocks && size * this.#expectedBytes <= limits.bytes
      if (node.blockRange && room < size && isPossible && this.#heights.size > 0) return
      const count = node.blockRange ? Math.max(1, Math.min(size, room)) : 1
      this.#start({ from: height, to: height + count - 1 }, height <= lastPast)
      height += count
    }
  }

  /** Forgets a large height after some smaller ones. */
  #learn(bytesOfEach: number, heights = 1): void {
    this.#expectedBytes = Math.max(bytesOfEach, this.#expectedBytes * 0.9 ** heights)
  }

  /** Undefined if the heights must be fetched alone, with all repeats. */
  async #fetchTogether(
    range: HeightRange,
    memory: Reservation,
    members: readonly Prefetched[],
  ): Promise<Block[] | undefined> {
    const { node, signal } = this.#options
    if (!node.blockRange || range.to === range.from) return undefined
    try {
      const blocks = await node.blockRange(range, { memory, isPast: true, signal })
      this.#learn(memory.peakBytes / blocks.length, blocks.length)
      for (const [at, block] of blocks.entries()) members[at]!.bytes = bytesOfBlock(block)
      return blocks
    } catch (error) {
      if (hasCode(error, 'ABORTED')) throw error
      return undefined
    }
  }

  #start(range: HeightRange, isPast: boolean): void {
    const { node, signal } = this.#options
    const { from, to } = range
    const memory = this.#budget.open(from)
    const members: Prefetched[] = []
    const settle = () => memory.settle(members.reduce((sum, { bytes }) => sum + bytes, 0))
    const fetched = this.#fetchTogether(range, memory, members).then((blocks) => {
      if (blocks) settle()
      else memory.close()
      return blocks
    })
    let waiting = to - from + 1
    for (let height = from; height <= to; height++) {
      let alone: Reservation | undefined
      const read = async (): Promise<Block> => {
        const blocks = await fetched
        if (blocks) return blocks[height - from]!
        alone = this.#budget.open(height)
        const own = { memory: alone, isPast, isRequired: true, signal }
        const block = await node.block(height, own)
        this.#learn(alone.peakBytes)
        member.bytes = bytesOfBlock(block)
        alone.settle(member.bytes)
        return block
      }
      const release = () => {
        waiting--
        if (alone) return alone.close()
        member.bytes = 0
        if (waiting === 0) memory.close()
        else settle()
      }
      const member: Prefetched = { block: handledLater(read()), bytes: 0, release }
      members.push(member)
      this.#heights.set(height, member)
    }
  }
}
