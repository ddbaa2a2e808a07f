// Schema of a deposit on a proposal.
import { type Static, Type } from 'typebox'
import type { Columns } from './columns.ts'
import { Coin, createEnvelope, Height, nullable, Timestamp, truncation } from './common.ts'

export const Deposit = Type.Object({
  depositor: nullable(Type.String(), {
    description:
      'Account address; null if neither the events of the chain nor the transaction have it',
  }),
  depositorReason: nullable(Type.String(), {
    description: 'Why `depositor` is null; null if it is known',
  }),
  amount: Type.Array(Coin, {
    description: 'The deposited amount; empty for a proposal that was submitted without a deposit',
  }),
  height: Height,
  time: Timestamp,
  txHash: nullable(Type.String(), { description: 'Null for a deposit outside a transaction' }),
  eventId: Type.String({
    description: 'The `id` of the event, as in the events of the proposal',
    examples: ['rollcall-demo-1/25/4'],
  }),
  ...truncation,
})
export type Deposit = Static<typeof Deposit>

export const DepositPage = createEnvelope(Deposit)

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
