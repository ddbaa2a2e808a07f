// Decodes one record of the log for the fold, with its position on the chain. What is undecodable, or refused by the fold, says what it
// may invalidate. Pure.
import type { LogRecord } from '../../infra/base/log/event-log.ts'
import { type Decoded, decodeEvent, decodeText } from '../../ingest/contract/codec.ts'
import {
  type EventEnvelope,
  ORDINAL,
  readProposalId,
  toIndex,
  toOrdinal,
} from '../../ingest/contract/envelope.ts'
import type { GovernanceEvent } from '../../ingest/contract/events.ts'
import { isBlockTime } from '../contract/timestamps.ts'
import { type EventPosition, eventPosition } from './event-position.ts'

/** One decoded record of the log. */
export type FoldRecord = {
  offset: bigint
  height: number
  timeMs: number
  value: Uint8Array
  /** `value` as text; empty if it is not UTF-8. */
  text: string
  decoded: Decoded
  /** Undefined if the envelope is invalid too. */
  at: EventPosition | undefined
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const toText = (value: Uint8Array): string => {
  try {
    return utf8.decode(value)
  } catch {
    return ''
  }
}

/** Every row of an event has its block's time: without a time, it cannot be stored. */
const withRealTime = (decoded: Decoded): Decoded => {
  if (!decoded.ok || isBlockTime(decoded.event.time)) return decoded
  const { event } = decoded
  return { ok: false, reason: `${event.type}: /time is not a time`, envelope: event }
}

export const readRecord = (record: {
  offset: bigint
  height: number
  timeMs: number
  value: Uint8Array
}): FoldRecord => {
  const { offset, height, timeMs, value } = record
  // Decoded once: the archive keeps the text that was parsed.
  const text = toText(value)
  const decoded = withRealTime(text === '' ? decodeEvent(value) : decodeText(text))
  const envelope = decoded.ok ? decoded.event : decoded.envelope
  const at = envelope && eventPosition(envelope)
  return { offset, height, timeMs, value, text, decoded, at }
}

/** An undecodable event of these types may be a ballot, or may decide which ones count. */
const MAY_MOVE_BALLOTS = /^rollcall\.(vote\.cast|round\.read|chain\.snapshot)\./

export type Undecodable = {
  offset: bigint
  /** `'0'` if it is unknown. */
  proposalId: string
  reason: string
  at: EventPosition
  mayMoveBallots: boolean
  /** Whether it proves that its proposal exists: an event of a block may be about another module's proposal. */
  provesProposal: boolean
}

/** An event that ingest could not decode. */
export const undecodableAbciEvent = (
  event: GovernanceEvent & { type: 'rollcall.abci-event.undecodable.v1' },
  record: LogRecord,
): Undecodable => {
  const { proposalId, reason, abciType } = event.data
  return {
    offset: record.offset,
    proposalId: proposalId ?? '0',
    reason,
    at: eventPosition(event),
    mayMoveBallots: abciType === 'proposal_vote',
    provesProposal: false,
  }
}

/** A log may contain any number here. */
const readRecordTime = ({ timeMs }: LogRecord): string => {
  const time = new Date(timeMs)
  return (Number.isNaN(time.getTime()) ? new Date(0) : time).toISOString()
}

export const undecodableRecord = (
  record: LogRecord,
  { envelope, reason }: { envelope: EventEnvelope | undefined; reason: string },
): Undecodable => {
  const height = envelope?.height ?? record.height
  const index = envelope?.index ?? toIndex(ORDINAL.before, 0)
  const time = envelope && isBlockTime(envelope.time) ? envelope.time : readRecordTime(record)
  return {
    offset: record.offset,
    proposalId: (envelope && readProposalId(envelope)) ?? '0',
    reason,
    at: eventPosition({ height, index, time }),
    mayMoveBallots: envelope === undefined || MAY_MOVE_BALLOTS.test(envelope.type),
    // A vote that ended before the first height is no open proposal.
    provesProposal: toOrdinal(index) !== ORDINAL.history,
  }
}
