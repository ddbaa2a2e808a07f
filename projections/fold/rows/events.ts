// Creates the archive row of one record, with the original bytes of the event.
import { type EventEnvelope, readProposalId } from '../../../ingest/contract/envelope.ts'
import type { EventRow } from '../../contract/read-model.ts'
import type { EventPosition } from '../event-position.ts'
import { timestampOrEpoch } from '../timestamps.ts'

export const eventRow = (envelope: EventEnvelope, text: string, at: EventPosition): EventRow => ({
  position: at.digits,
  proposal_id: readProposalId(envelope) ?? '0',
  type: envelope.type,
  id: envelope.id,
  height: String(envelope.height),
  time: timestampOrEpoch(envelope.time),
  event: text,
})
