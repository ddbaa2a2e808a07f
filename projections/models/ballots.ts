// Makes the rows of one ballot and of its voter's stake. Powers are told of tallied ballots only.
import type { Delegation } from '../../ingest/contract/facts.ts'
import type {
  BallotRow,
  DelegationTuple,
  StakeTuple,
  VoterStakeRow,
} from '../contract/read-model.ts'
import { type Moment, timestampOrEpoch } from './moment.ts'
import type { Round } from './pool-votes.ts'
import type { Ballot } from './vote-state.ts'

const untalliedTuples = (delegations: readonly Delegation[]): DelegationTuple[] =>
  delegations.map(({ operatorAddress, shares }) => ({
    operator_address: operatorAddress,
    shares,
    voting_power_atto: null,
  }))

const stakeTuples = (delegations: readonly Delegation[]): StakeTuple[] =>
  delegations.map(({ operatorAddress, shares }) => ({ operator_address: operatorAddress, shares }))

export const ballotRow = (vote: Omit<Round, 'fold'>, ballot: Ballot): BallotRow => ({
  proposal_id: vote.proposalId,
  round: vote.round,
  rank: ballot.rank,
  voter: ballot.voter,
  options: ballot.options,
  counted: ballot.counted,
  height: ballot.height?.toString() ?? null,
  time: ballot.time,
  tx_hash: ballot.txHash,
  voting_power_atto: ballot.power ?? null,
  delegations_known: ballot.delegations !== null,
  delegations: ballot.tuples ?? untalliedTuples(ballot.delegations ?? []),
  version: ballot.moment.digits,
})

/** The delegations of a voter, as an event tells them. */
export const voterStakeRow = (
  told: { voter: string; delegations: readonly Delegation[] | null },
  moment: Moment,
): VoterStakeRow => ({
  voter: told.voter,
  position: moment.digits,
  height: String(moment.height),
  time: timestampOrEpoch(moment.time),
  delegations_known: told.delegations !== null,
  delegations: stakeTuples(told.delegations ?? []),
})
