// The table `pools`: one declaration of its names, keys and columns.
import { amount, bool, decimal, label, text, uint64 } from '../table/column-types.ts'
import { defineTable, type RowOf } from '../table/define-table.ts'

export const pools = defineTable('pools', {
  comment: 'Current state of each pool',
  key: ['operatorAddress'],
  version: 'version',
  columns: {
    operatorAddress: text('Operator address of the validator'),
    accountAddress: text('Account address of the operator'),
    moniker: text('Name of the pool'),
    tokens: amount('Base units'),
    delegatorShares: decimal('All shares of the pool'),
    status: label('bonded, unbonding, unbonded'),
    jailed: bool('True if the chain has jailed the validator'),
    counted: bool('False if tallies leave the pool out, although it is bonded and not jailed'),
    version: uint64('Position of the event this row follows'),
  },
})
export type PoolRow = RowOf<typeof pools>
