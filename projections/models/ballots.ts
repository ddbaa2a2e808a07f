// Makes the row of one ballot.
import type { BallotRow } from '../contract/read-model.ts'
import { timestampOf } from './moment.ts'
import { delegationTuples, optionTuples, type Round } from './pool-votes.ts'
import type { Ballot } from './vote-fold.ts'

export const ballotRow = (vote: Omit<Round, 'fold'>, ballot: Ballot): BallotRow => ({
  proposal_id: vote.proposalId,
  round: vote.round,
  rank: ballot.rank,
  voter: ballot.voter,
  options: optionTuples(ballot.options),
  counted: ballot.counted,
  height: ballot.height?.toString() ?? null,
  time: timestampOf(ballot.time),
  tx_hash: ballot.txHash,
  delegations_known: ballot.delegations !== null,
  delegations: delegationTuples(ballot.delegations ?? []),
  version: ballot.moment.position.toString(),
})
