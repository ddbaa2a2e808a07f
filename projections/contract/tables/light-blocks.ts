// The table `light_blocks`: one declaration of its names, keys and columns.
import { longText, nullable, safeInteger, text, time, uint64 } from '../table/column-types.ts'
import { defineTable, type RowOf } from '../table/define-table.ts'

export const lightBlocks = defineTable('lightBlocks', {
  comment:
    'Headers with the commits that sign them: the ones that proofs end in, and others for skipping verification',
  key: ['height'],
  version: 'version',
  granularity: 1,
  columns: {
    height: safeInteger('Height of the header'),
    hash: text('Hash of the header, in hex'),
    headerTime: nullable(
      time('Time of the header; NULL if there is no header, or if it has no such time'),
    ),
    header: nullable(
      longText(
        'JSON of the header, as the RPC of a node has it; NULL if no endpoint gave a valid one',
      ),
    ),
    commit: nullable(longText('JSON of the commit that signs the header; NULL if header is NULL')),
    validatorsHash: nullable(text('Hash of the validator set that signed; NULL if header is NULL')),
    reason: nullable(text('Why header is NULL; NULL if it is not')),
    time: time('Block time of the event'),
    version: uint64('Position of the event this row follows'),
  },
})
export type LightBlockRow = RowOf<typeof lightBlocks>
