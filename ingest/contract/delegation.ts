// The stake of one account in one pool, as tallies count it: its shares, and the only computation of its power.
import { type Static, Type } from 'typebox'
import { ATTO, parseDecimal, quo } from './decimal.ts'
import { Address, DecimalString, IntegerString, optional, withDescription } from './facts.ts'

export const Delegation = Type.Object(
  {
    operatorAddress: withDescription(Address, 'The pool that the stake is delegated to.'),
    shares: withDescription(
      DecimalString,
      'The delegation’s own shares, to 18 places. Tokens are `shares · tokens / delegatorShares` of the pool.',
    ),
    source: optional(
      Type.String({ pattern: '^[a-z][a-z0-9_]{0,31}$' }),
      'The module that holds the stake for the account, such as `superfluid`; absent for a delegation of x/staking. ' +
        'There may be several entries for one pool. `governor`: stake whose owners chose the account as their governor; ' +
        'what those owners vote with themselves is deducted.',
    ),
    heir: optional(
      Address,
      'The governor who votes with the stake if its owner does not. Absent without one.',
    ),
    tokens: optional(
      IntegerString,
      'What the module says that the stake is worth, in base units. The tally takes the shares that give it, truncated.',
    ),
    power: optional(
      Type.String({ pattern: '^(whole|[0-9]+(\\.[0-9]{1,18})?)$' }),
      'The voting power whatever the status of the pool: in base units to 18 places, or `whole`: the tokens of the shares, truncated. ' +
        'Absent if the pool gives it.',
    ),
  },
  { title: 'Delegation', description: 'The stake of one account in one pool.' },
)
export type Delegation = Static<typeof Delegation>

/** Whether tallies count the stake of a pool. `counted` is absent if the status decides. */
export const isCounted = (pool: {
  status: string
  jailed: boolean
  counted?: boolean | undefined
}): boolean => pool.counted !== false && pool.status === 'bonded' && !pool.jailed

/** The price of one share: `tokens` base units for `shares` (atto). */
export type Rate = { tokens: bigint; shares: bigint }

/** A delegation with its numbers: shares and a given power in atto, tokens in base units. */
export type Holding = {
  shares: bigint
  tokens?: bigint | undefined
  power?: bigint | 'whole' | undefined
}

/** Throws `InvalidDecimal`. */
export const readHolding = ({
  shares,
  tokens,
  power,
}: Pick<Delegation, 'shares' | 'tokens' | 'power'>): Holding => ({
  shares: parseDecimal(shares),
  tokens: tokens === undefined ? undefined : BigInt(tokens),
  power: power === undefined || power === 'whole' ? power : parseDecimal(power),
})

/** The shares that it deducts from its pool, in atto. */
export const countShares = ({ shares, tokens }: Holding, rate: Rate): bigint => {
  if (tokens === undefined) return shares
  return rate.tokens === 0n ? 0n : (rate.shares * tokens) / rate.tokens
}

/** What shares are worth, in atto: shares · tokens is exact, the quotient by all shares is rounded half-even. */
export const priceShares = (shares: bigint, rate: Rate): bigint =>
  rate.shares === 0n ? 0n : quo(shares * rate.tokens, rate.shares)

/** The power of a delegation, in atto. `counts`: whether the tally counts the pool. */
export const priceHolding = (holding: Holding, rate: Rate, counts: boolean): bigint => {
  const { power } = holding
  if (power === undefined) return counts ? priceShares(countShares(holding, rate), rate) : 0n
  if (power !== 'whole') return power
  const tokens = countShares(holding, rate) * rate.tokens
  return rate.shares === 0n ? 0n : (tokens / rate.shares) * ATTO
}
