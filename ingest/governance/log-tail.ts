// Finds where ingest continues: the last marker of the log, and the state folded from events that are still open.

import type { EventLog, LogRecord } from '../../infra/base/log/event-log.ts'
import { recordsBetween } from '../../infra/base/log/records-between.ts'
import { AppError } from '../../infra/base/runtime/errors.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { decodeEvent, markerIn } from '../contract/codec.ts'
import type { GovernanceEvent, Marker } from '../contract/events.ts'
import { createLateReads, type LateReads } from './late-reads.ts'
import { createObserved, type Observed } from './observed.ts'
import { createOpenContexts, type OpenContexts } from './open-contexts.ts'
import { createOpenProposals, type OpenProposals } from './open-proposals.ts'
import { createOpenStakes, type OpenStakes } from './open-stakes.ts'
import { createOpenTallies, type OpenTallies } from './open-tallies.ts'
import { createPendingProofs, type PendingProofs } from './pending-proofs.ts'
import { createUnreadVoters, type UnreadVoters } from './unread-voters.ts'

export type Tail = {
  /** Undefined if the log is empty. */
  marker: Marker | undefined
  /** At the planned height, ahead of appended heights. */
  open: OpenProposals
  /** At the appended height. */
  stakes: OpenStakes
  tallies: OpenTallies
  observed: Observed
  contexts: OpenContexts
  lateReads: LateReads
  /** At the planned height, ahead of appended heights. */
  pending: PendingProofs
  /** At the planned height, ahead of appended heights. */
  unread: UnreadVoters
}

const READ_LIMITS = { maxRecords: 10_000, maxBytes: 16 * 2 ** 20 }

/** Every append ends with a marker: another last record means that another program wrote to the log. */
export const decodeMarker = ({ offset, value }: LogRecord): Marker => {
  const decoded = decodeEvent(value)
  const marker = markerIn(decoded)
  if (marker) return marker
  const found = decoded.ok ? `a ${decoded.event.type}` : decoded.reason
  throw new AppError('LOG_DAMAGED', `the log ends at offset ${offset} with ${found}, not a marker`)
}

type OpenState = Omit<Tail, 'marker' | 'pending'>

export const applyToAll = (
  { open, stakes, tallies, observed, contexts, lateReads, unread }: OpenState,
  event: GovernanceEvent,
): void => {
  const releasedVoters = open.applyEvent(event)
  stakes.apply(event, releasedVoters)
  unread.applyEvent(event, releasedVoters)
  tallies.applyEvent(event)
  observed.applyEvent(event)
  contexts.applyEvent(event)
  lateReads.applyEvent(event)
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
  const state = {
    open: createOpenProposals(),
    stakes: createOpenStakes(),
    tallies: createOpenTallies(marker),
    observed: createObserved(),
    contexts: createOpenContexts(),
    lateReads: createLateReads(),
    unread: createUnreadVoters(),
  }
  const pending = createPendingProofs()
  if (!marker) return { marker, ...state, pending }
  const { openSince } = marker.data
  // Proofs that are due after the last height are of that height and of the one before.
  const pendingSince = marker.height - 1
  await fold({ log, logger, from: Math.min(openSince ?? pendingSince, pendingSince) }, (event) => {
    if (openSince !== null && event.height >= openSince) applyToAll(state, event)
    if (event.height >= pendingSince) pending.applyEvent(event)
  })
  return { marker, ...state, pending }
}
