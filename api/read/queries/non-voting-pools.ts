// Reads pools without a vote of their own: for an open vote from the current pools, otherwise from the tally.
import { compareText } from '../../../ingest/contract/address.ts'
import { ATTO } from '../../../ingest/contract/decimal.ts'
import { TALLY_RULES } from '../../../ingest/contract/tally-rule.ts'
import type { PoolVoteRow } from '../../../projections/contract/tables/votes.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import type { VoteRecord } from '../../schemas/vote.ts'
import type { Snapshot } from '../snapshot.ts'
import {
  buildLatestTable,
  requireConsistent,
  requireInSnapshot,
  type StoreReads,
  selectFrom,
  selectRows,
} from './as-of.ts'
import { type PowerByValidator, toPowerMap } from './power-map.ts'
import type { VoteRound } from './proposal-rounds.ts'
import { compareLargest, formatAmount } from './values.ts'
import {
  readVoteRows,
  type SilentPool,
  toSilentRecord,
  toVoteRecord,
  type VoteOrder,
} from './votes.ts'

export type NonVotingPool = {
  operatorAddress: string
  moniker: string
  /** The whole stake in base units; null if it is not known. */
  bondedTokens: string | null
}
export type NonVotingPools = {
  /** True for the pools of the tally, false for the current pools. */
  isFinal: boolean
  /** Why the pools are not known; null if they are. */
  unknownReason: string | null
  total: number
  /** By stake, largest first. */
  pools: NonVotingPool[]
}

const MAX_SHOWN = 1_000

type ShownVote = { proposalId: string; round: number; tally: VoteRound }

/** Why it is not known of each pool whether it voted; null if it is. */
export const findUnknownVotes = ({ poolsVoted, matchesChainReason }: VoteRound): string | null =>
  poolsVoted === null ? (matchesChainReason ?? 'not all of its votes are known') : null

/** Why it is not known which counted pools did not vote; null if it is. An endpoint that is silent never makes a vote missing. */
export const findUnknownSilence = (tally: VoteRound): string | null => {
  const { final, matchesChain, matchesChainReason, stakeHeight } = tally
  if (final && matchesChain === 'unknown') return matchesChainReason
  if (!final && stakeHeight === null) return 'the pools have not been read in this vote yet'
  return findUnknownVotes(tally)
}

/** Missed votes are written once, so this query needs no check for replaced rows. */
const buildMissed = (snapshot: Snapshot) => `${buildLatestTable(snapshot, TABLES.missedVotes)}
  WHERE proposal_id = {id:UInt64} AND round = {round:UInt16}`

const buildVotes = (snapshot: Snapshot) => `${buildLatestTable(snapshot, TABLES.poolVotes)}
  WHERE proposal_id = {id:UInt64} AND round = {round:UInt16}`

const buildNotYet = (snapshot: Snapshot) => `${buildLatestTable(snapshot, TABLES.pools)}
  WHERE status = 'bonded' AND NOT jailed AND counted
    AND operator_address NOT IN (SELECT operator_address FROM ${buildVotes(snapshot)} AND voted)`

/** The latest version of all rows that `buildNotYet` reads. */
const buildLatestVersion = (snapshot: Snapshot) => `
  SELECT greatest(
    (SELECT max(version) FROM ${buildLatestTable(snapshot, TABLES.pools)}),
    (SELECT max(version) FROM ${buildVotes(snapshot)})
  ) AS latest`

/** Must be called after the rows of an open vote were read, to detect rows that were replaced by then. */
const requireNoneReplaced = async (
  reads: StoreReads,
  { proposalId: id, round }: ShownVote,
): Promise<void> => {
  const { snapshot } = reads
  const [last] = await selectRows<{ latest: string }>(reads, buildLatestVersion(snapshot), {
    id,
    round,
  })
  requireInSnapshot(snapshot, last?.latest)
}

const MISSED_COLUMNS = TABLES.missedVotes.all
const POOL_COLUMNS = TABLES.pools.select(['operatorAddress', 'moniker', 'tokens', 'version'])

/** Without a vote of an operator or a delegator, a pool has the power of all its stake. */
const hasWholePower = ({ rule, votingPower }: VoteRound): boolean =>
  votingPower !== null && rule !== '' && TALLY_RULES[rule].strategy === 'inherit'

const readSilentPools = async (reads: StoreReads, vote: ShownVote): Promise<SilentPool[]> => {
  const { snapshot } = reads
  const { proposalId: id, round, tally } = vote
  if (tally.final) {
    const rows = await selectFrom(reads, MISSED_COLUMNS, buildMissed(snapshot), { id, round })
    requireConsistent(rows, snapshot)
    return rows.map(({ bondedTokens: tokens, ...row }) => ({ ...row, tokens }))
  }
  const rows = await selectFrom(reads, POOL_COLUMNS, buildNotYet(snapshot), { id, round })
  await requireNoneReplaced(reads, vote)
  const isWhole = hasWholePower(tally)
  return rows.map((row) => ({ ...row, votingPower: isWhole ? row.tokens * ATTO : null }))
}

const bySize = (one: SilentPool, other: SilentPool): number =>
  compareLargest(one.votingPower, other.votingPower) ||
  compareLargest(one.tokens, other.tokens) ||
  compareText(one.operatorAddress, other.operatorAddress)

const toNonVotingPools = (tally: VoteRound, silent: readonly SilentPool[]): NonVotingPools => {
  const unknownReason = findUnknownSilence(tally)
  const found = unknownReason === null ? silent : []
  const rows = found.map((row) => ({ ...row, votingPower: null })).sort(bySize)
  return {
    isFinal: tally.final,
    unknownReason,
    total: rows.length,
    pools: rows.slice(0, MAX_SHOWN).map(({ operatorAddress, moniker, tokens }) => ({
      operatorAddress,
      moniker,
      bondedTokens: formatAmount(tokens),
    })),
  }
}

const readAllVotes = (
  reads: StoreReads,
  { proposalId, round, tally }: ShownVote,
  order: VoteOrder = 'rank',
): Promise<PoolVoteRow[]> => {
  const { poolRows } = tally
  return readVoteRows(reads, { proposalId, round, order, from: 0, to: poolRows, total: poolRows })
}

/** Who did not vote, and the power of all. */
export async function readPoolPowers(
  reads: StoreReads,
  vote: ShownVote,
): Promise<{ nonVotingPools: NonVotingPools; powerMap: PowerByValidator }> {
  const [rows, silent] = await Promise.all([
    readAllVotes(reads, vote),
    readSilentPools(reads, vote),
  ])
  return {
    nonVotingPools: toNonVotingPools(vote.tally, silent),
    powerMap: toPowerMap(rows, silent),
  }
}

/** Records of pools with a vote of their own, or of counted pools without one: these in the order of their power. */
export const readByOwnVote = async (
  reads: StoreReads,
  { order, voted, ...vote }: ShownVote & { order: VoteOrder; voted: boolean },
): Promise<{ items: VoteRecord[]; votedReason: string | null }> => {
  const { tally } = vote
  if (voted) {
    const rows = await readAllVotes(reads, vote, order)
    const items = rows.filter((row) => row.voted).map(toVoteRecord)
    return { items, votedReason: findUnknownVotes(tally) }
  }
  const votedReason = findUnknownSilence(tally)
  if (votedReason !== null) return { items: [], votedReason }
  const rows = await readAllVotes(reads, vote, order)
  const byPool = new Map(rows.map((row) => [row.operatorAddress, row]))
  const silent = (await readSilentPools(reads, vote)).map((pool) => ({
    ...pool,
    ...(byPool.has(pool.operatorAddress)
      ? { votingPower: byPool.get(pool.operatorAddress)?.votingPower ?? null }
      : {}),
  }))
  const items = silent.sort(bySize).map((pool) => {
    const row = byPool.get(pool.operatorAddress)
    return row ? toVoteRecord(row) : toSilentRecord(pool)
  })
  return { items, votedReason }
}
