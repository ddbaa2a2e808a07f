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
    operatorAddress: text("The validator's operator address"),
    position: uint64("Position of the event with this state, until the pool's next row"),
    height: safeInteger('Height at which this state was observed'),
    time: time('Block time'),
    moniker: text("The pool's name then"),
    tokens: amount('Base units'),
    delegatorShares: decimal('Shares of all its delegators'),
    status: label('bonded, unbonding, unbonded'),
    jailed: bool('Whether it was jailed'),
    counted: bool('False if tallies left the pool out, although it was bonded and not jailed'),
  },
})
export type PoolStateRow = RowOf<typeof poolStates>
