// The stake of one account in one pool, as tallies count it.
import { type Static, Type } from 'typebox'
import { quo } from './decimal.ts'
import { Address, DecimalString, IntegerString, withDescription } from './facts.ts'

export const Delegation = Type.Object(
  {
    operatorAddress: withDescription(Address, 'The pool that the stake is delegated to.'),
    shares: withDescription(
      DecimalString,
      'The delegation’s own shares, to 18 places. Tokens are `shares · tokens / delegatorShares` of the pool.',
    ),
    source: Type.Optional(
      Type.String({
        pattern: '^[a-z][a-z0-9_]{0,31}$',
        description:
          'The module that holds the stake for the account, such as `superfluid`; absent for a delegation of x/staking. ' +
          'There may be several entries for one pool. `governor`: stake whose owners chose the account as their governor; ' +
          'what those owners vote with themselves is deducted.',
      }),
    ),
    heir: Type.Optional(
      withDescription(
        Address,
        'The governor who votes with the stake if its owner does not. Absent without one.',
      ),
    ),
    tokens: Type.Optional(
      withDescription(
        IntegerString,
        'What the module says that the stake is worth, in base units. The tally takes the shares that give it, truncated.',
      ),
    ),
    power: Type.Optional(
      Type.String({
        pattern: '^(whole|[0-9]+(\\.[0-9]{1,18})?)$',
        description:
          'The voting power whatever the status of the pool: in base units to 18 places, or `whole`: the tokens of the shares, truncated. ' +
          'Absent if the pool gives it.',
      }),
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

/** Power of shares, in atto: shares · tokens is exact, the quotient by all shares is rounded half-even. */
export const priceShares = (shares: bigint, rate: Rate): bigint =>
  rate.shares === 0n ? 0n : quo(shares * rate.tokens, rate.shares)
