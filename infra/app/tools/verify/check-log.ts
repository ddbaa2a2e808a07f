// Verifies a log record by record: nothing is missing, duplicated, out of order or inconsistent. Pure.

import { decodeEvent, markerIn } from '../../../../ingest/contract/codec.ts'
import type { EventEnvelope } from '../../../../ingest/contract/envelope.ts'
import type { Marker } from '../../../../ingest/contract/events.ts'
import type { LogRecord } from '../../../base/log/event-log.ts'
import { createHeightCheck } from './check-heights.ts'
import { createProofCheck, type ProofFigures } from './check-proofs.ts'
import { createRecordCheck } from './check-record.ts'
import type { ReportViolation, Violation } from './violation.ts'

export type Figures = {
  chainId: string | null
  records: number
  bytes: number
  /** The first and the last height that the markers cover; null in a log without markers. */
  from: number | null
  to: number | null
  firstTime: string | null
  lastTime: string | null
  markers: number
  unreadable: number
  /** By type. */
  events: Record<string, number>
  proofs: ProofFigures
}

export type LogCheck = {
  add(record: LogRecord): void
  /** Reports violations at the end of the log. */
  finish(): void
  figures(): Figures
}

const SNAPSHOT = 'rollcall.chain.snapshot.v1'

const noFigures = (): Omit<Figures, 'proofs'> => ({
  chainId: null,
  records: 0,
  bytes: 0,
  from: null,
  to: null,
  firstTime: null,
  lastTime: null,
  markers: 0,
  unreadable: 0,
  // A damaged log names any type, such as `constructor`.
  events: Object.create(null) as Record<string, number>,
})

const countRecord = (
  figures: Omit<Figures, 'proofs'>,
  record: LogRecord,
  type: string | undefined,
): void => {
  figures.records++
  figures.bytes += record.value.byteLength
  if (type !== undefined) figures.events[type] = (figures.events[type] ?? 0) + 1
}

const countMarker = (figures: Omit<Figures, 'proofs'>, marker: Marker): void => {
  figures.markers++
  figures.from ??= marker.data.from
  figures.firstTime ??= marker.time
  figures.to = marker.height
  figures.lastTime = marker.time
}

export const createLogCheck = (report: (violation: Violation) => void): LogCheck => {
  const reportViolation: ReportViolation = (kind, { offset, height }, message) =>
    report({ kind, offset: offset.toString(), height, message })
  const figures = noFigures()
  const records = createRecordCheck(reportViolation)
  const heights = createHeightCheck(reportViolation)
  const proofs = createProofCheck(reportViolation)
  return {
    add: (record) => {
      const decoded = decodeEvent(record.value)
      const envelope: EventEnvelope | undefined = decoded.ok ? decoded.event : decoded.envelope
      if (figures.records === 0 && envelope?.type !== SNAPSHOT) {
        reportViolation(
          'beginning',
          record,
          'the log does not begin with a snapshot of the state before it',
        )
      }
      countRecord(figures, record, envelope?.type)
      if (!decoded.ok) {
        figures.unreadable++
        reportViolation('unreadable', record, decoded.reason)
      }
      if (envelope) records.add(record, envelope)
      if (decoded.ok) proofs.add(record, decoded.event)
      const marker = markerIn(decoded)
      if (marker) {
        countMarker(figures, marker)
        heights.mark(record, marker)
      } else heights.add(record, decoded.ok ? decoded.event : undefined, envelope?.time)
    },
    finish: heights.finish,
    figures: () => ({ ...figures, chainId: records.chainId(), proofs: proofs.figures() }),
  }
}
