// Reads a range of the votes of pools on one proposal, and converts rows to vote records of responses.

import { formatDecimal } from '../../../ingest/contract/decimal.ts'
import { isCounted } from '../../../ingest/contract/delegation.ts'
import type { PoolVoteRow } from '../../../projections/contract/tables/votes.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import type { VoteRecord } from '../../schemas/vote.ts'
import { requireConsistent, type StoreReads, selectLatest } from './as-of.ts'
import { formatAmount, formatPower, formatTimestamp, toReason } from './values.ts'

/** By first appearance, or by voting power with the largest first. */
export type VoteOrder = 'rank' | 'power'

/** Ranks with `from` ≤ rank < `to`. */
export type RankRange = { proposalId: string; round: number; from: number; to: number }
/** The same range of the first `total` ranks in another order. */
export type VoteRange = RankRange & { order: VoteOrder; total: number }

/** Ranks have no gaps, so a range of ranks is a range of the primary key. Other orders read the whole vote. */
const RANGE: Record<VoteOrder, string> = {
  rank: 'AND rank >= {from:UInt32} AND rank < {to:UInt32} ORDER BY rank',
  power: `AND rank < {total:UInt32} ORDER BY voting_power_atto DESC NULLS LAST, rank
     LIMIT {size:UInt32} OFFSET {from:UInt32}`,
}

export const toVoteRecord = (row: PoolVoteRow): VoteRecord => ({
  rank: row.rank,
  pool: {
    operatorAddress: row.operatorAddress,
    moniker: row.moniker,
    status: row.status,
    jailed: row.jailed,
    counted: isCounted(row),
  },
  vote: row.voted
    ? {
        options: [...row.options],
        height: row.voteHeight,
        time: formatTimestamp(row.voteTime),
        txHash: row.voteTxHash,
        reason: toReason(row.voteMetadata, row.voteMemo),
      }
    : null,
  votingPower: formatPower(row.votingPower),
  bondedTokens: formatAmount(row.bondedTokens),
  delegators:
    row.delegatorPower === null
      ? null
      : {
          ballots: row.delegatorBallots,
          votingPower: formatDecimal(row.delegatorPower),
          yes: formatPower(row.delegatorYes),
          no: formatPower(row.delegatorNo),
          abstain: formatPower(row.delegatorAbstain),
          noWithVeto: formatPower(row.delegatorNoWithVeto),
        },
  tally:
    row.yes === null
      ? null
      : {
          yes: formatPower(row.yes),
          no: formatPower(row.no),
          abstain: formatPower(row.abstain),
          noWithVeto: formatPower(row.noWithVeto),
        },
})

const NO_SUMS = { yes: '0', no: '0', abstain: '0', noWithVeto: '0' }

/** A counted pool for which neither its operator nor a delegator voted. */
export type SilentPool = {
  operatorAddress: string
  moniker: string
  tokens: bigint | null
  /** The power that its vote would have; null if it is not known. */
  votingPower: bigint | null
}

/** A tally counts only bonded pools. */
export const toSilentRecord = (pool: SilentPool): VoteRecord => ({
  rank: null,
  pool: {
    operatorAddress: pool.operatorAddress,
    moniker: pool.moniker,
    status: 'bonded',
    jailed: false,
    counted: true,
  },
  vote: null,
  votingPower: formatPower(pool.votingPower),
  bondedTokens: formatAmount(pool.tokens),
  delegators: { ballots: 0, votingPower: '0', ...NO_SUMS },
  tally: NO_SUMS,
})

export const readVotes = async (reads: StoreReads, range: VoteRange): Promise<VoteRecord[]> =>
  (await readVoteRows(reads, range)).map(toVoteRecord)

export const readVoteRows = async (
  reads: StoreReads,
  { proposalId, round, order, from, to, total }: VoteRange,
): Promise<PoolVoteRow[]> => {
  if (from >= to) return []
  const { poolVotes } = TABLES
  const inRange = `WHERE proposal_id = {id:UInt64} AND round = {round:UInt16} ${RANGE[order]}`
  const params = { id: proposalId, round, from, to, size: to - from, total }
  const rows = await selectLatest(reads, poolVotes, poolVotes.all, inRange, params)
  requireConsistent(rows, reads.snapshot)
  return rows
}
