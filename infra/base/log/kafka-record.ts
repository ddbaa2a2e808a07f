// The format of log entries as Kafka records, and the selection of the fetched records that a reader may see. Pure.
import { AppError } from '../runtime/errors.ts'
import type { LogEntry, LogRecord } from './event-log.ts'
import type { Message } from './kafka-client.ts'

/** A fetched record, which may be a marker or aborted. */
export type FetchedMessage = {
  offset: string
  timestamp: string
  key: Buffer | null
  value: Buffer | null
  headers: Record<string, Buffer | string | (Buffer | string)[] | undefined>
  isControlRecord: boolean
  batchContext: { producerId: string; inTransaction: boolean }
}

export type AbortedTransaction = { producerId: string; firstOffset: string }

const HEIGHT_HEADER = 'height'
/** Marks a CloudEvent in structured mode (Kafka protocol binding for CloudEvents, 3.3). Records of earlier versions lack it. */
const CONTENT_TYPE = { 'content-type': 'application/cloudevents+json' } as const
const PARTITION = 0
/** The key of a marker has two 16-bit numbers: a version and a type. Type 0 is an abort. */
const MARKER_TYPE_BYTE = 2
const ABORT = 0

/** The timestamp of the record is the block time, so that any Kafka tool can seek by it. */
export const toKafkaMessage = ({ height, timeMs, value }: LogEntry): Message => ({
  partition: PARTITION,
  value: Buffer.from(value.buffer, value.byteOffset, value.byteLength),
  timestamp: String(Math.trunc(timeMs)),
  headers: { ...CONTENT_TYPE, [HEIGHT_HEADER]: String(height) },
})

const readHeight = ({ headers, offset }: FetchedMessage): number => {
  const header = headers[HEIGHT_HEADER]
  const written = Buffer.isBuffer(header) ? header.toString() : header
  if (typeof written === 'string' && /^-?\d+$/.test(written)) return Number(written)
  throw new AppError('LOG_DAMAGED', `the record at offset ${offset} has no height: it is not ours`)
}

const toLogRecord = (message: FetchedMessage): LogRecord => {
  if (message.value === null) {
    throw new AppError('LOG_DAMAGED', `the record at offset ${message.offset} has no value`)
  }
  return {
    offset: BigInt(message.offset),
    height: readHeight(message),
    timeMs: Number(message.timestamp),
    value: message.value,
  }
}

const endsAborted = ({ key }: FetchedMessage): boolean =>
  key !== null && key.length >= MARKER_TYPE_BYTE + 2 && key.readInt16BE(MARKER_TYPE_BYTE) === ABORT

/**
 * The committed records from `from` on. `aborted` are the aborted transactions in the fetched range,
 * as the broker lists them.
 */
export const committedRecords = (
  messages: readonly FetchedMessage[],
  aborted: readonly AbortedTransaction[],
  from: bigint,
): LogRecord[] => {
  /** The aborted transactions without those that have ended. */
  let open = aborted
  const found: LogRecord[] = []
  for (const message of messages) {
    const offset = BigInt(message.offset)
    const { producerId, inTransaction } = message.batchContext
    const hasMessage = (each: AbortedTransaction): boolean =>
      each.producerId === producerId && BigInt(each.firstOffset) <= offset
    if (message.isControlRecord) {
      if (endsAborted(message)) open = open.filter((each) => !hasMessage(each))
    } else if (offset >= from && !(inTransaction && open.some(hasMessage))) {
      found.push(toLogRecord(message))
    }
  }
  return found
}
