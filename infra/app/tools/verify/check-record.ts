// Checks each record: consistent in itself, of the same chain as the others, and in ascending order, so that no ID is a duplicate.
// Pure.
import { toEpochMs } from '../../../../ingest/chain/time.ts'
import {
  type EventEnvelope,
  ORDINAL,
  readChainId,
  toIndex,
  toPosition,
} from '../../../../ingest/contract/envelope.ts'
import type { LogRecord } from '../../../base/log/event-log.ts'
import type { ReportViolation } from './violation.ts'

const MARKER_INDEX = toIndex(ORDINAL.marker, 0)

/** Descriptions of all problems. */
const identityProblems = (record: LogRecord, envelope: EventEnvelope): string[] => {
  const { id, source, height, index, time, type } = envelope
  const problems: string[] = []
  if (!/^\/chains\/./.test(source)) problems.push(`${id} has the source ${source}`)
  const expected = `${readChainId(envelope)}/${height}/${index}`
  if (id !== expected) problems.push(`${id} should be ${expected} by its own height and index`)
  if (height !== record.height) {
    problems.push(`${id} has height ${height}, its record ${record.height}`)
  }
  if (toEpochMs(time) !== record.timeMs) {
    problems.push(`${id} has the time ${time}, its record ${record.timeMs} ms`)
  }
  const isMarker = type === 'rollcall.block.indexed.v1'
  if (isMarker !== (index === MARKER_INDEX)) {
    problems.push(`${id} is a ${type} at the index of ${isMarker ? 'an event' : 'a marker'}`)
  }
  return problems
}

export type RecordCheck = {
  add(record: LogRecord, envelope: EventEnvelope): void
  chainId(): string | null
}

export const createRecordCheck = (reportViolation: ReportViolation): RecordCheck => {
  let chainId: string | null = null
  let highest: { position: bigint; id: string; offset: bigint } | undefined
  const checkChain = (record: LogRecord, envelope: EventEnvelope): void => {
    const found = readChainId(envelope)
    chainId ??= found
    if (found === chainId) return
    reportViolation('other chain', record, `${envelope.id} is of ${found}, the log of ${chainId}`)
  }
  return {
    chainId: () => chainId,
    add: (record, envelope) => {
      for (const problem of identityProblems(record, envelope)) {
        reportViolation('identity', record, problem)
      }
      checkChain(record, envelope)
      const { id } = envelope
      const position = toPosition(envelope)
      if (!highest || position > highest.position) {
        highest = { position, id, offset: record.offset }
      } else if (position === highest.position) {
        reportViolation('order', record, `${id} is a duplicate of offset ${highest.offset}`)
      } else {
        reportViolation('order', record, `${id} is out of order: it is after ${highest.id}`)
      }
    },
  }
}
