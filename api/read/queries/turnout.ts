// Reads the turnout of a vote over time: ballots and their power in the tally, in at most a hundred steps.
import { ATTO, parseDecimal, quo, truncate } from '../../../ingest/contract/decimal.ts'
import { buildCastPower, MAX_TRUNCATED_UNITS } from '../../../projections/contract/cast-power.ts'
import type { ProposalRow } from '../../../projections/contract/tables/proposals.ts'
import type { TallyRow } from '../../../projections/contract/tables/votes.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import { timestampToMs } from '../../../projections/contract/timestamps.ts'
import type { QuorumMoment, TurnoutPage, TurnoutStep } from '../../schemas/turnout.ts'
import type { Reads } from '../query.ts'
import type { Snapshot } from '../snapshot.ts'
import {
  buildLatestTable,
  notFound,
  requireInSnapshot,
  requireOneState,
  type StoreReads,
  selectLatest,
  selectRows,
} from './as-of.ts'
import { hasLimits, NO_LIMIT } from './outcome.ts'
import { getKnownRound } from './proposal.ts'
import { readRound } from './proposal-rounds.ts'
import { computeTurnoutShare, formatTime, formatTimestamp } from './values.ts'

export const MAX_STEPS = 100

export type TurnoutSeries = {
  from: string
  /** The end of the period, or now. */
  to: string
  /** Cumulative. */
  steps: TurnoutStep[]
  /** Ballots with an unknown time, which every step includes. */
  untimed: number
  /** False if the ballots of unknown time are all of them, or at any time of the vote. */
  isTimed: boolean
  quorumReached: QuorumMoment
}

/** Integers are strings, because they have 64 bits and more. */
type Row = {
  step: string
  ballots: string
  power: string
  unknown_powers: string
  untimed: string
  /** 1 if the quorum is reached at the end of this step. */
  reached: number
  /** Of the first ballot of this step with which it is reached; 0 for an unknown height. */
  reached_height: string
  reached_time: string | null
}

type Span = { startMs: number; endMs: number }
type VoteRow = Pick<
  ProposalRow,
  'proposalId' | 'history' | 'votingStartTime' | 'votingEndTime' | 'closedTime'
>
type Vote = { proposalId: string; round: number; span: Span; tally: TallyRow }

/** From the start of voting to its end or to now. A second round extends the same period. */
const computeSpan = (row: VoteRow, snapshot: Snapshot): Span | undefined => {
  if (row.votingStartTime === null) return undefined
  const startMs = timestampToMs(row.votingStartTime)
  const ends = [row.closedTime, row.votingEndTime].filter((time) => time !== null)
  const endMs = Math.min(snapshot.timeMs, ...ends.map(timestampToMs))
  return { startMs, endMs: Math.max(startMs, endMs) }
}

/** The least power in atto that reaches the quorum, with the rounding of the chain. Null if it is not known. */
export const computeNeededPower = ({ quorum, bondedTokens: tokens }: TallyRow): bigint | null => {
  if (quorum === null || tokens === null || tokens === 0n) return null
  const limit = parseDecimal(quorum)
  // Half a unit of the last place less may be rounded up to the limit.
  const least = ((2n * limit - 1n) * tokens) / 2n
  const candidates = [least, least + 1n, least + 2n].filter((power) => power >= 0n)
  return candidates.find((power) => quo(power, tokens * ATTO) >= limit) ?? 0n
}

const readRows = (reads: StoreReads, { proposalId, round, span, tally }: Vote, widthMs: number) => {
  const inRound = 'WHERE proposal_id = {id:UInt64} AND round = {round:UInt16}'
  const { snapshot } = reads
  const castPower = buildCastPower({
    ballots: `${buildLatestTable(snapshot, TABLES.ballots)} ${inRound}`,
    poolVotes: `${buildLatestTable(snapshot, TABLES.poolVotes)} ${inRound}`,
    pools: buildLatestTable(snapshot, TABLES.pools),
  })
  return selectRows<Row & { latest: string }>(
    reads,
    `SELECT least(greatest(intDiv(
         ifNull(toUnixTimestamp64Milli(time), {start:Int64}) - {start:Int64}, {width:Int64}), 0), {last:Int64}) AS step,
       sum(ballots_of_height) AS ballots, sum(power_of_height) AS power,
       sum(unknown_of_height) AS unknown_powers, sum(untimed_of_height) AS untimed,
       max(ifNull(so_far >= {needed:Nullable(Int256)}, false)) AS reached,
       minIf(ifNull(height, 0), so_far >= {needed:Nullable(Int256)}) AS reached_height,
       minIf(time, so_far >= {needed:Nullable(Int256)}) AS reached_time,
       max(version) AS latest
     FROM (
       SELECT height, time, sum(is_ballot) AS ballots_of_height, sum(ifNull(atto, 0)) AS power_of_height,
         countIf(isNull(atto)) AS unknown_of_height, countIf(is_ballot = 1 AND isNull(time)) AS untimed_of_height,
         sum(power_of_height) OVER (ORDER BY ifNull(height, 0) ROWS UNBOUNDED PRECEDING) AS so_far,
         max(version) AS version
       FROM (${castPower})
       GROUP BY height, time
     )
     GROUP BY step ORDER BY step`,
    {
      id: proposalId,
      round,
      start: span.startMs,
      width: widthMs,
      last: MAX_STEPS - 1,
      needed: computeNeededPower(tally)?.toString() ?? null,
    },
  )
}

const computeDistance = (one: bigint, other: bigint): bigint =>
  one > other ? one - other : other - one

type Powers = Pick<Row, 'power' | 'unknown_powers'>

/** Why no power is shown; null if all powers are known and add up to the tally. */
const explainUnknownPower = (rows: readonly Powers[], tally: TallyRow): string | null => {
  if (!tally.final) return 'the voting power of a ballot is known from the tally on'
  const { votingPower } = tally
  if (votingPower === null) return 'the tally is not known'
  if (rows.some((row) => row.unknown_powers !== '0')) {
    return 'the voting power of a ballot is not known'
  }
  const summed = rows.reduce((sum, { power }) => sum + BigInt(power), 0n)
  const distance = computeDistance(truncate(votingPower), truncate(summed))
  const isEqual = distance <= BigInt(MAX_TRUNCATED_UNITS)
  return isEqual ? null : 'the voting power of the ballots does not add up to the tally'
}

type Steps = Pick<Row, 'step' | 'ballots'> & Powers

export const toSteps = (
  rows: readonly Steps[],
  { span, tally }: Pick<Vote, 'span' | 'tally'>,
  widthMs: number,
) => {
  const hasPower = explainUnknownPower(rows, tally) === null
  const bonded = tally.bondedTokens ?? 0n
  let ballots = 0
  let atto = 0n
  return rows.map((row): TurnoutStep => {
    ballots += Number(row.ballots)
    atto += BigInt(row.power)
    const untilMs = Math.min(span.startMs + (Number(row.step) + 1) * widthMs, span.endMs)
    return {
      until: formatTime(untilMs),
      ballots,
      votingPower: hasPower ? `${truncate(atto)}` : null,
      turnout: hasPower && bonded > 0n ? computeTurnoutShare(atto, bonded) : null,
    }
  })
}

const explainNoQuorum = (tally: TallyRow): string => {
  const { quorum, threshold, vetoThreshold } = tally
  if (quorum !== null) return 'the bonded stake at the tally is not known'
  return hasLimits({ quorum, threshold, vetoThreshold })
    ? NO_LIMIT.quorum
    : 'the quorum is not known'
}

const notReached = (reason: string): QuorumMoment => ({ height: null, time: null, reason })

/** Of a vote whose ballots of unknown time may be the last ones. */
const TIMES_UNKNOWN = 'the times of its votes are not all known'

const toQuorumMoment = (
  rows: readonly Row[],
  { tally, isTimed }: { tally: TallyRow; isTimed: boolean },
): QuorumMoment => {
  const unknown = explainUnknownPower(rows, tally) ?? (isTimed ? null : TIMES_UNKNOWN)
  if (unknown !== null) return notReached(unknown)
  if (computeNeededPower(tally) === null) return notReached(explainNoQuorum(tally))
  const first = rows.find(({ reached }) => reached)
  if (!first) return notReached('the quorum was not reached')
  if (first.reached_height === '0') {
    return notReached('the quorum was reached by votes of unknown time')
  }
  const { reached_height: height, reached_time: time } = first
  return { height: Number(height), time: formatTimestamp(time), reason: null }
}

/** Undefined if the start of voting is not known. */
export const readTurnoutSeries = async (
  reads: StoreReads,
  { row, round, tally }: { row: VoteRow; round: number; tally: TallyRow },
): Promise<TurnoutSeries | undefined> => {
  const span = computeSpan(row, reads.snapshot)
  if (!span) return undefined
  const vote = { proposalId: row.proposalId, round, span, tally }
  const widthMs = Math.max(1, Math.ceil((span.endMs - span.startMs) / MAX_STEPS))
  const rows = await readRows(reads, vote, widthMs)
  requireInSnapshot(reads.snapshot, ...rows.map(({ latest }) => latest))
  const untimed = rows.reduce((sum, each) => sum + Number(each.untimed), 0)
  const ballots = rows.reduce((sum, each) => sum + Number(each.ballots), 0)
  const isPast = row.history === 'reconstructed'
  const isTimed = untimed === 0 || (!isPast && untimed < ballots)
  return {
    from: formatTime(span.startMs),
    to: formatTime(span.endMs),
    steps: toSteps(rows, vote, widthMs),
    untimed,
    isTimed,
    quorumReached: toQuorumMoment(rows, { tally, isTimed: isTimed || !isPast }),
  }
}

const PROPOSAL = TABLES.proposals.select([
  'proposalId',
  'status',
  'round',
  'roundReason',
  'history',
  'votingStartTime',
  'votingEndTime',
  'closedTime',
  'version',
])

type Turnout = Pick<
  TurnoutPage,
  'items' | 'round' | 'from' | 'to' | 'untimedBallots' | 'quorumReached'
>

const withoutVote = (round: number | null, reason: string): Turnout => ({
  items: [],
  round,
  from: null,
  to: null,
  untimedBallots: 0,
  quorumReached: { height: null, time: null, reason },
})

/** Throws `proposal-not-found` or `round-not-found`. */
export const readTurnout = async (
  reads: Reads,
  at: { proposalId: string; round?: number | undefined },
): Promise<Turnout> => {
  const { snapshot } = reads
  const { proposalId } = at
  const { round } = await readRound(reads, at)
  const { proposals, tallies: table } = TABLES
  const isIt = 'WHERE proposal_id = {id:UInt64}'
  const isRound = `${isIt} AND round = {round:UInt16}`
  const [[proposal], tallies] = await Promise.all([
    selectLatest(reads, proposals, PROPOSAL, isIt, { id: proposalId }),
    selectLatest(reads, table, table.all, isRound, { id: proposalId, round }),
  ])
  if (!proposal) throw notFound(proposalId)
  requireOneState(proposal, tallies, snapshot)
  const shownRound = round === proposal.round ? getKnownRound(proposal) : round
  const [tally] = tallies
  if (!tally) return withoutVote(shownRound, 'no vote has started')
  const series = await readTurnoutSeries(reads, { row: proposal, round, tally })
  if (!series) return withoutVote(shownRound, 'the start of voting is not known')
  const { from, to, steps, untimed, quorumReached } = series
  return { items: steps, round: shownRound, untimedBallots: untimed, from, to, quorumReached }
}
