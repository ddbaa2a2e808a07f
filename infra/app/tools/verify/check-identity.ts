// Checks one record: its event must be consistent in itself and with the record. Pure.

import { toEpochMs } from '../../../../ingest/chain/time.ts'
import {
  type EventEnvelope,
  ORDINAL,
  readChainId,
  toIndex,
} from '../../../../ingest/contract/envelope.ts'
import type { LogRecord } from '../../../base/log/event-log.ts'

const MARKER_INDEX = toIndex(ORDINAL.marker, 0)

/** Descriptions of all problems. */
export const identityProblems = (record: LogRecord, envelope: EventEnvelope): string[] => {
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
