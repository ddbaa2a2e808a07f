// Writes a reading as events: chunks of its pools, then of its ballots. Pure.
import { SUB_LIMIT } from '../contract/envelope.ts'
import type { EventOf } from '../contract/events.ts'
import { ruleMembers } from '../contract/tally-rule.ts'
import { type BlockReference, eventAt, proposalSubject, splitLists } from '../derive/event-at.ts'
import type { RoundReading } from './read-round.ts'

export type RoundRead = EventOf<'rollcall.round.read.v1'>
export type RoundReadData = RoundRead['data']

export type OfRound = { proposalId: string; round: number; final: boolean }

const TOO_MANY = 'more ballots than the index of one height can number'

/** The data of each chunk, pools first. More than `maxChunks` are left out, and the reading is incomplete. */
export function toReadingData(
  reading: RoundReading,
  of: OfRound,
  { maxChunks }: { maxChunks: number },
): RoundReadData[] {
  const { height, rule, basis, pools, allPools, ballots, allBallots } = reading
  const all = splitLists({ pools, ballots })
  const parts = all.slice(0, maxChunks)
  const isCut = parts.length < all.length
  const missing = [...reading.missing, ...(isCut ? [TOO_MANY] : [])]
  return parts.map((lists, chunk) => ({
    chunk,
    chunks: parts.length,
    ...of,
    stateHeight: height,
    allBallots: allBallots && !isCut,
    allPools,
    ...ruleMembers(rule),
    complete: missing.length === 0,
    incompleteReason: missing.length === 0 ? null : missing.join('; '),
    ...(chunk === 0 ? basis : {}),
    ...lists,
  }))
}

/** From `sub` on, one for each chunk. */
export function toReadingEvents(
  block: BlockReference,
  { ordinal, sub }: { ordinal: number; sub: number },
  chunks: readonly RoundReadData[],
): RoundRead[] {
  return chunks.map((data, chunk) =>
    eventAt(
      block,
      { ordinal, sub: sub + chunk },
      { type: 'rollcall.round.read.v1', subject: proposalSubject(data.proposalId), data },
    ),
  )
}

/** The reading of the tally that ended a round: after the event at `fact`. */
export function toFinalReading(
  block: BlockReference,
  { fact, round }: { fact: { proposalId: string; ordinal: number; sub: number }; round: number },
  { reading }: { reading: RoundReading },
): RoundRead[] {
  const { proposalId, ordinal, sub } = fact
  const of = { proposalId, round, final: true }
  // Enough for some million ballots: the limit of an event ID.
  const chunks = toReadingData(reading, of, { maxChunks: SUB_LIMIT - sub - 1 })
  return toReadingEvents(block, { ordinal, sub: sub + 1 }, chunks)
}
