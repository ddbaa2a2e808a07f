// The table `events`: one declaration of its names, keys and columns.
import { id, label, longText, safeInteger, text, time, uint64 } from '../table/column-types.ts'
import { defineTable, type RowOf } from '../table/define-table.ts'

export const events = defineTable('events', {
  comment: 'Every event of the log',
  key: ['proposalId', 'position'],
  granularity: 256,
  indexes: { type: 'set(16) GRANULARITY 1', depositorKey: 'bloom_filter GRANULARITY 1' },
  columns: {
    position: uint64('height · 2^32 + index: order on the chain, and the key'),
    proposalId: id('The proposal the event is about; 0 for chain-wide facts'),
    type: label('rollcall.<name>.v1, such as rollcall.vote.cast.v1'),
    id: text('CloudEvents id: chainId/height/index'),
    height: safeInteger('Block height'),
    time: time('Block time'),
    depositorKey: text(
      "Key of the bytes of a deposit's account: equal for every text of its address; empty for other events, and if it is unknown",
    ),
    event: longText('The whole CloudEvent as JSON'),
  },
})
export type EventRow = RowOf<typeof events>
