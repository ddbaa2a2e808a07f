// The tables of pools.
import {
  amount,
  bool,
  decimal,
  label,
  nullable,
  safeInteger,
  text,
  time,
  uint64,
} from '../table/column-types.ts'
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

export const poolProfiles = defineTable('poolProfiles', {
  comment: 'What the operator of each pool says of it, as last read: not verified',
  key: ['operatorAddress'],
  version: 'version',
  columns: {
    operatorAddress: text("The validator's operator address"),
    height: safeInteger('Height of the event with it'),
    website: text('May be empty, and no URL'),
    details: text('May be empty'),
    identity: text('May be empty: often a key of Keybase'),
    commissionRate: nullable(text('Share of the rewards of delegators; NULL if unknown')),
    commissionMaxRate: nullable(text('The highest rate that the pool may ever have')),
    commissionMaxChangeRate: nullable(text('The highest increase in a day')),
    version: uint64('Position of the event this row follows'),
  },
})
export type PoolProfileRow = RowOf<typeof poolProfiles>

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
