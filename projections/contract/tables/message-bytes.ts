// The table `message_bytes`: one declaration of its names, keys and columns.
import { id, longText, safeInteger, text, uint32, uint64 } from '../table/column-types.ts'
import { defineTable, type RowOf } from '../table/define-table.ts'

export const messageBytes = defineTable('messageBytes', {
  comment: 'Fields of messages that are too long for the messages column, in chunks',
  key: ['proposalId', 'message', 'path', 'chunk'],
  version: 'version',
  granularity: 1,
  columns: {
    proposalId: id("The chain's id"),
    message: uint32('Index of the message in the proposal, from 0'),
    path: text('JSON pointer of the field in the message'),
    chunk: uint32('Number of this chunk, from 0'),
    chunks: uint32('How many chunks the field has'),
    sha256: text('SHA-256 of all bytes of the field, in hex'),
    size: safeInteger('Bytes of the whole field'),
    bytes: longText('This chunk of the bytes, in base64'),
    version: uint64('Position of the event this row follows'),
  },
})
export type MessageBytesRow = RowOf<typeof messageBytes>
