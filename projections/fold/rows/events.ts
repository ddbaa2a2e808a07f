// The archive row of one record, with the event's own bytes as they came.
import type { UnreadEnvelope } from '../../../ingest/contract/envelope.ts'
import type { EventRow } from '../../contract/read-model.ts'
import type { EventPosition } from '../event-position.ts'
import { timestampOrEpoch } from '../timestamps.ts'

const SUBJECT = /^proposals\/([0-9]+)$/
const LARGEST_ID = 2n ** 64n - 1n

/** Whether a chain can have a proposal of this id. */
const isProposalId = (text: string): boolean =>
  /^[0-9]{1,20}$/.test(text) && BigInt(text) <= LARGEST_ID

/** The proposal that an event is about, `'0'` for chain-wide facts. */
export const proposalIdOf = (envelope: UnreadEnvelope): string => {
  const fromSubject = SUBJECT.exec(envelope.subject ?? '')?.[1]
  if (fromSubject !== undefined && isProposalId(fromSubject)) return fromSubject
  const { data } = envelope
  const named = typeof data === 'object' && data !== null ? Reflect.get(data, 'proposalId') : null
  return typeof named === 'string' && isProposalId(named) ? named : '0'
}

export const eventRow = (envelope: UnreadEnvelope, text: string, at: EventPosition): EventRow => ({
  position: at.digits,
  proposal_id: proposalIdOf(envelope),
  type: envelope.type,
  id: envelope.id,
  height: String(envelope.height),
  time: timestampOrEpoch(envelope.time),
  event: text,
})
