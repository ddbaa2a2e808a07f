// What one delegation counts in its pool: the shares that it deducts, and its power. Pure.
import { ATTO, parseDecimal, quo } from '../contract/decimal.ts'
import type { Delegation } from '../contract/delegation.ts'

/** The price of one share: `tokens` base units for `shares` (atto). */
export type Rate = { tokens: bigint; shares: bigint }

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

/** Power of shares, in atto: shares · tokens is exact, the quotient by all shares is rounded half-even. */
export const priceShares = (shares: bigint, rate: Rate): bigint =>
  rate.shares === 0n ? 0n : quo(shares * rate.tokens, rate.shares)

/** In atto. `counts`: whether the tally counts the pool. */
export const priceHolding = (holding: Holding, rate: Rate, counts: boolean): bigint => {
  const { power } = holding
  if (power === undefined) return counts ? priceShares(countShares(holding, rate), rate) : 0n
  if (power !== 'whole') return power
  const tokens = countShares(holding, rate) * rate.tokens
  return rate.shares === 0n ? 0n : (tokens / rate.shares) * ATTO
}
