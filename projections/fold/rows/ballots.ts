// Creates the rows of ballots, of the parts of pools, and of pools that did not vote. Powers are from the tally or, if the vote was
// canceled, the last power of the delegations.
import { type Delegation, isCounted } from '../../../ingest/contract/delegation.ts'
import { ownDelegations } from '../../../ingest/tally/tally.ts'
import type {
  BallotRow,
  MissedVoteRow,
  PoolVoteRow,
  PricedDelegation,
} from '../../contract/tables/votes.ts'
import type { Ballot, CastVote, PoolEntry } from '../ballot.ts'
import { later } from '../event-position.ts'
import type { Pricing } from '../pricing.ts'
import type { VotingRound } from '../voting-round.ts'

const untalliedTuples = (delegations: readonly Delegation[]): PricedDelegation[] =>
  ownDelegations(delegations).map(({ operatorAddress, shares }) => ({
    operatorAddress,
    shares,
    votingPower: null,
  }))

/** One literal: a spread takes twenty times as long, and this runs for every vote. */
const ballotRow = ({ proposalId, round }: VotingRound, ballot: Readonly<Ballot>): BallotRow => {
  const { vote } = ballot
  return {
    proposalId,
    round,
    rank: ballot.rank,
    voter: vote.voter,
    voterKey: ballot.key,
    options: vote.options,
    counted: vote.counted,
    inState: ballot.inState,
    height: vote.height,
    time: vote.time,
    txHash: vote.txHash,
    metadata: vote.metadata,
    memo: vote.memo,
    knownTime: ballot.knownTime,
    firstTime: ballot.firstTime,
    votingPower: ballot.power ?? null,
    delegationsKnown: ballot.delegations !== null,
    delegations: ballot.tuples ?? untalliedTuples(ballot.delegations ?? []),
    version: ballot.at.value,
  }
}

/** A counted ballot of a canceled vote, with its last prices; null if a pool is unknown. */
const canceledBallotRow = (round: VotingRound, ballot: Readonly<Ballot>): BallotRow => {
  const row = ballotRow(round, ballot)
  const arePriced = round.registry.hasPrices
  const owned = ownDelegations(ballot.delegations ?? [])
  const powers = arePriced ? owned.map((delegation) => round.price(delegation)) : []
  const isKnown =
    row.delegationsKnown && ballot.impossible === null && (arePriced || owned.length === 0)
  const sum = powers.reduce((total, power) => total + power, 0n)
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
  const uncounted = changed.filter(({ vote, inState }) => !vote.counted || !inState)
  return [
    ...counted.map((ballot) => canceledBallotRow(round, ballot)),
    ...uncounted.map((ballot) => ballotRow(round, ballot)),
  ]
}

const ownVoteColumns = (vote: CastVote | undefined) => ({
  voted: vote !== undefined,
  options: vote?.options ?? [],
  voteHeight: vote?.height ?? null,
  voteTime: vote?.time ?? null,
  voteTxHash: vote?.txHash ?? null,
  voteMetadata: vote?.metadata ?? null,
  voteMemo: vote?.memo ?? null,
})

const NO_SUMS = { yes: null, abstain: null, no: null, noWithVeto: null }

const powerColumns = (part: ReturnType<Pricing['parts']['get']>) => {
  const { yes, abstain, no, noWithVeto } = part?.delegators.sums ?? NO_SUMS
  return {
    votingPower: part?.votingPower ?? null,
    delegatorPower: part?.delegators.votingPower ?? null,
    delegatorYes: yes,
    delegatorAbstain: abstain,
    delegatorNo: no,
    delegatorNoWithVeto: noWithVeto,
    ...(part?.sums ?? NO_SUMS),
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
    ...ownVoteColumns(entry.ownVote?.vote),
    bondedTokens: shown ? BigInt(shown.tokens) : null,
    delegatorBallots: entry.delegatorBallots,
    ...powerColumns(parts.get(entry.operatorAddress)),
    version: entry.at.value,
  }
}

/** Pools that the tally counted, and that did not vote. There are none before the tally. */
export const missedVoteRows = (of: VotingRound): MissedVoteRow[] => {
  const { proposalId, round, tally, registry, at, end } = of
  const rows: MissedVoteRow[] = []
  // A canceled vote has no tally of the chain.
  if (end?.by !== 'tallied') return rows
  for (const { operatorAddress, vote, votingPower } of tally?.pools.values() ?? []) {
    const pool = registry.pool(operatorAddress)
    if (vote !== null || !pool || !isCounted(pool)) continue
    rows.push({
      operatorAddress,
      proposalId,
      round,
      moniker: pool.moniker,
      bondedTokens: BigInt(pool.tokens),
      votingPower,
      version: at.value,
    })
  }
  return rows
}
