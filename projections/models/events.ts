// The archive row of one record, with the event's own bytes as they came.
import type { UnreadEnvelope } from '../../ingest/contract/envelope.ts'
import type { EventRow } from '../contract/read-model.ts'
import { type Moment, timestampOrEpoch } from './moment.ts'

const SUBJECT = /^proposals\/([0-9]+)$/

/** The proposal that an event is about, `'0'` for chain-wide facts. */
export const proposalIdOf = (envelope: UnreadEnvelope): string => {
  const fromSubject = SUBJECT.exec(envelope.subject ?? '')?.[1]
  if (fromSubject !== undefined) return fromSubject
  const { data } = envelope
  const named = typeof data === 'object' && data !== null ? Reflect.get(data, 'proposalId') : null
  return typeof named === 'string' && /^[0-9]+$/.test(named) ? named : '0'
}

export const eventRow = (envelope: UnreadEnvelope, text: string, moment: Moment): EventRow => ({
  position: moment.digits,
  proposal_id: proposalIdOf(envelope),
  type: envelope.type,
  id: envelope.id,
  height: String(envelope.height),
  time: timestampOrEpoch(envelope.time),
  event: text,
})
