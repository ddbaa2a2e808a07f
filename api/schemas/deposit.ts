// A deposit on a proposal, as the log has it.
import { type Static, Type } from 'typebox'
import type { Columns } from './columns.ts'
import { Coin, createEnvelope, Height, nullable, Timestamp } from './common.ts'

export const Deposit = Type.Object({
  depositor: nullable(Type.String(), {
    description:
      'Account address; null where neither the chain’s events nor the transaction name it',
  }),
  depositorReason: nullable(Type.String(), {
    description: 'Why `depositor` is null; null where it is not',
  }),
  amount: Type.Array(Coin, {
    description: 'What this deposit adds; empty where a proposal was submitted without a deposit',
  }),
  height: Height,
  time: Timestamp,
  txHash: nullable(Type.String(), { description: 'Null where no transaction made it' }),
  eventId: Type.String({
    description: 'The `id` of its record in the log, which the events of the proposal have too',
    examples: ['rollcall-demo-1/25/4'],
  }),
})
export type Deposit = Static<typeof Deposit>

export const DepositPage = createEnvelope(Deposit)

export const DEPOSIT_COLUMNS: Columns<Deposit> = {
  depositor: (item) => item.depositor,
  /** As proposals have theirs: `5uatom`, several with a space between them. */
  amount: (item) => item.amount.map(({ amount, denom }) => amount + denom).join(' '),
  height: (item) => item.height,
  time: (item) => item.time,
  txHash: (item) => item.txHash,
  eventId: (item) => item.eventId,
  depositorReason: (item) => item.depositorReason,
}
