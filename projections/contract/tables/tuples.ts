// The tuples in columns of several tables.
import { atto, nullable, text, type ValueOf } from '../table/column-types.ts'
import { tuple } from '../table/record.ts'

export const coin = tuple({ denom: text(), amount: text() })

export const weightedOption = tuple({ option: text(), weight: text() })

const stake = { operatorAddress: text(), shares: text() }

export const delegation = tuple(stake)

/** Its power as the tally counted it, or as of the cancellation of the vote; null before, and without evidence. */
export const pricedDelegation = tuple({ ...stake, votingPower: nullable(atto()) })
export type PricedDelegation = ValueOf<typeof pricedDelegation>
