// Finds where ingest continues: the last marker of the log, and the state folded from the events since the first open proposal.

import type { EventLog, LogRecord } from '../../infra/base/log/event-log.ts'
import { recordsBetween } from '../../infra/base/log/records-between.ts'
import { AppError } from '../../infra/base/runtime/errors.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { decodeEvent, markerIn } from '../contract/codec.ts'
import type { GovernanceEvent, Marker } from '../contract/events.ts'
import { createGovernance, createRestore, type Governance } from './governance.ts'

/** `marker` is undefined if the log is empty. */
export type Tail = Governance & { marker: Marker | undefined }

const READ_LIMITS = { maxRecords: 10_000, maxBytes: 16 * 2 ** 20 }

/** Every append ends with a marker: another last record means that another program wrote to the log. */
export const decodeMarker = ({ offset, value }: LogRecord): Marker => {
  const decoded = decodeEvent(value)
  const marker = markerIn(decoded)
  if (marker) return marker
  const found = decoded.ok ? `a ${decoded.event.type}` : decoded.reason
  throw new AppError('LOG_DAMAGED', `the log ends at offset ${offset} with ${found}, not a marker`)
}

type Folding = { log: EventLog; logger: Logger; from: number }

const fold = async (
  { log, logger, from }: Folding,
  apply: (event: GovernanceEvent) => void,
): Promise<void> => {
  const start = await log.offsetOfHeight(from)
  for await (const records of recordsBetween(log, { from: start, limits: READ_LIMITS })) {
    for (const record of records) {
      const decoded = decodeEvent(record.value)
      if (!decoded.ok) {
        const { offset: at, height } = record
        logger.error(
          { offset: at.toString(), height, reason: decoded.reason },
          'skipped an undecodable event',
        )
        continue
      }
      apply(decoded.event)
    }
  }
}

export const readTail = async (log: EventLog, logger: Logger): Promise<Tail> => {
  const last = await log.last()
  const marker = last && decodeMarker(last)
  const governance = createGovernance()
  if (!marker) return { marker, ...governance }
  const { openSince } = marker.data
  // Proofs that are due after the last height are of that height and of the one before.
  const pendingSince = marker.height - 1
  const from = Math.min(openSince ?? pendingSince, pendingSince)
  await fold({ log, logger, from }, createRestore(governance))
  return { marker, ...governance }
}
