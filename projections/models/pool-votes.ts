// Prices one pool's part in a vote, and makes its row: tokens for shares, as the chain's tally would now.
import { divideHalfEven, mul, quo } from '../../ingest/tally/decimal.ts'
import type { DelegationTuple, OptionTuple, PoolVoteRow } from '../contract/read-model.ts'
import { timestampOf } from './moment.ts'
import { addWeighted, mapSums, type OptionSums, plus, zeroSums } from './option-sums.ts'
import type { Pool, PoolBook } from './pool-book.ts'
import type { PoolEntry, VoteFold } from './vote-fold.ts'

/** All in atto. */
export type PricedPool = {
  /** What the pool's own vote carries after deductions, or would carry. */
  votingPower: bigint
  delegatorPower: bigint
  delegators: OptionSums
  total: OptionSums
}

const NOTHING: PricedPool = {
  votingPower: 0n,
  delegatorPower: 0n,
  delegators: zeroSums(),
  total: zeroSums(),
}

/** Only bonded pools that are not jailed are in a tally. */
const isCounted = (pool: Pool): boolean =>
  pool.status === 'bonded' && !pool.jailed && pool.shares > 0n

/** Undefined where the pool's state is unknown. */
export const pricePool = (entry: PoolEntry, pool: Pool | undefined): PricedPool | undefined => {
  if (!pool) return undefined
  if (!isCounted(pool)) return NOTHING
  const { tokens, shares } = pool
  const votingPower = quo((shares - entry.delegatorShares) * tokens, shares)
  const delegators = mapSums(entry.weightedShares, (sum) => divideHalfEven(sum * tokens, shares))
  const own = zeroSums()
  if (entry.ownVote) {
    addWeighted(own, entry.ownVote.weights, (weight) => mul(votingPower, weight))
  }
  return {
    votingPower,
    delegatorPower: quo(entry.delegatorShares * tokens, shares),
    delegators,
    total: plus(own, delegators),
  }
}

/** Undefined while any pool's part is. */
export const priceVote = (fold: VoteFold, book: PoolBook): OptionSums | undefined => {
  if (fold.isIncomplete()) return undefined
  let sum = zeroSums()
  for (const entry of fold.entries.values()) {
    const priced = pricePool(entry, book.pool(entry.operatorAddress))
    if (!priced) return undefined
    sum = plus(sum, priced.total)
  }
  return sum
}

export const optionTuples = (
  options: readonly { option: string; weight: string }[],
): readonly OptionTuple[] => options.map(({ option, weight }) => ({ option, weight }))

export const delegationTuples = (
  delegations: readonly { operatorAddress: string; shares: string }[],
): readonly DelegationTuple[] =>
  delegations.map(({ operatorAddress, shares }) => ({ operator_address: operatorAddress, shares }))

const ownVoteColumns = ({ ownVote }: PoolEntry) => ({
  voted: ownVote !== undefined,
  options: optionTuples(ownVote?.options ?? []),
  vote_height: ownVote?.height?.toString() ?? null,
  vote_time: timestampOf(ownVote?.time ?? null),
  vote_tx_hash: ownVote?.txHash ?? null,
})

const powerColumns = (priced: PricedPool | undefined) => ({
  voting_power_atto: priced?.votingPower.toString() ?? null,
  delegator_power_atto: priced?.delegatorPower.toString() ?? null,
  delegator_yes_atto: priced?.delegators.yes.toString() ?? null,
  delegator_abstain_atto: priced?.delegators.abstain.toString() ?? null,
  delegator_no_atto: priced?.delegators.no.toString() ?? null,
  delegator_no_with_veto_atto: priced?.delegators.noWithVeto.toString() ?? null,
  yes_atto: priced?.total.yes.toString() ?? null,
  abstain_atto: priced?.total.abstain.toString() ?? null,
  no_atto: priced?.total.no.toString() ?? null,
  no_with_veto_atto: priced?.total.noWithVeto.toString() ?? null,
})

export type Round = { proposalId: string; round: number; fold: VoteFold }

export const poolVoteRow = (vote: Round, entry: PoolEntry, book: PoolBook): PoolVoteRow => {
  const pool = book.pool(entry.operatorAddress)
  const priced = vote.fold.isIncomplete() ? undefined : pricePool(entry, pool)
  return {
    proposal_id: vote.proposalId,
    round: vote.round,
    rank: entry.rank,
    operator_address: entry.operatorAddress,
    moniker: pool?.moniker ?? '',
    status: pool?.status ?? 'unspecified',
    jailed: pool?.jailed ?? false,
    ...ownVoteColumns(entry),
    bonded_tokens: pool?.tokens.toString() ?? null,
    delegator_ballots: entry.delegatorBallots,
    ...powerColumns(priced),
    version: entry.moment.position.toString(),
  }
}
