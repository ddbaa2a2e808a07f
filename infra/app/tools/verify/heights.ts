// Checks that heights have no gap, end with a marker, link to the previous height by hash, and have every chunk of their lists, once
// and in order. Pure; keeps one height.
import { toOrdinal } from '../../../../ingest/contract/envelope.ts'
import type { GovernanceEvent, Marker } from '../../../../ingest/contract/events.ts'
import type { LogRecord } from '../../../base/log/event-log.ts'
import { findLinkProblem } from '../log/move-log.ts'
import type { RecordPosition, ReportViolation } from './violation.ts'

type Chunked = Extract<GovernanceEvent, { data: { chunk: number } }>

/** A height may have several readings, and several long fields of messages. */
const toListName = ({ type, data, index }: Chunked): string => {
  if (!('proposalId' in data)) return type
  const part = 'round' in data ? `round ${data.round}` : `message ${data.message}${data.path}`
  const place = 'final' in data ? `, ordinal ${toOrdinal(index)}` : ''
  return `${type} of proposal ${data.proposalId}, ${part}${place}`
}

const createChunkCheck = () => {
  const lists = new Map<string, { next: number; chunks: number }>()
  return {
    /** The problem with the position of this event in its list, if any. */
    add: (event: GovernanceEvent): string | undefined => {
      if (!('chunk' in event.data)) return undefined
      const name = toListName(event as Chunked)
      const { chunk, chunks } = event.data
      const list = lists.get(name) ?? { next: 0, chunks }
      lists.set(name, { next: chunk + 1, chunks: list.chunks })
      if (chunks !== list.chunks) return `${name}: one chunk has ${list.chunks}, another ${chunks}`
      if (chunk === list.next && chunk < chunks) return undefined
      return `${name}: chunk ${chunk} where ${list.next} of ${chunks} is due`
    },
    /** The problems with the lists of the height that ends. Resets the check. */
    end: (): string[] => {
      const problems = [...lists]
        .filter(([, { next, chunks }]) => next < chunks)
        .map(([name, { next, chunks }]) => `${name}: ends after chunk ${next - 1} of ${chunks}`)
      lists.clear()
      return problems
    },
  }
}

/** Records since the last marker. */
type Open = { firstOffset: bigint; height: number; events: number; times: Set<string> }

const checkMarker = (
  report: ReportViolation,
  record: LogRecord,
  { height, time, data }: Marker,
  open: Open,
): void => {
  const { from, events, tip } = data
  if (from > height) report('marker', record, `the marker covers heights from ${from}`)
  if (tip < height) report('marker', record, `the marker has the tip ${tip}`)
  if (events !== open.events) {
    report('count', record, `the marker has ${events} events, but there are ${open.events}`)
  }
  const other = [...open.times].find((each) => each !== time)
  if (other) report('identity', record, `the block is of ${time}, an event of ${other}`)
}

export function createHeightCheck(report: ReportViolation) {
  const chunks = createChunkCheck()
  let previous: Marker | undefined
  let open: Open | undefined
  const endChunks = (position: RecordPosition): void => {
    for (const problem of chunks.end()) report('chunks', position, problem)
  }
  const leaveOpen = (position: RecordPosition, where: string): void => {
    if (!open) return
    const { events, height } = open
    report('marker', position, `${events} records of height ${height} have no marker ${where}`)
    endChunks(position)
    open = undefined
  }
  const openFor = (record: LogRecord): Open => {
    if (open?.height !== record.height) leaveOpen(record, `before height ${record.height}`)
    open ??= { firstOffset: record.offset, height: record.height, events: 0, times: new Set() }
    return open
  }
  return {
    /** `event` is undefined for an undecodable record, `time` if its envelope is undecodable too. */
    add: (
      record: LogRecord,
      event: GovernanceEvent | undefined,
      time: string | undefined,
    ): void => {
      const height = openFor(record)
      height.events++
      if (time !== undefined) height.times.add(time)
      const problem = event && chunks.add(event)
      if (problem) report('chunks', record, problem)
    },
    /** The record ends its height. */
    mark: (record: LogRecord, marker: Marker): void => {
      checkMarker(report, record, marker, openFor(record))
      endChunks(record)
      const problem = previous && findLinkProblem(previous, marker)
      if (problem) report(problem.kind, record, problem.message)
      previous = marker
      open = undefined
    },
    /** Reports violations at the end of the log. */
    finish: (): void => {
      if (!open) return
      leaveOpen({ offset: open.firstOffset, height: open.height }, 'at the end of the log')
    },
  }
}
