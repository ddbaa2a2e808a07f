// The one partition of a topic as the brokers serve it: bounds and committed records, by offset.
// Every call has a deadline; a connection on which one failed is given up and opened anew.
import { AppError } from '../runtime/errors.ts'
import type { Logger } from '../runtime/logger.ts'
import { retry, withDeadline } from '../runtime/retry.ts'
import type { LogRecord } from './event-log.ts'
import { connectKafka, type KafkaCluster } from './kafka-client.ts'
import { isAbsentTopic, isOutOfRange, logError } from './kafka-errors.ts'
import { type AbortedTransaction, committedRecords, type FetchedMessage } from './kafka-record.ts'
import type { KafkaConfig } from './kafka-settings.ts'

export type Fetched = {
  records: LogRecord[]
  /** Nothing readable lies before it that is not in `records`; where it was asked for, if no data came. */
  next: bigint
  /** Everything before it is decided: committed or aborted. */
  stableEnd: bigint
}

export type Partition = {
  /** Waits up to `waitMs` where there is nothing yet. */
  fetch(from: bigint, options: { maxBytes: number; waitMs: number }): Promise<Fetched>
  /** `end`: everything before it is decided. */
  bounds(): Promise<{ start: bigint; end: bigint }>
  /** After everything that was written, decided or not. */
  writtenEnd(): Promise<bigint>
  close(): void
}

export type PartitionOptions = {
  config: KafkaConfig
  topic: string
  logger: Logger
  /** For how long a call is tried again before it fails. */
  budgetMs?: number
}

type FetchAnswer = {
  responses: {
    partitions: {
      lastStableOffset: string
      abortedTransactions: AbortedTransaction[]
      messages: FetchedMessage[]
    }[]
  }[]
}

const PARTITION = 0
const READ_UNCOMMITTED = 0
const READ_COMMITTED = 1
/** Asks for the end in place of a time. */
const LATEST = '-1'
/** That of a client. */
const NO_REPLICA = -1
const CALL_MS = 12_000
const DEFAULT_BUDGET_MS = 10_000
/** A new topic is not known to every broker at once. */
const SPREAD_MS = 1_000
const PACE = { limit: 20, baseDelayMs: 50, maxDelayMs: 1_000 }

type Session = { cluster: KafkaCluster; leader: string; destroy(): void }

const openSession = async ({ config, topic, logger }: PartitionOptions): Promise<Session> => {
  const { cluster: create, destroy } = connectKafka(config, logger)
  try {
    const cluster = create()
    await cluster.connect()
    await cluster.addTargetTopic(topic)
    const [leader] = Object.keys(cluster.findLeaderForPartitions(topic, [PARTITION]))
    if (leader === undefined) throw new Error(`no broker leads ${topic}`)
    return { cluster, leader, destroy }
  } catch (error) {
    destroy()
    throw error
  }
}

const boundsIn = async ({ cluster }: Session, topic: string) => {
  const offsetsOf = async (fromBeginning: boolean): Promise<bigint> => {
    const partitions = [{ partition: PARTITION }]
    const [found] = await cluster.fetchTopicsOffset([{ topic, partitions, fromBeginning }])
    return BigInt(found?.partitions[0]?.offset ?? 0)
  }
  const [start, end] = await Promise.all([offsetsOf(true), offsetsOf(false)])
  return { start, end }
}

/** What the library's brokers can, but its types leave out. */
type OffsetsBroker = { listOffsets(request: object): Promise<OffsetsAnswer> }
type OffsetsAnswer = { responses: { partitions: { offset: string }[] }[] }

const writtenEndIn = async ({ cluster, leader }: Session, topic: string): Promise<bigint> => {
  const broker = (await cluster.findBroker({ nodeId: leader })) as unknown as OffsetsBroker
  const asked = { partition: PARTITION, timestamp: LATEST }
  const answer = await broker.listOffsets({
    replicaId: NO_REPLICA,
    isolationLevel: READ_UNCOMMITTED,
    topics: [{ topic, partitions: [asked] }],
  })
  const found = answer.responses[0]?.partitions[0]
  if (!found) throw new Error('the broker answered without the partition')
  return BigInt(found.offset)
}

const decode = ({ responses }: FetchAnswer, from: bigint): Fetched => {
  const found = responses[0]?.partitions[0]
  if (!found) throw new Error('the broker answered without the partition')
  const { messages, abortedTransactions, lastStableOffset } = found
  const after = BigInt(messages.at(-1)?.offset ?? -1) + 1n
  return {
    records: committedRecords(messages, abortedTransactions, from),
    next: after > from ? after : from,
    stableEnd: BigInt(lastStableOffset),
  }
}

const closedError = () => new AppError('LOG_UNAVAILABLE', 'the event log is closed')

/** Keeps one session, opened when first needed and again after a failure. */
const createSessions = (options: PartitionOptions) => {
  const { topic, budgetMs = DEFAULT_BUDGET_MS } = options
  const closing = new AbortController()
  let current: Promise<Session> | undefined
  const give = (opened: Promise<Session>) => {
    if (current === opened) current = undefined
    opened.then(({ destroy }) => destroy()).catch(() => {})
  }
  type Call<T> = { what: string; waitMs: number; use: (session: Session) => Promise<T> }

  const once = async <T>({ what, waitMs, use }: Call<T>, startedMs: number): Promise<T> => {
    current ??= openSession(options)
    const opened = current
    try {
      return await withDeadline(CALL_MS + waitMs, closing.signal, async () => use(await opened))
    } catch (error) {
      // As they are: neither is a failure of the connection, and no further attempt is of use.
      if (isOutOfRange(error)) throw error
      give(opened)
      const isAbsent = isAbsentTopic(error) && performance.now() - startedMs > SPREAD_MS
      throw isAbsent ? error : logError(error, what)
    }
  }
  const call = async <T>(wanted: Call<T>): Promise<T> => {
    if (closing.signal.aborted) throw closedError()
    const startedMs = performance.now()
    try {
      return await retry(() => once(wanted, startedMs), {
        ...PACE,
        budgetMs,
        signal: closing.signal,
      })
    } catch (error) {
      if (closing.signal.aborted) throw closedError()
      if (!isAbsentTopic(error)) throw error
      const message = `there is no topic ${topic} yet`
      throw new AppError('LOG_UNAVAILABLE', message, { retryable: true, cause: error })
    }
  }
  const close = () => {
    closing.abort()
    if (current !== undefined) give(current)
  }
  return { call, close }
}

export const createPartition = (options: PartitionOptions): Partition => {
  const { topic } = options
  const sessions = createSessions(options)

  const bounds = () =>
    sessions.call({
      what: `look at ${topic}`,
      waitMs: 0,
      use: (session) => boundsIn(session, topic),
    })

  const fetchOnce = async (
    { cluster, leader }: Session,
    from: bigint,
    { maxBytes, waitMs }: { maxBytes: number; waitMs: number },
  ): Promise<Fetched> => {
    const broker = await cluster.findBroker({ nodeId: leader })
    const answer: FetchAnswer = await broker.fetch({
      isolationLevel: READ_COMMITTED,
      maxWaitTime: waitMs,
      minBytes: 1,
      maxBytes,
      topics: [
        { topic, partitions: [{ partition: PARTITION, fetchOffset: String(from), maxBytes }] },
      ],
    })
    return decode(answer, from)
  }

  const outside = async (from: bigint): Promise<Fetched> => {
    const { start, end } = await bounds()
    if (from >= start) return { records: [], next: from, stableEnd: end }
    throw new AppError(
      'LOG_DAMAGED',
      `${topic} begins at offset ${start}: what was before it has been deleted`,
    )
  }

  return {
    bounds,
    writtenEnd: () =>
      sessions.call({
        what: `look at ${topic}`,
        waitMs: 0,
        use: (session) => writtenEndIn(session, topic),
      }),
    fetch: async (from, limits) => {
      try {
        return await sessions.call({
          what: `read ${topic}`,
          waitMs: limits.waitMs,
          use: (session) => fetchOnce(session, from, limits),
        })
      } catch (error) {
        if (isOutOfRange(error)) return await outside(from)
        throw error
      }
    },
    close: sessions.close,
  }
}
