// Creates the archive row of one record, with the original bytes of the event.
import { addressKey } from '../../../ingest/contract/address.ts'
import { type EventEnvelope, readProposalId } from '../../../ingest/contract/envelope.ts'
import type { EventRow } from '../../contract/tables/proposals.ts'
import type { EventPosition } from '../event-position.ts'
import { timestampOrEpoch } from '../timestamps.ts'

const DEPOSIT = 'rollcall.proposal.deposited.v1'

/** The data of the envelope are not decoded. */
const readDepositorKey = ({ type, data }: EventEnvelope): string => {
  if (type !== DEPOSIT || typeof data !== 'object' || data === null) return ''
  const depositor: unknown = Reflect.get(data, 'depositor')
  return typeof depositor === 'string' ? addressKey(depositor) : ''
}

export const eventRow = (envelope: EventEnvelope, text: string, at: EventPosition): EventRow => ({
  position: at.value,
  proposalId: readProposalId(envelope) ?? '0',
  type: envelope.type,
  id: envelope.id,
  height: envelope.height,
  time: timestampOrEpoch(envelope.time),
  depositorKey: readDepositorKey(envelope),
  event: text,
})
