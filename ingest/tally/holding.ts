// What one delegation counts in its pool: the shares that it deducts, and its power. Pure.
import { ATTO, parseDecimal } from '../contract/decimal.ts'
import { type Delegation, priceShares, type Rate } from '../contract/delegation.ts'

/** A delegation with its numbers: shares and a given power in atto, tokens in base units. */
export type Holding = {
  shares: bigint
  tokens?: bigint | undefined
  power?: bigint | 'whole' | undefined
}

/** Throws `InvalidDecimal`. */
export const readHolding = ({ shares, tokens, power }: Delegation): Holding => ({
  shares: parseDecimal(shares),
  tokens: tokens === undefined ? undefined : BigInt(tokens),
  power: power === undefined || power === 'whole' ? power : parseDecimal(power),
})

/** In atto. */
export const countShares = ({ shares, tokens }: Holding, rate: Rate): bigint => {
  if (tokens === undefined) return shares
  return rate.tokens === 0n ? 0n : (rate.shares * tokens) / rate.tokens
}

/** In atto. `counts`: whether the tally counts the pool. */
export const priceHolding = (holding: Holding, rate: Rate, counts: boolean): bigint => {
  const { power } = holding
  if (power === undefined) return counts ? priceShares(countShares(holding, rate), rate) : 0n
  if (power !== 'whole') return power
  const tokens = countShares(holding, rate) * rate.tokens
  return rate.shares === 0n ? 0n : (tokens / rate.shares) * ATTO
}
