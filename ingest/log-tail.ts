// Where to go on: the log's last marker, and the state folded from the events that are still open. The log is the only cursor.

import type { EventLog, LogRecord } from '../infra/log/event-log.ts'
import { recordsBetween } from '../infra/log/records-between.ts'
import { AppError } from '../infra/runtime/errors.ts'
import type { Logger } from '../infra/runtime/logger.ts'
import { decodeEvent, markerIn } from './contract/codec.ts'
import type { GovernanceEvent, Marker } from './contract/events.ts'
import { createObserved, type Observed } from './observed.ts'
import { createOpenContexts, type OpenContexts } from './open-contexts.ts'
import { createOpenProposals, type OpenProposals } from './open-proposals.ts'
import { createOpenStakes, type OpenStakes } from './open-stakes.ts'

export type Tail = {
  /** Undefined in an empty log. */
  marker: Marker | undefined
  /** As planned: ahead of what is appended. */
  open: OpenProposals
  /** As appended. */
  stakes: OpenStakes
  observed: Observed
  contexts: OpenContexts
}

const READ_LIMITS = { maxRecords: 10_000, maxBytes: 16 * 2 ** 20 }

/** Every append ends with a marker: any other last record means that the log is not ours. */
export const markerOf = ({ offset, value }: LogRecord): Marker => {
  const decoded = decodeEvent(value)
  const marker = markerIn(decoded)
  if (marker) return marker
  const found = decoded.ok ? `a ${decoded.event.type}` : decoded.reason
  throw new AppError('LOG_DAMAGED', `the log ends at offset ${offset} with ${found}, not a marker`)
}

export const applyToAll = (
  { open, stakes, observed, contexts }: Omit<Tail, 'marker'>,
  event: GovernanceEvent,
): void => {
  stakes.apply(event, open.applyEvent(event))
  observed.applyEvent(event)
  contexts.applyEvent(event)
}

type Folding = { log: EventLog; logger: Logger; from: bigint }

const fold = async ({ log, logger, from }: Folding, state: Omit<Tail, 'marker'>) => {
  for await (const records of recordsBetween(log, { from, limits: READ_LIMITS })) {
    for (const record of records) {
      const decoded = decodeEvent(record.value)
      if (!decoded.ok) {
        const { offset: at, height } = record
        logger.error(
          { offset: at.toString(), height, reason: decoded.reason },
          'skipped an unreadable event',
        )
        continue
      }
      applyToAll(state, decoded.event)
    }
  }
}

export const readTail = async (log: EventLog, logger: Logger): Promise<Tail> => {
  const last = await log.last()
  const marker = last && markerOf(last)
  const state = {
    open: createOpenProposals(),
    stakes: createOpenStakes(),
    observed: createObserved(),
    contexts: createOpenContexts(),
  }
  const openSince = marker?.data.openSince ?? null
  if (openSince !== null) {
    await fold({ log, logger, from: await log.offsetOfHeight(openSince) }, state)
  }
  return { marker, ...state }
}
