// The table `watermarks`: one declaration of its names, keys and columns.
import { bool, id, time, uint64 } from '../table/column-types.ts'
import { defineTable, type RowOf } from '../table/define-table.ts'

export const watermarks = defineTable('watermarks', {
  comment: 'What may be served of each proposal',
  key: ['proposalId'],
  version: 'position',
  granularity: 256,
  columns: {
    proposalId: id('The proposal'),
    position: uint64('Of the latest event that any fact of this proposal follows'),
    time: time('Block time of that event'),
    final: bool('True once no fact of this proposal can change'),
    awaits: bool('True if a later state may still fill in what is null of a final proposal'),
  },
})
export type WatermarkRow = RowOf<typeof watermarks>
