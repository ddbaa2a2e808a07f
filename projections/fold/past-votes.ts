// Votes that ended before the first indexed height. A proposal that had ended at the snapshot opens again for one height. Its rounds
// begin, end, get their recomputed tally and close, so its rows are those of a live close. Nothing of it depends on the observed
// pools or on an earlier height: a fold that begins later gives the same rows.
import { ORDINAL, toOrdinal } from '../../ingest/contract/envelope.ts'
import type { EventOf, GovernanceEvent } from '../../ingest/contract/events.ts'
import type { FoundVote } from '../../ingest/contract/history-events.ts'
import { sameOptions } from '../../ingest/contract/same-options.ts'
import { sortedByAddress } from './address-order.ts'
import { type CastVote, type DatedVote, readVote } from './ballot.ts'
import { applyChange, type Change, type Origin } from './change.ts'
import { type EventPosition, eventPosition } from './event-position.ts'
import type { ExactTally } from './exact-tally.ts'
import { asFoldError, FoldError } from './fold-error.ts'
import type { TallyChange } from './recomputed-tallies.ts'
import { messagesJson } from './rows/proposals.ts'
import type { FoldState } from './state.ts'
import { toTimestamp } from './timestamps.ts'

type Reconstructed = EventOf<'rollcall.vote.reconstructed.v1'>
type VotesFound = EventOf<'rollcall.votes.found.v1'>

/** Whether an event is about the time before the first indexed height. */
export const isOfPast = ({ index }: Pick<GovernanceEvent, 'index'>): boolean =>
  toOrdinal(index) === ORDINAL.history

type RoundOf = { proposalId: string; round: number }
const createKey = ({ proposalId, round }: RoundOf): string => `${proposalId}/${round}`

/** The votes of each round, in the order of the chain; a `FoldError` if a chunk is missing. */
type FoundVotes = ReadonlyMap<string, readonly FoundVote[] | FoldError>

const joinChunks = (chunks: readonly VotesFound[]): readonly FoundVote[] | FoldError => {
  const sorted = [...chunks].sort((one, other) => one.data.chunk - other.data.chunk)
  const isWhole = sorted.every(
    ({ data }, order) => data.chunk === order && data.chunks === sorted.length,
  )
  if (!isWhole) return new FoldError('chunks of the found votes are missing')
  if (sorted.some(({ data }) => data.omitted)) return new FoldError('found votes were left out')
  return sorted.flatMap(({ data }) => data.votes)
}

const gatherFound = (events: readonly GovernanceEvent[]): FoundVotes => {
  const byRound = new Map<string, VotesFound[]>()
  for (const event of events) {
    if (event.type !== 'rollcall.votes.found.v1') continue
    const key = createKey(event.data)
    byRound.set(key, [...(byRound.get(key) ?? []), event])
  }
  return new Map([...byRound].map(([key, chunks]) => [key, joinChunks(chunks)]))
}

const toDated = ({ voter, options, height, time, txHash }: FoundVote): DatedVote => ({
  voter,
  options,
  height,
  time: toTimestamp(time),
  txHash,
})

/** The last counted vote of each voter. */
const lastVotes = (votes: readonly FoundVote[]): ReadonlyMap<string, DatedVote> =>
  new Map(votes.filter(({ counted }) => counted).map((vote) => [vote.voter, toDated(vote)]))

/** Votes of proposals that are still open: they say when the ballots of the snapshot were cast, and nothing else. */
export const dateBallots = (
  state: FoldState,
  events: readonly GovernanceEvent[],
  offset: bigint,
): void => {
  const found = gatherFound(events)
  if (found.size === 0) return
  for (const event of events) {
    if (event.type !== 'rollcall.votes.found.v1' || event.data.chunk !== 0) continue
    const { proposalId, round } = event.data
    const votes = found.get(createKey(event.data)) ?? []
    const vote = state.proposals.get(proposalId)?.vote
    if (vote?.round !== round || votes instanceof FoldError) continue
    const origin = { at: eventPosition(event), offset }
    for (const dated of lastVotes(votes).values()) {
      applyChange(state, { kind: 'ballot_dated', proposalId, vote: dated }, origin)
    }
  }
}

/** One round with all that its height has of it. */
type PastRound = {
  event: Reconstructed
  at: EventPosition
  votes: readonly FoundVote[]
  exact: ExactTally
  tally: TallyChange
}

/**
 * The ballots of the tally, by voter: ranks are the same if more votes are found later. A found vote gives a ballot its time only if
 * it has its options: else a later vote of the voter was not found.
 */
const castVotes = ({ exact, votes }: PastRound): CastVote[] => {
  const last = lastVotes(votes)
  const casts = sortedByAddress(exact.ballots, ({ voter }) => voter).map(
    ({ voter, options, delegations }): CastVote => {
      const found = last.get(voter)
      const dated = found && sameOptions(found.options, options) ? found : undefined
      const { height = null, time = null, txHash = null } = dated ?? {}
      return { voter, options, counted: true, delegations, height, time, txHash }
    },
  )
  const uncounted = votes.filter(({ counted }) => !counted)
  const unknown = { counted: false, delegations: null }
  return [...casts, ...uncounted.map((vote) => ({ ...toDated(vote), ...unknown }))]
}

const RANKED = ['none', 'some', 'all'] as const
const UNKNOWN: Readonly<Record<(typeof RANKED)[number], string>> = {
  none: 'the times and transactions of its votes are not known',
  some: 'the times and transactions of some of its votes are not known',
  all: 'how the tally changed during the vote is not known',
}

/** What is not known of the proposal: of its rounds, the one of which least is known decides. */
const describeUnknown = (rounds: readonly [PastRound, ...PastRound[]]): string => {
  const known = rounds.map(({ event }) => event.data)
  const least = known.reduce((one, other) =>
    RANKED.indexOf(other.votes) < RANKED.indexOf(one.votes) ? other : one,
  )
  const because = least.votesReason === null ? '' : ` (${least.votesReason})`
  const { round } = rounds[0].event.data
  const earlier = round > 1 ? `; voting round ${round - 1} could not be recomputed` : ''
  return `recomputed from the state of the chain at the end of the vote; ${UNKNOWN[least.votes]}${because}${earlier}`
}

type Step = { change: Change; at: EventPosition }

const roundSteps = (past: PastRound): Step[] => {
  const { event, at, exact, tally } = past
  const { proposalId, round, finalTally: chain, bondedTokens, params } = event.data
  const { unavailableReason, isLast, omitted, omittedReason } = event.data
  const pools = [...exact.pools.values()].map(({ pool }) => pool)
  const end = { by: 'tallied', chain, bondedTokens, params, unavailableReason } as const
  const paths = omitted?.map(({ path }) => path).join(', ')
  const reasons = [unavailableReason, omitted ? `without ${paths}: ${omittedReason}` : null]
  const changes: Change[] = [
    { kind: 'round_begun', proposalId, round, isWhole: true, pools },
    ...castVotes(past).map(
      (cast): Change => ({ kind: 'ballot_cast', proposalId, vote: readVote(cast) }),
    ),
    ...(isLast ? [] : [{ kind: 'round_fell_back', proposalId } as const]),
    { kind: 'round_ended', proposalId, end },
    ...reasons.flatMap((reason): Change[] =>
      reason === null ? [] : [{ kind: 'history_partial', proposalId, reason }],
    ),
  ]
  return [
    ...changes.map((change) => ({ change, at })),
    { change: tally.change, at: tally.origin.at },
  ]
}

const toSteps = (rounds: readonly [PastRound, ...PastRound[]]): Step[] => {
  const [first] = rounds
  const last = rounds.at(-1) ?? first
  const { proposalId, messages, submitted, closedHeight, closedTime } = last.event.data
  const own = {
    messages: messagesJson(messages),
    submitted: submitted ?? undefined,
    closed: { height: closedHeight, time: closedTime },
    reconstructed: describeUnknown(rounds),
  }
  const { at } = last
  return [
    { change: { kind: 'proposal_introduced', proposal: first.event.data.proposal }, at: first.at },
    ...rounds.flatMap((past): Step[] => [
      { change: { kind: 'proposal_read', proposal: past.event.data.proposal }, at: past.at },
      ...roundSteps(past),
    ]),
    { change: { kind: 'proposal_changed', proposalId, own }, at },
    { change: { kind: 'proposal_closed', proposalId, isDeleted: false }, at },
  ]
}

/** Complete or not at all: throws a `FoldError` if a part is missing or contradicts another one. */
const readRounds = (
  events: readonly Reconstructed[],
  found: FoundVotes,
  tallies: ReadonlyMap<string, TallyChange>,
): [PastRound, ...PastRound[]] => {
  const rounds = events.map((event, order): PastRound => {
    const { round, isLast } = event.data
    if (isLast !== (order === events.length - 1)) throw new FoldError('a later round is missing')
    if (round !== (events[0]?.data.round ?? 0) + order || round === 0) {
      throw new FoldError('its rounds do not follow each other')
    }
    const tally = tallies.get(createKey(event.data))
    if (!tally) throw new FoldError('it has no evidence of the tally')
    const { tally: exact } = tally.change
    if ('problem' in exact) throw new FoldError(exact.problem)
    const votes = found.get(createKey(event.data)) ?? []
    if (votes instanceof FoldError) throw votes
    return { event, at: eventPosition(event), votes, exact, tally }
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

/** After the other proposals of the height are closed. Returns what could not be applied. */
export const reconstructVotes = (
  state: FoldState,
  {
    events,
    tallies,
    offset,
  }: {
    events: readonly GovernanceEvent[]
    tallies: readonly TallyChange[]
    offset: bigint
  },
): RefusedRounds[] => {
  const byRound = new Map(tallies.map((tally) => [createKey(tally.change), tally]))
  const found = gatherFound(events)
  const refused: RefusedRounds[] = []
  for (const [proposalId, rounds] of groupByProposal(events)) {
    if (isOfLog(state, proposalId)) continue
    try {
      const steps = toSteps(readRounds(rounds, found, byRound))
      state.earlier.add(proposalId)
      for (const { change, at } of steps)
        applyChange(state, change, { at, offset } satisfies Origin)
    } catch (caught) {
      const error = asFoldError(caught)
      if (!(error instanceof FoldError)) throw error
      refused.push({ events: rounds, reason: error.message })
    }
  }
  return refused
}
