// Creates the rows of ballots, of the parts of pools, and of pools that did not vote. Powers are from the tally or, if the vote was
// canceled, the last power of the delegations.
import type { Delegation } from '../../../ingest/contract/delegation.ts'
import { ownDelegations } from '../../../ingest/tally/tally.ts'
import type {
  BallotRow,
  MissedVoteRow,
  PoolVoteRow,
  PricedDelegation,
} from '../../contract/tables/votes.ts'
import type { Ballot, PoolEntry } from '../ballot.ts'
import { later } from '../event-position.ts'
import { type PricedPool, type Pricing, priceDelegation } from '../pricing.ts'
import type { VotingRound } from '../voting-round.ts'

const untalliedTuples = (delegations: readonly Delegation[]): PricedDelegation[] =>
  ownDelegations(delegations).map(({ operatorAddress, shares }) => ({
    operatorAddress,
    shares,
    votingPower: null,
  }))

/** One literal: a spread of a ballot takes twenty times as long, and this runs for every vote. */
const ballotRow = ({ proposalId, round }: VotingRound, ballot: Readonly<Ballot>): BallotRow => ({
  proposalId,
  round,
  rank: ballot.rank,
  voter: ballot.voter,
  voterKey: ballot.key,
  options: ballot.options,
  counted: ballot.counted,
  inState: ballot.inState,
  height: ballot.height,
  time: ballot.time,
  txHash: ballot.txHash,
  metadata: ballot.metadata,
  memo: ballot.memo,
  knownTime: ballot.knownTime,
  firstTime: ballot.firstTime,
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
  if (round.end?.by !== 'canceled' || round.tally)
    return changed.map((ballot) => ballotRow(round, ballot))
  const counted = [...round.ballots.values()]
  const uncounted = changed.filter(({ counted, inState }) => !counted || !inState)
  return [
    ...counted.map((ballot) => canceledBallotRow(round, ballot)),
    ...uncounted.map((ballot) => ballotRow(round, ballot)),
  ]
}

const ownVoteColumns = ({ ownVote }: Readonly<PoolEntry>) => ({
  voted: ownVote !== undefined,
  options: ownVote?.options ?? [],
  voteHeight: ownVote?.height ?? null,
  voteTime: ownVote?.time ?? null,
  voteTxHash: ownVote?.txHash ?? null,
  voteMetadata: ownVote?.metadata ?? null,
  voteMemo: ownVote?.memo ?? null,
})

const NO_SUMS = { yes: null, abstain: null, no: null, noWithVeto: null }

const powerColumns = (priced: PricedPool | undefined) => {
  const { yes, abstain, no, noWithVeto } = priced?.delegators ?? NO_SUMS
  return {
    votingPower: priced?.votingPower ?? null,
    delegatorPower: priced?.delegatorPower ?? null,
    delegatorYes: yes,
    delegatorAbstain: abstain,
    delegatorNo: no,
    delegatorNoWithVeto: noWithVeto,
    ...(priced?.total ?? NO_SUMS),
  }
}

export const poolVoteRow = (
  round: VotingRound,
  entry: Readonly<PoolEntry>,
  { parts }: Pricing,
): PoolVoteRow => {
  const shown = round.registry.pool(entry.operatorAddress)
  return {
    proposalId: round.proposalId,
    round: round.round,
    rank: entry.rank,
    operatorAddress: entry.operatorAddress,
    moniker: shown?.moniker ?? '',
    status: shown?.status ?? 'unspecified',
    jailed: shown?.jailed ?? false,
    counted: shown?.counted ?? true,
    ...ownVoteColumns(entry),
    bondedTokens: shown?.tokens ?? null,
    delegatorBallots: entry.delegatorBallots,
    ...powerColumns(parts.get(entry.operatorAddress)),
    version: entry.at.value,
  }
}

/** Pools in the tally that did not vote. There are none before the tally. */
export const missedVoteRows = (of: VotingRound): MissedVoteRow[] => {
  const { proposalId, round, tally, registry, at, end } = of
  const rows: MissedVoteRow[] = []
  // A canceled vote has no tally of the chain.
  if (end?.by !== 'tallied') return rows
  for (const { operatorAddress, vote, votingPower } of tally?.pools.values() ?? []) {
    if (vote !== null) continue
    const pool = registry.pool(operatorAddress)
    rows.push({
      operatorAddress,
      proposalId,
      round,
      moniker: pool?.moniker ?? '',
      bondedTokens: pool?.tokens ?? null,
      votingPower,
      version: at.value,
    })
  }
  return rows
}
