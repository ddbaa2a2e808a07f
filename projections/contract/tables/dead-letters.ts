// The table `dead_letters`: one declaration of its names, keys and columns.
import { id, safeInteger, text, uint64 } from '../table/column-types.ts'
import { defineTable, type RowOf } from '../table/define-table.ts'

export const deadLetters = defineTable('deadLetters', {
  comment: 'Records that a projection could not read',
  key: ['offset', 'rowPosition'],
  version: 'version',
  columns: {
    offset: uint64('Offset in the log; 0 for a row without a record'),
    rowPosition: uint64('Position of a row without a record, and then offset is 0; else 0'),
    height: safeInteger('Block height'),
    proposalId: id('The proposal whose history is partial because of it; 0 if unknown'),
    reason: text('Why it is a dead letter'),
    value: text('The unchanged record'),
    version: uint64('Position of the event; 0 if not known'),
  },
})
export type DeadLetterRow = RowOf<typeof deadLetters>
