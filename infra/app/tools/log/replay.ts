// Streams the events of the log as lines, filtered, optionally following new events. Read-only; bounded memory.
import { decodeEvent } from '../../../../ingest/contract/codec.ts'
import { readProposalId } from '../../../../ingest/contract/envelope.ts'
import type { EventLog, LogRecord } from '../../../base/log/event-log.ts'
import { recordsBetween } from '../../../base/log/event-log.ts'
import type { ByteSink } from '../../../base/runtime/byte-sink.ts'
import { hasCode } from '../../../base/runtime/errors.ts'
import { createLineWriter } from './lines.ts'

export type ReplayFilter = {
  /** Full types, such as `rollcall.vote.cast.v1`; by default all. */
  types?: ReadonlySet<string> | undefined
  proposalId?: string | undefined
}

export type ReplayOptions = {
  log: EventLog
  from: number
  to: number
  filter: ReplayFilter
  /** At the end of the log, wait for more records until it is aborted or has reached `to`. */
  follow: boolean
  sink: ByteSink
  signal: AbortSignal
}

export type Replayed = {
  events: number
  /** Number of undecodable records, which filters skip. */
  undecodable: number
}

const WAIT_MS = 10_000

const createMatcher = ({ types, proposalId }: ReplayFilter) => {
  const isFiltered = types !== undefined || proposalId !== undefined
  return ({ value }: LogRecord): 'yes' | 'no' | 'undecodable' => {
    if (!isFiltered) return 'yes'
    const decoded = decodeEvent(value)
    const envelope = decoded.ok ? decoded.event : decoded.envelope
    if (!envelope) return 'undecodable'
    if (types && !types.has(envelope.type)) return 'no'
    return proposalId === undefined || readProposalId(envelope) === proposalId ? 'yes' : 'no'
  }
}

/** Ends at the end of the range, when the reader closes the stream, or when aborted while following. */
export async function replayLog(options: ReplayOptions): Promise<Replayed> {
  const { log, from, to, filter, follow, sink, signal } = options
  const matches = createMatcher(filter)
  const writer = createLineWriter(sink)
  let undecodable = 0
  let offset = await log.offsetOfHeight(from)
  /** False after the end of the range or of the reader. */
  const writeToEnd = async (): Promise<boolean> => {
    for await (const batch of recordsBetween(log, { from: offset, signal })) {
      for (const record of batch) {
        offset = record.offset + 1n
        if (record.height > to) break
        const match = matches(record)
        if (match === 'undecodable') undecodable++
        if (match === 'yes') writer.record(record)
      }
      const isOpen = await writer.flush()
      if (!isOpen || (batch.at(-1)?.height ?? 0) > to) return false
    }
    return true
  }
  try {
    while (await writeToEnd()) {
      const last = await log.last()
      if (!follow || (last && last.height >= to)) break
      await log.waitFor(offset, { timeoutMs: WAIT_MS, signal })
    }
  } catch (error) {
    // An abort is the normal end of following.
    if (!(follow && hasCode(error, 'ABORTED'))) throw error
  }
  return { events: writer.written.records, undecodable }
}
