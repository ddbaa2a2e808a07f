// Creates the rows of long message fields: one per chunk of an event.
import type { EventOf } from '../../../ingest/contract/events.ts'
import type { MessageBytesRow } from '../../contract/tables/proposals.ts'
import type { EventPosition } from '../event-position.ts'

export const messageBytesRow = (
  { data }: EventOf<'rollcall.message.bytes.v1'>,
  at: EventPosition,
): MessageBytesRow => ({
  proposalId: data.proposalId,
  message: data.message,
  path: data.path,
  chunk: data.chunk,
  chunks: data.chunks,
  sha256: data.sha256,
  size: data.size,
  bytes: data.bytes,
  version: at.value,
})
