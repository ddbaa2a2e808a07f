// Schemas of deposits on a proposal, and of the deposit that starts the vote.
import { type Static, Type } from 'typebox'
import { Coin } from '../../ingest/contract/facts.ts'
import type { Columns } from './columns.ts'
import {
  component,
  createEnvelope,
  Height,
  nullable,
  nullableText,
  PAGING,
  Timestamp,
  truncation,
} from './common.ts'

export const Deposit = component('Deposit', {
  depositor: nullableText(
    'Account address; null if neither the events of the chain nor the transaction have it',
  ),
  depositorReason: nullableText('Why `depositor` is null; null if it is known'),
  amount: Type.Array(Coin, {
    description: 'The deposited amount; empty for a proposal that was submitted without a deposit',
  }),
  height: Height,
  time: Timestamp,
  txHash: nullableText('Null for a deposit outside a transaction'),
  eventId: Type.String({
    description: 'The `id` of the event, as in the events of the proposal',
    examples: ['rollcall-demo-1/25/4'],
  }),
  ...truncation,
})
export type Deposit = Static<typeof Deposit>

export const DepositPage = createEnvelope('DepositPage', Deposit, PAGING.pastNumbered, {
  historyReason: nullableText(
    'Why deposits are missing: all of them if `page.totalItems` is null, otherwise those before the first one. Null if the list is complete',
  ),
})

export const DepositRequirement = component(
  'DepositRequirement',
  {
    minimum: nullable(
      Type.Array(Coin),
      'From the chain parameters: the latest during the deposit period, then the ones at its end. Null if they are not known',
    ),
    expeditedMinimum: nullable(
      Type.Array(Coin),
      'The same for an expedited vote. Null if the proposal is not expedited, or if the amount is not known',
    ),
    missing: nullable(
      Type.Array(Coin),
      'The difference between the minimum that applies and `totalDeposit`; empty once it is reached. Null if it is not known',
    ),
    reason: nullableText('Why the minimum is not known; null if it is known'),
  },
  { description: 'The deposit that is required to start the vote' },
)
export type DepositRequirement = Static<typeof DepositRequirement>

export const DEPOSIT_COLUMNS: Columns<Deposit> = {
  depositor: (item) => item.depositor,
  /** As in the columns of proposals: `5uatom`, several coins are separated by spaces. */
  amount: (item) => item.amount.map(({ amount, denom }) => amount + denom).join(' '),
  height: (item) => item.height,
  time: (item) => item.time,
  txHash: (item) => item.txHash,
  eventId: (item) => item.eventId,
  depositorReason: (item) => item.depositorReason,
}
