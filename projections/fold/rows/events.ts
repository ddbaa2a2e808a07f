// The archive row of one record, with the event's own bytes as they came.
import { proposalIdOf, type UnreadEnvelope } from '../../../ingest/contract/envelope.ts'
import type { EventRow } from '../../contract/read-model.ts'
import type { EventPosition } from '../event-position.ts'
import { timestampOrEpoch } from '../timestamps.ts'

export const eventRow = (envelope: UnreadEnvelope, text: string, at: EventPosition): EventRow => ({
  position: at.digits,
  proposal_id: proposalIdOf(envelope) ?? '0',
  type: envelope.type,
  id: envelope.id,
  height: String(envelope.height),
  time: timestampOrEpoch(envelope.time),
  event: text,
})
