// The stake of one account in one pool, as tallies count it.
import { type Static, Type } from 'typebox'
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
