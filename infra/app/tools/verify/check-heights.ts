// Checks that heights have no gap, end with a marker, and link to the previous height by hash. Pure; keeps one height.

import type { GovernanceEvent, Marker } from '../../../../ingest/contract/events.ts'
import type { LogRecord } from '../../../base/log/event-log.ts'
import { createChunkCheck } from './check-chunks.ts'
import type { RecordPosition, ReportViolation } from './violation.ts'

export type HeightCheck = {
  /** `event` is undefined for an undecodable record, `time` if its envelope is undecodable too. */
  add(record: LogRecord, event: GovernanceEvent | undefined, time: string | undefined): void
  /** The record ends its height. */
  mark(record: LogRecord, marker: Marker): void
  /** Reports violations at the end of the log. */
  finish(): void
}

/** Records since the last marker. */
type Open = { firstOffset: bigint; height: number; events: number; times: Set<string> }

const gapProblem = (previous: Marker, { data }: Marker): string | undefined => {
  if (data.from > previous.height + 1) {
    return `heights ${previous.height + 1} to ${data.from - 1} are missing`
  }
  return data.from <= previous.height
    ? `the marker covers heights from ${data.from}, which end at ${previous.height} already`
    : undefined
}

const checkMarker = (
  reportViolation: ReportViolation,
  record: LogRecord,
  marker: Marker,
  open: Open,
): void => {
  const { from, events: declaredEvents, tip } = marker.data
  if (from > marker.height)
    reportViolation('marker', record, `the marker covers heights from ${from}`)
  if (tip < marker.height) reportViolation('marker', record, `the marker has the tip ${tip}`)
  if (declaredEvents !== open.events) {
    reportViolation(
      'count',
      record,
      `the marker has ${declaredEvents} events, but there are ${open.events}`,
    )
  }
  const other = [...open.times].find((time) => time !== marker.time)
  if (other)
    reportViolation('identity', record, `the block is of ${marker.time}, an event of ${other}`)
}

const checkLink = (
  reportViolation: ReportViolation,
  record: LogRecord,
  previous: Marker,
  marker: Marker,
): void => {
  const gap = gapProblem(previous, marker)
  if (gap) {
    reportViolation('gap', record, gap)
    return
  }
  const { from, previousHash } = marker.data
  const { hash } = previous.data
  if (previousHash === hash) return
  reportViolation(
    'link',
    record,
    `block ${from} follows ${previousHash}, but ${previous.height} is ${hash}`,
  )
}

export const createHeightCheck = (reportViolation: ReportViolation): HeightCheck => {
  const chunks = createChunkCheck()
  let previous: Marker | undefined
  let open: Open | undefined
  const endChunks = (position: RecordPosition): void => {
    for (const problem of chunks.end()) reportViolation('chunks', position, problem)
  }
  const leaveOpen = (position: RecordPosition, where: string): void => {
    if (!open) return
    reportViolation(
      'marker',
      position,
      `${open.events} records of height ${open.height} have no marker ${where}`,
    )
    endChunks(position)
    open = undefined
  }
  const openFor = (record: LogRecord): Open => {
    if (open?.height !== record.height) leaveOpen(record, `before height ${record.height}`)
    open ??= { firstOffset: record.offset, height: record.height, events: 0, times: new Set() }
    return open
  }
  return {
    add: (record, event, time) => {
      const height = openFor(record)
      height.events++
      if (time !== undefined) height.times.add(time)
      const problem = event && chunks.add(event)
      if (problem) reportViolation('chunks', record, problem)
    },
    mark: (record, marker) => {
      checkMarker(reportViolation, record, marker, openFor(record))
      endChunks(record)
      if (previous) checkLink(reportViolation, record, previous, marker)
      previous = marker
      open = undefined
    },
    finish: () => {
      if (open)
        leaveOpen({ offset: open.firstOffset, height: open.height }, 'at the end of the log')
    },
  }
}
