// The table `voter_stakes`: one declaration of its names, keys and columns.
import { bool, list, safeInteger, text, time, uint64 } from '../table/column-types.ts'
import { defineTable, type RowOf } from '../table/define-table.ts'
import { delegation } from './tuples.ts'

export const voterStakes = defineTable('voterStakes', {
  comment: 'History of what each voter had delegated, from its first ballot on',
  key: ['voter', 'position'],
  columns: {
    voter: text('Account address'),
    position: uint64(
      "Position of the first event with these delegations, until the voter's next row",
    ),
    height: safeInteger('Block height'),
    time: time('Block time'),
    delegationsKnown: bool('False if the node could not return them: delegations are then empty'),
    delegations: list(delegation, 'Pools with the shares that the voter has delegated to them'),
  },
})
export type VoterStakeRow = RowOf<typeof voterStakes>
