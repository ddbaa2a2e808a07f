// What could not be read of a record, or not be folded: the letter to keep, and what is in doubt by it. Pure.
import type { LogRecord } from '../../infra/log/event-log.ts'
import { indexOf, ORDINAL, type UnreadEnvelope } from '../../ingest/contract/envelope.ts'
import type { GovernanceEvent } from '../../ingest/contract/events.ts'
import type { DeadLetter } from './dead-letters.ts'
import { proposalIdOf } from './events.ts'
import { isBlockTime, type Moment, momentOf } from './moment.ts'

/** Unread, each of these may be a ballot, or move one. */
const MAY_MOVE_BALLOTS = /^rollcall\.(vote\.cast|stake\.changed|chain\.snapshot)\./

/** What could not be read, and what it puts in doubt. */
export type Unread = { letter: DeadLetter; moment: Moment; mayMoveBallots: boolean }

export const unreadAbciEvent = (
  event: GovernanceEvent & { type: 'rollcall.abci-event.unread.v1' },
  record: LogRecord,
): Unread => {
  const { proposalId, reason, abciType } = event.data
  const moment = momentOf(event)
  const letter = { offset: record.offset, height: event.height, value: record.value }
  return {
    letter: { ...letter, proposalId: proposalId ?? '0', reason, position: moment.position },
    moment,
    mayMoveBallots: abciType === 'proposal_vote',
  }
}

/** Whoever wrote it may have given it any time. */
const timeOfRecord = ({ timeMs }: LogRecord): string => {
  const time = new Date(timeMs)
  return (Number.isNaN(time.getTime()) ? new Date(0) : time).toISOString()
}

export const unreadRecord = (
  record: LogRecord,
  { envelope, reason }: { envelope: UnreadEnvelope | undefined; reason: string },
): Unread => {
  const height = envelope?.height ?? record.height
  const index = envelope?.index ?? indexOf(ORDINAL.before, 0)
  const time = envelope && isBlockTime(envelope.time) ? envelope.time : timeOfRecord(record)
  const moment = momentOf({ height, index, time })
  const proposalId = envelope ? proposalIdOf(envelope) : '0'
  const { offset, value } = record
  return {
    letter: { offset, height, value, proposalId, reason, position: moment.position },
    moment,
    mayMoveBallots: envelope === undefined || MAY_MOVE_BALLOTS.test(envelope.type),
  }
}
