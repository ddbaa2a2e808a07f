// Creates the archive row of one record, with the original bytes of the event.
import { type EventEnvelope, readProposalId } from '../../../ingest/contract/envelope.ts'
import type { EventRow } from '../../contract/tables/events.ts'
import type { EventPosition } from '../event-position.ts'
import { timestampOrEpoch } from '../timestamps.ts'

export const eventRow = (envelope: EventEnvelope, text: string, at: EventPosition): EventRow => ({
  position: at.value,
  proposalId: readProposalId(envelope) ?? '0',
  type: envelope.type,
  id: envelope.id,
  height: envelope.height,
  time: timestampOrEpoch(envelope.time),
  event: text,
})
