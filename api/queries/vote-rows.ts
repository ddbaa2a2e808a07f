// Rows of the page table → vote records as answers show them. Pure.

import type { VoteRecord } from '../schemas/vote.ts'
import type { ListedVote } from './list-votes.ts'
import { powerOf, timeOf } from './values.ts'

const voteOf = (row: ListedVote): VoteRecord['vote'] =>
  row.voted
    ? {
        options: row.options.map(({ option, weight }) => ({ option, weight })),
        height: row.vote_height === null ? null : Number(row.vote_height),
        time: timeOf(row.vote_time),
        txHash: row.vote_tx_hash,
      }
    : null

const delegatorsOf = (row: ListedVote): VoteRecord['delegators'] => {
  const votingPower = powerOf(row.delegator_power_atto)
  if (votingPower === null) return null
  return {
    ballots: row.delegator_ballots,
    votingPower,
    yes: powerOf(row.delegator_yes_atto),
    no: powerOf(row.delegator_no_atto),
    abstain: powerOf(row.delegator_abstain_atto),
    noWithVeto: powerOf(row.delegator_no_with_veto_atto),
  }
}

const partOf = (row: ListedVote): VoteRecord['tally'] =>
  row.yes_atto === null
    ? null
    : {
        yes: powerOf(row.yes_atto),
        no: powerOf(row.no_atto),
        abstain: powerOf(row.abstain_atto),
        noWithVeto: powerOf(row.no_with_veto_atto),
      }

export const voteRecordOf = (row: ListedVote): VoteRecord => ({
  rank: row.rank,
  pool: {
    operatorAddress: row.operator_address,
    moniker: row.moniker,
    status: row.status,
    jailed: row.jailed,
  },
  vote: voteOf(row),
  votingPower: powerOf(row.voting_power_atto),
  bondedTokens: row.bonded_tokens,
  delegators: delegatorsOf(row),
  tally: partOf(row),
})
