// Collects heights into log entries: the events of each height, then its marker. Heights without events share a marker.

import type { LogEntry } from '../../infra/base/log/event-log.ts'
import { MAX_ENTRY_BYTES } from '../../infra/base/log/event-log.ts'
import { toEpochMs } from '../chain/time.ts'
import type { Block } from '../comet/blocks/block.ts'
import { encodeEvent } from '../contract/codec.ts'
import { ORDINAL } from '../contract/envelope.ts'
import type { GovernanceEvent } from '../contract/events.ts'
import type { History } from '../contract/history-events.ts'
import type { Limitation } from '../contract/limitations.ts'
import type { AdoptedRule } from '../contract/round-events.ts'
import { eventAt } from '../derive/event-at.ts'
import { BOUNDED_ABOVE_BYTES, fitEvent } from './fit-event.ts'

/** The members of a block that are needed after its events are known. */
export type IndexedHeight = {
  block: Pick<Block, 'chainId' | 'height' | 'time' | 'hash' | 'previousHash'>
  tip: number
  openSince: number | null
  validatorsHash?: string | undefined
  limitations?: readonly Limitation[]
  history?: History | undefined
  adoptedRule?: AdoptedRule | undefined
  events: readonly GovernanceEvent[]
}

/** Whole heights, ready to append; `height` is the height of the last marker. */
export type Batch = { entries: readonly LogEntry[]; height: number; heights: number; bytes: number }

export type BatchBuilder = {
  add(height: IndexedHeight): void
  /** Adds a marker after heights without events that have none yet. */
  mark(): void
  /** What the next marker covers so far; undefined if there is nothing to cover. */
  peek(): Batch | undefined
  clear(): void
}

/** Heights without events that one marker may cover. */
export const MAX_QUIET_HEIGHTS = 1_000

/** Called with an event that replaces a larger one in the log. */
export type OnReduced = (event: GovernanceEvent) => void

type Waiting = { from: number; previousHash: string; last: IndexedHeight }

const markerEvent = ({ from, previousHash, last }: Waiting): GovernanceEvent => {
  const { block, events, tip, openSince, validatorsHash, limitations = [] } = last
  const { history, adoptedRule } = last
  return eventAt(
    block,
    { ordinal: ORDINAL.marker, sub: 0 },
    {
      type: 'rollcall.block.indexed.v1',
      data: {
        from,
        hash: block.hash,
        previousHash,
        events: events.length,
        tip: Math.max(tip, block.height),
        openSince,
        ...(validatorsHash === undefined ? {} : { validatorsHash }),
        ...(limitations.length === 0 ? {} : { limitations: [...limitations] }),
        ...(adoptedRule ? { adoptedRule } : {}),
        ...(history ? { history } : {}),
      },
    },
  )
}

export const createBatchBuilder = (onReduced: OnReduced = () => {}): BatchBuilder => {
  let entries: LogEntry[] = []
  let bytes = 0
  let heights = 0
  let markedHeight = 0
  let waiting: Waiting | undefined

  const encoded = (event: GovernanceEvent): Uint8Array => {
    const value = encodeEvent(event)
    if (value.length <= BOUNDED_ABOVE_BYTES) return value
    const smaller = fitEvent(event, MAX_ENTRY_BYTES)
    if (smaller.data.omitted) onReduced(smaller)
    return encodeEvent(smaller)
  }
  const put = (event: GovernanceEvent, timeMs: number) => {
    const value = encoded(event)
    bytes += value.length
    entries.push({ height: event.height, timeMs, value })
  }
  const mark = () => {
    if (!waiting) return
    const { from, previousHash, last } = waiting
    const timeMs = toEpochMs(last.block.time)
    for (const event of last.events) put(event, timeMs)
    put(markerEvent({ from, previousHash, last }), timeMs)
    heights += last.block.height - from + 1
    markedHeight = last.block.height
    waiting = undefined
  }
  return {
    add: (indexed) => {
      const { height, previousHash } = indexed.block
      // A height with events always ends its marker, so all heights before it under that marker have no
      // events.
      waiting = waiting
        ? { ...waiting, last: indexed }
        : { from: height, previousHash, last: indexed }
      const covered = height - waiting.from + 1
      if (indexed.events.length > 0 || covered >= MAX_QUIET_HEIGHTS) mark()
    },
    mark,
    peek: () =>
      entries.length === 0 ? undefined : { entries, height: markedHeight, heights, bytes },
    clear: () => {
      entries = []
      bytes = 0
      heights = 0
    },
  }
}
