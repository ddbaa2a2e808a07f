// Votes that ended before the first indexed height. A proposal that had ended at the snapshot opens again for one height. Its rounds
// begin, end, get their recomputed tally and close, so its rows are those of a live close. Nothing of it depends on an earlier height:
// a fold that begins later gives the same rows.
import { ORDINAL, toOrdinal } from '../../ingest/contract/envelope.ts'
import type { EventOf, GovernanceEvent } from '../../ingest/contract/events.ts'
import { type EventPosition, eventPosition } from './event-position.ts'
import { FoldError } from './fold-error.ts'
import {
  addPartial,
  beginRound,
  type Changing,
  castUnknown,
  changeProposal,
  closeProposal,
  endRound,
  fallBack,
  introduce,
  readEndedRound,
  readProposal,
} from './proposal.ts'
import { findUntallied, type Reading } from './reading.ts'
import { messagesJson } from './rows/proposals.ts'
import type { FoldState } from './state.ts'

type Reconstructed = EventOf<'rollcall.vote.reconstructed.v1'>

/** Whether an event is about the time before the first indexed height. */
export const isOfPast = ({ index }: Pick<GovernanceEvent, 'index'>): boolean =>
  toOrdinal(index) === ORDINAL.history

type RoundOf = { proposalId: string; round: number }
const createKey = ({ proposalId, round }: RoundOf): string => `${proposalId}/${round}`

/** One round with all that its height has of it. */
type PastRound = { event: Reconstructed; at: EventPosition; reading: Reading }
type PastRounds = readonly [PastRound, ...PastRound[]]

const RANKED = ['none', 'some', 'all'] as const
const UNKNOWN: Readonly<Record<(typeof RANKED)[number], string>> = {
  none: 'the times and transactions of its votes are not known',
  some: 'the times and transactions of some of its votes are not known',
  all: 'how the tally changed during the vote is not known',
}

/** What is not known of the proposal: of its rounds, the one of which least is known decides. */
const describeUnknown = (rounds: PastRounds): string => {
  const known = rounds.map(({ event }) => event.data)
  const least = known.reduce((one, other) =>
    RANKED.indexOf(other.votes) < RANKED.indexOf(one.votes) ? other : one,
  )
  const because = least.votesReason === null ? '' : ` (${least.votesReason})`
  const { round } = rounds[0].event.data
  const earlier = round > 1 ? `; voting round ${round - 1} could not be recomputed` : ''
  return `recomputed from the state of the chain at the end of the vote; ${UNKNOWN[least.votes]}${because}${earlier}`
}

const holdRound = (to: Changing, { data }: Reconstructed): void => {
  const { proposalId, round, finalTally: chain } = data
  const { unavailableReason, isLast, omitted, omittedReason } = data
  readProposal(to, data.proposal)
  beginRound(to, proposalId, { round, isWhole: true })
  // No event reports its ballots.
  castUnknown(to, proposalId)
  if (!isLast) fallBack(to, proposalId)
  endRound(to, proposalId, { by: 'tallied', chain, unavailableReason })
  if (unavailableReason !== null) addPartial(to, proposalId, unavailableReason)
  const paths = omitted?.map(({ path }) => path).join(', ')
  if (omitted) addPartial(to, proposalId, `without ${paths}: ${omittedReason}`)
}

function* reconstruct(
  state: FoldState,
  rounds: PastRounds,
  offset: bigint,
): Generator<undefined, void> {
  const [first] = rounds
  const { event, at } = rounds.at(-1) ?? first
  const { proposalId, messages, submitted, closedHeight, closedTime } = event.data
  const own = {
    messages: messagesJson(messages),
    submitted: submitted ?? undefined,
    closed: { height: closedHeight, time: closedTime },
    reconstructed: describeUnknown(rounds),
  }
  introduce({ state, at: first.at, offset }, first.event.data.proposal)
  for (const past of rounds) {
    holdRound({ state, at: past.at, offset }, past.event)
    yield* readEndedRound({ state, at: past.reading.at, offset }, past.reading)
  }
  const to = { state, at, offset }
  changeProposal(to, proposalId, { own })
  closeProposal(to, proposalId, false)
}

/** Complete or not at all: throws a `FoldError` if a part is missing or contradicts another one. */
const readRounds = (events: readonly Reconstructed[], readings: readonly Reading[]): PastRounds => {
  const rounds = events.map((event, order): PastRound => {
    const { round, isLast } = event.data
    if (isLast !== (order === events.length - 1)) throw new FoldError('a later round is missing')
    if (round !== (events[0]?.data.round ?? 0) + order || round === 0) {
      throw new FoldError('its rounds do not follow each other')
    }
    const reading = readings.find((each) => createKey(each) === createKey(event.data))
    if (!reading) throw new FoldError('it has no evidence of the tally')
    const problem = findUntallied(reading)
    if (problem !== null) throw new FoldError(problem)
    return { event, at: eventPosition(event), reading }
  })
  return rounds as [PastRound, ...PastRound[]]
}

/**
 * The log wins: what an indexed event closed, or what is open, is not reconstructed. A proposal that the snapshot could not read
 * is unknown until then.
 */
const isOfLog = ({ proposals, closed, earlier }: FoldState, proposalId: string): boolean =>
  proposals.has(proposalId) || (closed.has(proposalId) && !earlier.has(proposalId))

const groupByProposal = (events: readonly GovernanceEvent[]): Map<string, Reconstructed[]> => {
  const groups = new Map<string, Reconstructed[]>()
  for (const event of events) {
    if (event.type !== 'rollcall.vote.reconstructed.v1') continue
    const { proposalId } = event.data
    groups.set(proposalId, [...(groups.get(proposalId) ?? []), event])
  }
  return groups
}

export type RefusedRounds = { events: readonly Reconstructed[]; reason: string }

/** All of one height, with the final readings of past votes. */
type Past = {
  events: readonly GovernanceEvent[]
  readings: readonly Reading[]
  offset: bigint
}

/** After the other proposals of the height are closed. Returns what could not be applied; yields where other work may run. */
export function* reconstructVotes(
  state: FoldState,
  { events, readings, offset }: Past,
): Generator<undefined, RefusedRounds[]> {
  const refused: RefusedRounds[] = []
  for (const [proposalId, rounds] of groupByProposal(events)) {
    if (isOfLog(state, proposalId)) continue
    try {
      const past = readRounds(rounds, readings)
      state.earlier.add(proposalId)
      yield* reconstruct(state, past, offset)
    } catch (error) {
      if (!(error instanceof FoldError)) throw error
      refused.push({ events: rounds, reason: error.message })
    }
  }
  return refused
}
