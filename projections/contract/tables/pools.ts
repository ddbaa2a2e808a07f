// The table `pools`: one declaration of its names, keys and columns.
import { amount, bool, decimal, label, text, uint64 } from '../table/column-types.ts'
import { defineTable, type RowOf } from '../table/define-table.ts'

export const pools = defineTable('pools', {
  comment: 'Current state of each pool',
  key: ['operatorAddress'],
  version: 'version',
  granularity: 256,
  columns: {
    operatorAddress: text("The validator's operator address"),
    accountAddress: text("The operator's own account, which casts the pool's vote"),
    accountKey: text("Key of the pool's bytes: equal for every text of its addresses"),
    moniker: text("The pool's name"),
    tokens: amount('Base units'),
    delegatorShares: decimal('All shares of the pool'),
    status: label('bonded, unbonding, unbonded'),
    jailed: bool("A jailed pool's stake does not count in a tally"),
    counted: bool('False if tallies leave the pool out, although it is bonded and not jailed'),
    version: uint64('Position of the event this row follows'),
  },
})
export type PoolRow = RowOf<typeof pools>
