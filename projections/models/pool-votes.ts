// Prices one pool's part in a vote, and makes its row: tokens for shares, as the chain's tally would now.
import type { TallyStrategy } from '../../ingest/contract/facts.ts'
import { mul } from '../../ingest/tally/decimal.ts'
import { addWeighted, type OptionSums, plus, zeroSums } from '../../ingest/tally/option-sums.ts'
import type { MissedVoteRow, PoolVoteRow } from '../contract/read-model.ts'
import { powerOfShares } from './delegator-sums.ts'
import type { ExactTally } from './exact-tally.ts'
import type { Pool, PoolBook } from './pool-book.ts'
import type { VoteFold } from './vote-fold.ts'
import type { PoolEntry } from './vote-state.ts'

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

/** What shares (atto) carry, in atto; undefined where the pool's state is unknown. */
export const priceShares = (shares: bigint, pool: Pool | undefined): bigint | undefined => {
  if (!pool) return undefined
  return isCounted(pool) ? powerOfShares(shares, pool) : 0n
}

/** Undefined where the pool's state or the chain's way of counting is unknown. */
export const pricePool = (
  entry: PoolEntry,
  pool: Pool | undefined,
  strategy: TallyStrategy,
): PricedPool | undefined => {
  if (!pool || strategy === 'none') return undefined
  if (!isCounted(pool)) return NOTHING
  const { ownVote, ownShares, delegators } = entry
  const priced = delegators.priceAt(pool)
  // x/gov counts the operator's own delegation like any voter's, and rounds it apart from the rest.
  const own = powerOfShares(ownShares, pool)
  const rest = strategy === 'inherit' ? pool.shares - delegators.shares - ownShares : 0n
  const inherited = powerOfShares(rest, pool)
  const total = { ...priced.sums }
  for (const power of ownVote ? [own, inherited] : []) {
    addWeighted(total, ownVote?.weights ?? [], (weight) => mul(power, weight))
  }
  return {
    votingPower: own + inherited,
    delegatorPower: priced.votingPower,
    delegators: priced.sums,
    total,
  }
}

/** As the tally counted it; pools that are not in a tally have no part. */
const exactPool = ({ tally }: ExactTally, operatorAddress: string): PricedPool => {
  const part = tally.pools.get(operatorAddress)
  if (!part) return NOTHING
  const { votingPower, delegators, sums } = part
  return {
    votingPower,
    delegatorPower: delegators.votingPower,
    delegators: delegators.sums,
    total: sums,
  }
}

/** What the pools of one round are priced with; each is priced once, for its own row and for the sum. */
export type Pricing = { book: PoolBook; priceOf(entry: PoolEntry): PricedPool | undefined }

/** Good until the next event is applied. */
export const createPricing = (fold: VoteFold, book: PoolBook): Pricing => {
  const { exact } = fold
  if (exact) return { book, priceOf: (entry) => exactPool(exact, entry.operatorAddress) }
  if (fold.isIncomplete()) return { book, priceOf: () => undefined }
  const prices = new Map<PoolEntry, PricedPool | undefined>()
  const priceOf = (entry: PoolEntry): PricedPool | undefined => {
    const known = prices.get(entry)
    if (known) return known
    const priced = pricePool(entry, book.pool(entry.operatorAddress), book.strategy)
    prices.set(entry, priced)
    return priced
  }
  return { book, priceOf }
}

/** Undefined while any pool's part is. */
export const priceVote = (fold: VoteFold, { priceOf }: Pricing): OptionSums | undefined => {
  if (fold.exact) return fold.exact.tally.sums
  if (fold.isIncomplete()) return undefined
  let sum = zeroSums()
  for (const entry of fold.entries.values()) {
    const priced = priceOf(entry)
    if (!priced) return undefined
    sum = plus(sum, priced.total)
  }
  return sum
}

const ownVoteColumns = ({ ownVote }: PoolEntry) => ({
  voted: ownVote !== undefined,
  options: ownVote?.options ?? [],
  vote_height: ownVote?.height?.toString() ?? null,
  vote_time: ownVote?.time ?? null,
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

/** What is shown of a pool: as of the tally where that is known, else as last observed. */
type ShownPool = { moniker: string; status: string; jailed: boolean; tokens: string }

const shownPool = (
  exact: ExactTally | undefined,
  book: PoolBook,
  operatorAddress: string,
): ShownPool | undefined => {
  const tallied = exact?.pools.get(operatorAddress)?.pool
  if (tallied) return tallied
  const observed = book.pool(operatorAddress)
  return observed && { ...observed, tokens: observed.tokens.toString() }
}

export const poolVoteRow = (vote: Round, entry: PoolEntry, pricing: Pricing): PoolVoteRow => {
  const shown = shownPool(vote.fold.exact, pricing.book, entry.operatorAddress)
  return {
    proposal_id: vote.proposalId,
    round: vote.round,
    rank: entry.rank,
    operator_address: entry.operatorAddress,
    moniker: shown?.moniker ?? '',
    status: shown?.status ?? 'unspecified',
    jailed: shown?.jailed ?? false,
    ...ownVoteColumns(entry),
    bonded_tokens: shown?.tokens ?? null,
    delegator_ballots: entry.delegatorBallots,
    ...powerColumns(pricing.priceOf(entry)),
    version: entry.moment.digits,
  }
}

/** Pools that were in the tally and cast no vote of their own. Nobody can tell before it. */
export const missedVoteRows = ({ proposalId, round, fold }: Round): MissedVoteRow[] => {
  const { exact, moment } = fold
  if (!exact) return []
  const rows: MissedVoteRow[] = []
  for (const { operatorAddress, vote } of exact.tally.pools.values()) {
    if (vote !== null) continue
    const version = moment.digits
    rows.push({ operator_address: operatorAddress, proposal_id: proposalId, round, version })
  }
  return rows
}
