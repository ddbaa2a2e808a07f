// Converts rows of ballots to ballots of responses. Pure.
import { parseDecimal } from '../../../ingest/contract/decimal.ts'
import { isCounted, priceHolding, readHolding } from '../../../ingest/contract/delegation.ts'
import type { PoolRow } from '../../../projections/contract/tables/pools.ts'
import type { BallotRow, PricedDelegation } from '../../../projections/contract/tables/votes.ts'
import type { Ballot } from '../../schemas/ballot.ts'
import { formatPower, formatTimestamp, toReason } from './values.ts'

export type PricingPool = Pick<
  PoolRow,
  'tokens' | 'delegatorShares' | 'status' | 'jailed' | 'counted'
>

/** Pools by operator address for an open vote; undefined after the tally. */
export type Prices = ReadonlyMap<string, PricingPool> | undefined

/** In atto; null if the state of the pool is unknown. Only pools that count have power. */
const computePower = (shares: string, pool: PricingPool | undefined): bigint | null => {
  if (!pool) return null
  const rate = { tokens: pool.tokens, shares: parseDecimal(pool.delegatorShares) }
  return priceHolding(readHolding({ shares }), rate, isCounted(pool))
}

const computeDelegationPower = (delegation: PricedDelegation, prices: Prices): bigint | null => {
  const { operatorAddress: operator, shares, votingPower: talliedPower } = delegation
  if (talliedPower !== null) return talliedPower
  return prices ? computePower(shares, prices.get(operator)) : null
}

const sumPowers = (powers: readonly (bigint | null)[]): bigint | null => {
  let sum = 0n
  for (const power of powers) {
    if (power === null) return null
    sum += power
  }
  return sum
}

/** The power in the tally, or the current power; null if a part of it is unknown. */
const computeTotalPower = (row: BallotRow, powers: readonly (bigint | null)[]): bigint | null => {
  if (row.votingPower !== null) return row.votingPower
  return row.delegationsKnown && row.counted ? sumPowers(powers) : null
}

export const toBallot = (row: BallotRow, prices: Prices): Ballot => {
  const powers = row.delegations.map((delegation) => computeDelegationPower(delegation, prices))
  const isPriced = prices !== undefined || row.votingPower !== null
  return {
    voter: row.voter,
    options: [...row.options],
    counted: row.counted,
    height: row.height,
    time: formatTimestamp(row.time),
    txHash: row.txHash,
    reason: toReason(row.metadata, row.memo),
    votingPower: isPriced ? formatPower(computeTotalPower(row, powers)) : null,
    delegations: row.delegationsKnown
      ? row.delegations.map(({ operatorAddress, shares }, order) => ({
          operatorAddress,
          shares,
          votingPower: formatPower(powers[order] ?? null),
        }))
      : null,
  }
}
