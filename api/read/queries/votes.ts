// Reads a range of the votes of pools on one proposal, and converts rows to vote records of responses.

import { formatAtto } from '../../../ingest/contract/decimal.ts'
import { isCounted } from '../../../ingest/contract/delegation.ts'
import { type PoolVoteRow, TABLE } from '../../../projections/contract/read-model.ts'
import type { VoteRecord } from '../../schemas/vote.ts'
import { buildLatestTable, requireConsistent, type StoreReads, selectRows } from './as-of.ts'
import { formatPower, formatTimestamp } from './values.ts'

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
    operatorAddress: row.operator_address,
    moniker: row.moniker,
    status: row.status,
    jailed: row.jailed,
    counted: isCounted(row),
  },
  vote: row.voted
    ? {
        options: [...row.options],
        height: row.vote_height === null ? null : Number(row.vote_height),
        time: formatTimestamp(row.vote_time),
        txHash: row.vote_tx_hash,
      }
    : null,
  votingPower: formatPower(row.voting_power_atto),
  bondedTokens: row.bonded_tokens,
  delegators:
    row.delegator_power_atto === null
      ? null
      : {
          ballots: row.delegator_ballots,
          votingPower: formatAtto(row.delegator_power_atto),
          yes: formatPower(row.delegator_yes_atto),
          no: formatPower(row.delegator_no_atto),
          abstain: formatPower(row.delegator_abstain_atto),
          noWithVeto: formatPower(row.delegator_no_with_veto_atto),
        },
  tally:
    row.yes_atto === null
      ? null
      : {
          yes: formatPower(row.yes_atto),
          no: formatPower(row.no_atto),
          abstain: formatPower(row.abstain_atto),
          noWithVeto: formatPower(row.no_with_veto_atto),
        },
})

export const readVotes = async (
  reads: StoreReads,
  { proposalId, round, order, from, to, total }: VoteRange,
): Promise<VoteRecord[]> => {
  if (from >= to) return []
  const { snapshot } = reads
  const rows = await selectRows<PoolVoteRow>(
    reads,
    `SELECT * FROM ${buildLatestTable(snapshot, TABLE.poolVotes)}
     WHERE proposal_id = {id:UInt64} AND round = {round:UInt16}
     ${RANGE[order]}`,
    { id: proposalId, round, from, to, size: to - from, total },
  )
  requireConsistent(rows, snapshot)
  return rows.map(toVoteRecord)
}
