// Makes the rows of one ballot and of its voter's stake. Powers are those of the tally, or, where the vote was
// canceled before one, the last that its delegations carried.
import { parseDecimal } from '../../ingest/contract/decimal.ts'
import type { Delegation } from '../../ingest/contract/facts.ts'
import type {
  BallotRow,
  DelegationTuple,
  StakeTuple,
  VoterStakeRow,
} from '../contract/read-model.ts'
import { later, type Moment, timestampOrEpoch } from './moment.ts'
import type { PoolBook } from './pool-book.ts'
import { priceShares, type Round } from './pool-votes.ts'
import type { RoundState } from './tallies.ts'
import type { Ballot } from './vote-state.ts'

const untalliedTuples = (delegations: readonly Delegation[]): DelegationTuple[] =>
  delegations.map(({ operatorAddress, shares }) => ({
    operator_address: operatorAddress,
    shares,
    voting_power_atto: null,
  }))

const stakeTuples = (delegations: readonly Delegation[]): StakeTuple[] =>
  delegations.map(({ operatorAddress, shares }) => ({ operator_address: operatorAddress, shares }))

const ballotRow = (vote: Omit<Round, 'fold'>, ballot: Ballot): BallotRow => ({
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

/** A counted ballot of a vote that was canceled, as `book` prices it; null where a pool's state is unknown. */
const canceledBallotRow = (vote: Round, ballot: Ballot, book: PoolBook): BallotRow => {
  const row = ballotRow(vote, ballot)
  const powers = (ballot.delegations ?? []).map(({ operatorAddress, shares }) =>
    book.strategy === 'none'
      ? undefined
      : priceShares(parseDecimal(shares), book.pool(operatorAddress)),
  )
  const isKnown = ballot.delegations !== null && powers.every((power) => power !== undefined)
  const sum = powers.reduce<bigint>((total, power) => total + (power ?? 0n), 0n)
  return {
    ...row,
    voting_power_atto: isKnown ? sum.toString() : null,
    delegations: row.delegations.map((delegation, order) => ({
      ...delegation,
      voting_power_atto: powers[order]?.toString() ?? null,
    })),
    version: later(ballot.moment, vote.fold.moment).digits,
  }
}

/** Of the ballots that changed; a cancel is the last word on every ballot of the round. */
export const ballotRows = (
  vote: RoundState,
  dirty: readonly Ballot[],
  book: PoolBook,
): BallotRow[] => {
  if (vote.end?.by !== 'canceled') return dirty.map((ballot) => ballotRow(vote, ballot))
  const counted = [...vote.fold.ballots.values()]
  const uncounted = dirty.filter((ballot) => !ballot.counted)
  return [
    ...counted.map((ballot) => canceledBallotRow(vote, ballot, book)),
    ...uncounted.map((ballot) => ballotRow(vote, ballot)),
  ]
}

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
