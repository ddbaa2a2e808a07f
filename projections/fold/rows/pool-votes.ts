// Creates the row of one pool's part in a voting round.
import type { PoolVoteRow } from '../../contract/tables/votes.ts'
import type { PoolEntry } from '../ballot.ts'
import { type Pool, readPool } from '../pool-registry.ts'
import type { PricedPool, Pricing } from '../pricing.ts'
import type { VotingRound } from '../voting-round.ts'

const ownVoteColumns = ({ ownVote }: Readonly<PoolEntry>) => ({
  voted: ownVote !== undefined,
  options: ownVote?.options ?? [],
  voteHeight: ownVote?.height ?? null,
  voteTime: ownVote?.time ?? null,
  voteTxHash: ownVote?.txHash ?? null,
})

const powerColumns = (priced: PricedPool | undefined) => ({
  votingPower: priced?.votingPower ?? null,
  delegatorPower: priced?.delegatorPower ?? null,
  delegatorYes: priced?.delegators.yes ?? null,
  delegatorAbstain: priced?.delegators.abstain ?? null,
  delegatorNo: priced?.delegators.no ?? null,
  delegatorNoWithVeto: priced?.delegators.noWithVeto ?? null,
  yes: priced?.total.yes ?? null,
  abstain: priced?.total.abstain ?? null,
  no: priced?.total.no ?? null,
  noWithVeto: priced?.total.noWithVeto ?? null,
})

/** The state of a pool: as of the tally if known, else as last read. */
const findPool = ({ exact, registry }: VotingRound, operatorAddress: string): Pool | undefined => {
  const tallied = exact?.pools.get(operatorAddress)
  return tallied ? readPool(tallied) : registry.pool(operatorAddress)
}

export const poolVoteRow = (
  round: VotingRound,
  entry: Readonly<PoolEntry>,
  pricing: Pricing,
): PoolVoteRow => {
  const shown = findPool(round, entry.operatorAddress)
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
    ...powerColumns(pricing.getPrice(entry)),
    version: entry.at.value,
  }
}
