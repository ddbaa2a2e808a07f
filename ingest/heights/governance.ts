// What ingest knows of governance: one state, folded from the facts of blocks and from readings; after a start from the log, whose last
// marker says where ingest continues. The kernel decides facts. Everything is kept only while a proposal is open, or is due.
import type { EventLog, LogRecord } from '../../infra/base/log/event-log.ts'
import { recordsBetween } from '../../infra/base/log/event-log.ts'
import { AppError } from '../../infra/base/runtime/errors.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { decodeEvent, markerIn } from '../contract/codec.ts'
import { ORDINAL, toOrdinal } from '../contract/envelope.ts'
import type { GovernanceEvent, Marker } from '../contract/events.ts'
import { type GovernanceFact, toFacts } from '../contract/governance/fact.ts'
import { createPendingProofs, type PendingProofs } from '../proofs/pending-proofs.ts'
import {
  type Applied,
  createOpenProposals,
  type FactBlock,
  type OpenProposals,
} from '../proposals/open-proposals.ts'
import type { RoundRead } from '../rounds/reading-events.ts'
import { noteGap } from '../rounds/round-state.ts'

/** As of the planned height. */
export type Governance = { open: OpenProposals; proofs: PendingProofs }

/** `marker` is undefined if the log is empty. */
export type Tail = Governance & { marker: Marker | undefined }

export function createGovernance(): Governance {
  return { open: createOpenProposals(), proofs: createPendingProofs() }
}

/** Facts of one block, in order, each exactly once. */
export function applyFact(
  { open, proofs }: Governance,
  fact: GovernanceFact,
  block: FactBlock,
): Applied {
  const applied = open.apply(fact, block)
  proofs.follow(fact, applied, block.height)
  return applied
}

/** Not the tally of a round that ended, nor when earlier votes were cast. */
const isOfOpenRound = ({ data, index }: RoundRead): boolean =>
  !data.final && toOrdinal(index) !== ORDINAL.history

/** Applies the log in order: at a start. */
export function createRestore(governance: Governance): (event: GovernanceEvent) => void {
  let chunks: RoundRead[] = []
  return (event) => {
    if (event.type === 'rollcall.chain.snapshot.v1') governance.proofs.begin(event.height)
    if (event.type === 'rollcall.round.read.v1' && isOfOpenRound(event)) {
      chunks = event.data.chunk === 0 ? [event] : [...chunks, event]
      if (chunks.length === event.data.chunks) governance.open.applyReading(chunks)
    }
    for (const fact of toFacts(event)) applyFact(governance, fact, event)
  }
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
  // Only readings are in the log, not the names that wait for the next one.
  for (const { vote } of governance.open.list()) noteGap(vote)
  return { marker, ...governance }
}
