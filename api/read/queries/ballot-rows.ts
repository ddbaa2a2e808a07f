// Converts rows of ballots to ballots of responses. Pure.
import { formatDecimal, parseDecimal } from '../../../ingest/contract/decimal.ts'
import { isCounted, priceHolding, readHolding } from '../../../ingest/contract/delegation.ts'
import type {
  BallotRow,
  DelegationTuple,
  PoolRow,
} from '../../../projections/contract/read-model.ts'
import type { Ballot } from '../../schemas/ballot.ts'
import { formatTimestamp } from './values.ts'

export type PricingPool = Pick<
  PoolRow,
  'tokens' | 'delegator_shares' | 'status' | 'jailed' | 'counted'
>

/** Pools by operator address for an open vote; undefined after the tally. */
export type Prices = ReadonlyMap<string, PricingPool> | undefined

/** In atto; null if the state of the pool is unknown. Only pools that count have power. */
const computePower = (shares: string, pool: PricingPool | undefined): bigint | null => {
  if (!pool) return null
  const rate = { tokens: BigInt(pool.tokens), shares: parseDecimal(pool.delegator_shares) }
  return priceHolding(readHolding({ shares }), rate, isCounted(pool))
}

const computeDelegationPower = (delegation: DelegationTuple, prices: Prices): bigint | null => {
  const { operator_address: operator, shares, voting_power_atto: talliedPower } = delegation
  if (talliedPower !== null) return BigInt(talliedPower)
  return prices ? computePower(shares, prices.get(operator)) : null
}

const formatPower = (atto: bigint | null): string | null =>
  atto === null ? null : formatDecimal(atto)

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
  if (row.voting_power_atto !== null) return BigInt(row.voting_power_atto)
  return row.delegations_known && row.counted ? sumPowers(powers) : null
}

export const toBallot = (row: BallotRow, prices: Prices): Ballot => {
  const powers = row.delegations.map((delegation) => computeDelegationPower(delegation, prices))
  const isPriced = prices !== undefined || row.voting_power_atto !== null
  return {
    voter: row.voter,
    options: [...row.options],
    counted: row.counted,
    height: row.height === null ? null : Number(row.height),
    time: formatTimestamp(row.time),
    txHash: row.tx_hash,
    votingPower: isPriced ? formatPower(computeTotalPower(row, powers)) : null,
    delegations: row.delegations_known
      ? row.delegations.map(({ operator_address: operatorAddress, shares }, order) => ({
          operatorAddress,
          shares,
          votingPower: formatPower(powers[order] ?? null),
        }))
      : null,
  }
}
