// Reads the turnout of a vote over time: ballots and their power in the tally, in at most a hundred steps.
import { truncate } from '../../../ingest/contract/decimal.ts'
import { TABLE, type TallyRow } from '../../../projections/contract/read-model.ts'
import { buildLatestTable, requireInSnapshot, type StoreReads, selectRows } from './as-of.ts'
import { sumVotes, toSums } from './outcome.ts'

export const MAX_STEPS = 100
/** Each option is truncated to whole units, so the sum can differ by less than one unit per option. */
const MAX_CUT_UNITS = 4n

export type TurnoutStep = {
  /** RFC 3339: the end of this step. */
  until: string
  /** Cumulative. */
  ballots: number
  /** Whole base units in the tally; null before the tally, or if a power is not known. */
  power: string | null
}

export type TurnoutSeries = {
  from: string
  /** The end of the period, or now. */
  to: string
  steps: TurnoutStep[]
  /** Ballots with an unknown time, which every step includes. */
  untimed: number
}

type Row = {
  /** A string, because it is an Int64. */
  step: string
  ballots: string
  power: string
  unknown_powers: string
  untimed: string
}

export type Span = { startMs: number; endMs: number }
type Vote = { proposalId: string; round: number; span: Span; tally: TallyRow }

/**
 * The last ballots of voters and the votes of pools, with their power. The power of a pool already includes the
 * self-delegation of its operator, which is therefore subtracted from the ballot.
 */
const readRows = (reads: StoreReads, { proposalId, round, span }: Vote, widthMs: number) =>
  selectRows<Row & { latest: string }>(
    reads,
    `SELECT least(greatest(intDiv(
         ifNull(toUnixTimestamp64Milli(time), {start:Int64}) - {start:Int64}, {width:Int64}), 0), {last:Int64}) AS step,
       sum(is_ballot) AS ballots, sum(ifNull(atto, 0)) AS power,
       countIf(isNull(atto)) AS unknown_powers, countIf(is_ballot = 1 AND isNull(time)) AS untimed,
       max(version) AS latest
     FROM (
       SELECT time, b.voting_power_atto - arraySum(arrayMap(
           d -> if(d.operator_address = own.operator_address, ifNull(d.voting_power_atto, 0), 0),
           delegations)) AS atto, 1 AS is_ballot, b.version AS version
       FROM (
         SELECT time, voter, voting_power_atto, delegations, version
         FROM ${buildLatestTable(reads.snapshot, TABLE.ballots)}
         WHERE proposal_id = {id:UInt64} AND round = {round:UInt16} AND counted
       ) AS b
       LEFT JOIN (
         SELECT account_address, operator_address FROM ${buildLatestTable(reads.snapshot, TABLE.pools)}
       ) AS own ON b.voter = own.account_address
       UNION ALL
       SELECT vote_time AS time, voting_power_atto AS atto, 0 AS is_ballot, version
       FROM ${buildLatestTable(reads.snapshot, TABLE.poolVotes)}
       WHERE proposal_id = {id:UInt64} AND round = {round:UInt16} AND voted
     )
     GROUP BY step ORDER BY step`,
    {
      id: proposalId,
      round,
      start: span.startMs,
      width: widthMs,
      last: MAX_STEPS - 1,
    },
  )

const computeDistance = (one: bigint, other: bigint): bigint =>
  one > other ? one - other : other - one

/** Powers are shown only if they add up to the tally. */
const isTurnout = (rows: readonly Row[], tally: TallyRow) => {
  const sums = toSums({ ...tally, noWithVeto: tally.no_with_veto })
  if (!tally.final || !sums) return false
  if (rows.some((row) => row.unknown_powers !== '0')) return false
  const tallied = sumVotes(sums)
  const summed = rows.reduce((sum, { power }) => sum + BigInt(power), 0n)
  return computeDistance(tallied, truncate(summed)) <= MAX_CUT_UNITS
}

export const toSteps = (
  rows: readonly Row[],
  { span, tally }: Pick<Vote, 'span' | 'tally'>,
  widthMs: number,
) => {
  const hasPower = isTurnout(rows, tally)
  let ballots = 0
  let atto = 0n
  return rows.map((row): TurnoutStep => {
    ballots += Number(row.ballots)
    atto += BigInt(row.power)
    const untilMs = Math.min(span.startMs + (Number(row.step) + 1) * widthMs, span.endMs)
    return {
      until: new Date(untilMs).toISOString(),
      ballots,
      power: hasPower ? `${truncate(atto)}` : null,
    }
  })
}

export const readTurnoutSeries = async (reads: StoreReads, vote: Vote): Promise<TurnoutSeries> => {
  const { span } = vote
  const widthMs = Math.max(1, Math.ceil((span.endMs - span.startMs) / MAX_STEPS))
  const rows = await readRows(reads, vote, widthMs)
  requireInSnapshot(reads.snapshot, ...rows.map(({ latest }) => latest))
  return {
    from: new Date(span.startMs).toISOString(),
    to: new Date(span.endMs).toISOString(),
    steps: toSteps(rows, vote, widthMs),
    untimed: rows.reduce((sum, row) => sum + Number(row.untimed), 0),
  }
}
