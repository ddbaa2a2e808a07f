// The table `pool_states`: one declaration of its names, keys and columns.
import {
  amount,
  bool,
  decimal,
  label,
  safeInteger,
  text,
  time,
  uint64,
} from '../table/column-types.ts'
import { defineTable, type RowOf } from '../table/define-table.ts'

export const poolStates = defineTable('poolStates', {
  comment: "History of each pool's state",
  key: ['operatorAddress', 'position'],
  columns: {
    operatorAddress: text('Operator address of the validator'),
    position: uint64("Position of the event with this state, until the pool's next row"),
    height: safeInteger('Block height'),
    time: time('Block time'),
    moniker: text('Name of the pool'),
    tokens: amount('Base units'),
    delegatorShares: decimal('All shares of the pool'),
    status: label('bonded, unbonding, unbonded'),
    jailed: bool('True if the chain had jailed the validator'),
    counted: bool('False if tallies left the pool out, although it was bonded and not jailed'),
  },
})
export type PoolStateRow = RowOf<typeof poolStates>
