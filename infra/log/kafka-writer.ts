// Appends to a topic: one transaction an append, one send in flight, one producer at a time.
// After any failure nothing is appended until the tail was read again: the outcome is in the log and nowhere else.
import pLimit from 'p-limit'
import { systemClock } from '../runtime/clock.ts'
import { AppError, hasCode } from '../runtime/errors.ts'
import type { Logger } from '../runtime/logger.ts'
import { retry, withDeadline } from '../runtime/retry.ts'
import type { LogEntry } from './event-log.ts'
import { connectKafka, type KafkaMessage, type KafkaProducer } from './kafka-client.ts'
import { logError } from './kafka-errors.ts'
import { messageOf, RECORD_OVERHEAD_BYTES } from './kafka-record.ts'
import type { KafkaConfig } from './kafka-settings.ts'

export type KafkaWriter = {
  /** The offset after the last entry. */
  append(entries: readonly LogEntry[]): Promise<bigint>
  /**
   * Makes sure that no transaction of ours is undecided: takes the transactional id anew where one may
   * be, which also ends the transactions of whoever had it before. Nothing to do after a success.
   */
  settle(): Promise<void>
  close(): void
}

export type KafkaWriterOptions = {
  config: KafkaConfig
  topic: string
  /** Fixed: who takes it last may write, all others are fenced. Of this process alone where it is `shared`. */
  transactionalId: string
  logger: Logger
  /** Everything before it is decided. */
  stableEnd(): Promise<bigint>
  /** Once it fires, this process may not write any more, nor fence who may. */
  signal: AbortSignal
  /** Others write to the topic too, each by an id of its own: nobody is ever fenced for good. */
  shared?: boolean
}

const SEND_BYTES = 512 * 1024
const LONGEST_PAUSE_MS = 50

/** The broker aborts a transaction that is older than `transactionMs`, and its writer then looks as if it were fenced. */
const LIMITS = { transactionMs: 60_000, appendMs: 45_000, settleMs: 15_000, settleBudgetMs: 20_000 }
/** An undecided transaction holds up every reader of what came after it, and a person waits for the answer. */
const SHARED_LIMITS = {
  transactionMs: 5_000,
  appendMs: 4_000,
  settleMs: 4_000,
  settleBudgetMs: 4_000,
}
const limitsOf = ({ shared }: KafkaWriterOptions) => (shared ? SHARED_LIMITS : LIMITS)

const sizeOf = ({ value }: LogEntry): number => value.byteLength + RECORD_OVERHEAD_BYTES

/** Sends of at most 512 KiB, or of one entry that is larger by itself. */
const sendsOf = (entries: readonly LogEntry[]): KafkaMessage[][] => {
  const sends: KafkaMessage[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const entry of entries) {
    bytes += sizeOf(entry)
    if (bytes > SEND_BYTES) {
      sends.push([])
      bytes = sizeOf(entry)
    }
    sends.at(-1)!.push(messageOf(entry))
  }
  return sends
}

type Session = { producer: KafkaProducer; destroy(): void }

/** Takes the transactional id: from here on, whoever had it before is fenced. */
const openSession = async (options: KafkaWriterOptions): Promise<Session> => {
  const { config, logger, transactionalId } = options
  const { transactionMs, settleMs } = limitsOf(options)
  const { producer: create, destroy } = connectKafka(config, logger)
  try {
    const producer = create({ transactionalId, transactionTimeoutMs: transactionMs })
    const open = async () => {
      await producer.connect()
      const transaction = await producer.transaction()
      await transaction.abort()
    }
    await withDeadline(settleMs, options.signal, open)
    return { producer, destroy }
  } catch (error) {
    destroy()
    throw error
  }
}

const sendAll = async (
  { producer }: Session,
  topic: string,
  sends: readonly KafkaMessage[][],
  signal: AbortSignal,
): Promise<bigint> => {
  const transaction = await producer.transaction()
  let after = 0n
  for (const messages of sends) {
    if (signal.aborted) throw new Error('given up between two sends')
    const [sent] = await transaction.send({ topic, messages, acks: -1 })
    if (sent?.baseOffset === undefined) throw new Error('the broker told no offset')
    after = BigInt(sent.baseOffset) + BigInt(messages.length)
  }
  if (signal.aborted) throw new Error('given up before the commit')
  await transaction.commit()
  return after
}

/** A commit is answered before readers see it; the marker that ends it lies right after its records. */
const untilReadable = async (
  after: bigint,
  stableEnd: () => Promise<bigint>,
  signal: AbortSignal,
): Promise<void> => {
  for (let pauseMs = 1; (await stableEnd()) <= after; pauseMs *= 2) {
    await systemClock.sleep(Math.min(pauseMs, LONGEST_PAUSE_MS), signal)
  }
}

export const createKafkaWriter = (options: KafkaWriterOptions): KafkaWriter => {
  const { topic, signal, shared = false } = options
  const limits = limitsOf(options)
  /** Undefined: an append's outcome is not known, or nothing was opened yet. */
  let session: Session | undefined
  let fenced: AppError | undefined

  const drop = () => {
    session?.destroy()
    session = undefined
  }
  const refuse = () => {
    if (fenced) throw fenced
    if (signal.aborted) throw new AppError('LOG_FENCED', 'this process may not write any more')
  }
  /** What went wrong, remembered where it is for good. */
  const failed = (error: unknown, what: string, startedMs: number): AppError => {
    drop()
    const found = hasCode(error, 'ABORTED')
      ? new AppError('LOG_UNAVAILABLE', `could not ${what}: ended`, { cause: error })
      : logError(error, what)
    if (!hasCode(found, 'LOG_FENCED')) return found
    if (shared || performance.now() - startedMs >= limits.transactionMs) {
      const message = `could not ${what}: the process stood still for too long`
      return new AppError('LOG_UNAVAILABLE', message, { retryable: true, cause: error })
    }
    fenced = found
    return found
  }

  const settle = async (): Promise<void> => {
    const take = async () => {
      refuse()
      if (session) return
      const startedMs = performance.now()
      try {
        session = await openSession(options)
      } catch (error) {
        throw failed(error, `take over writing to ${topic}`, startedMs)
      }
      if (signal.aborted) drop()
    }
    try {
      await retry(take, {
        limit: 20,
        budgetMs: limits.settleBudgetMs,
        baseDelayMs: 100,
        maxDelayMs: 1_000,
        signal,
      })
    } catch (error) {
      refuse()
      throw error
    }
  }

  const append = async (entries: readonly LogEntry[]): Promise<bigint> => {
    refuse()
    const opened = session
    if (!opened) {
      const message = 'the outcome of an append is not known: read the last record first'
      throw new AppError('LOG_UNAVAILABLE', message, { retryable: true })
    }
    const startedMs = performance.now()
    try {
      return await withDeadline(limits.appendMs, signal, async (ending) => {
        const after = await sendAll(opened, topic, sendsOf(entries), ending)
        await untilReadable(after, options.stableEnd, ending)
        return after
      })
    } catch (error) {
      throw failed(error, `append to ${topic}`, startedMs)
    }
  }

  const inTurn = pLimit(1)
  return {
    append: (entries) => inTurn(() => append(entries)),
    settle: () => inTurn(settle),
    close: drop,
  }
}
