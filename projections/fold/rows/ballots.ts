// Creates the rows of ballots. Powers are from the tally or, if the vote was canceled, the last power of the delegations.
import { addressKey } from '../../../ingest/contract/address.ts'
import type { Delegation } from '../../../ingest/contract/delegation.ts'
import { ownDelegations } from '../../../ingest/tally/tally.ts'
import type { BallotRow, PricedDelegation } from '../../contract/tables/votes.ts'
import type { Ballot } from '../ballot.ts'
import { later } from '../event-position.ts'
import { priceDelegation } from '../pricing.ts'
import type { VotingRound } from '../voting-round.ts'

const untalliedTuples = (delegations: readonly Delegation[]): PricedDelegation[] =>
  ownDelegations(delegations).map(({ operatorAddress, shares }) => ({
    operatorAddress,
    shares,
    votingPower: null,
  }))

const ballotRow = (round: VotingRound, ballot: Readonly<Ballot>): BallotRow => ({
  proposalId: round.proposalId,
  round: round.round,
  rank: ballot.rank,
  voter: ballot.voter,
  voterKey: addressKey(ballot.voter),
  options: ballot.options,
  counted: ballot.counted,
  inState: ballot.inState,
  height: ballot.height,
  time: ballot.time,
  txHash: ballot.txHash,
  votingPower: ballot.power ?? null,
  delegationsKnown: ballot.delegations !== null,
  delegations: ballot.tuples ?? untalliedTuples(ballot.delegations ?? []),
  version: ballot.at.value,
})

/** A counted ballot of a canceled vote, with its last prices; null if a pool is unknown. */
const canceledBallotRow = (round: VotingRound, ballot: Readonly<Ballot>): BallotRow => {
  const row = ballotRow(round, ballot)
  const powers = ownDelegations(ballot.delegations ?? []).map((delegation) =>
    priceDelegation(delegation, round.registry),
  )
  const isPossible = row.delegationsKnown && ballot.impossible === null
  const isKnown = isPossible && powers.every((power) => power !== undefined)
  const sum = powers.reduce<bigint>((total, power) => total + (power ?? 0n), 0n)
  return {
    ...row,
    votingPower: isKnown ? sum : null,
    delegations: row.delegations.map((delegation, order) => ({
      ...delegation,
      votingPower: powers[order] ?? null,
    })),
    version: later(ballot.at, round.at).value,
  }
}

/** Only changed ballots; a cancel is the last change of every ballot of the round. */
export const ballotRows = (
  round: VotingRound,
  changed: readonly Readonly<Ballot>[],
): BallotRow[] => {
  if (round.end?.by !== 'canceled' || round.exact)
    return changed.map((ballot) => ballotRow(round, ballot))
  const counted = [...round.ballots.values()]
  const uncounted = changed.filter(({ counted, inState }) => !counted || !inState)
  return [
    ...counted.map((ballot) => canceledBallotRow(round, ballot)),
    ...uncounted.map((ballot) => ballotRow(round, ballot)),
  ]
}
