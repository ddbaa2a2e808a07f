// Appends whole heights to the log, many at once in backfill, each at once when live. A height never spans two appends.
import type { EventLog } from '../infra/log/event-log.ts'
import { abortedError, type Clock } from '../infra/runtime/clock.ts'
import { AppError, hasCode } from '../infra/runtime/errors.ts'
import type { Logger } from '../infra/runtime/logger.ts'
import { repeatedWarningsOf } from '../infra/runtime/repeated-warnings.ts'
import {
  type Batch,
  createBatchBuilder,
  type IndexedHeight,
  type OnReduced,
  reduceBatch,
} from './batch.ts'
import type { GovernanceEvent } from './contract/events.ts'
import type { IngestMetrics } from './ingest-metrics.ts'
import { markerOf } from './log-tail.ts'

export type PublisherOptions = {
  log: EventLog
  logger: Logger
  metrics: IngestMetrics
  clock: Clock
  signal: AbortSignal
  /** Live: a quiet height is told after this long at the latest. */
  liveMarkerMs: number
  /** Backfill: an append is made once it has this many heights, or bytes. */
  maxBatchHeights: number
  maxBatchBytes: number
  /** Height of the log's last marker; -1 in an empty log. */
  appended: number
  onAppended(batch: { height: number; heights: number; tip: number }): void
}

export type Publisher = {
  /** Heights in order, without a gap. Resolves when taken; appended now or with later ones. */
  add(height: IndexedHeight): Promise<void>
  /** Appends what is due as time goes by; resolves when aborted, rejects where appending does. */
  tick(): Promise<void>
}

const FULL_RETRY_MS = 10_000
const UNAVAILABLE_RETRY_MS = 1_000
/** No log refuses an entry below this for its size: then the size is not why. */
const MIN_REFUSED_BYTES = 32 * 2 ** 10

/** How an append that failed without a clear outcome turned out. */
const outcomeInLog = async (log: EventLog, before: number, batch: Batch): Promise<boolean> => {
  const last = await log.last()
  const height = last ? markerOf(last).height : -1
  if (height === batch.height) return true
  if (height === before) return false
  throw new AppError(
    'LOG_FENCED',
    `the log ends at height ${height}, expected ${before} or ${batch.height}: somebody else writes`,
  )
}

const largestOf = ({ entries }: Batch): number =>
  entries.reduce((most, { value }) => Math.max(most, value.length), 0)

/** Half as large as it was; undefined where it cannot be made smaller, or is small already. */
const smallerThan = (batch: Batch, onReduced: OnReduced): Batch | undefined => {
  const largest = largestOf(batch)
  if (largest <= MIN_REFUSED_BYTES) return undefined
  const smaller = reduceBatch(batch, Math.floor(largest / 2), onReduced)
  return largestOf(smaller) < largest ? smaller : undefined
}

/** The log has to be read before the next append. */
const isUndecided = (error: unknown): error is AppError =>
  hasCode(error, 'LOG_UNAVAILABLE') || hasCode(error, 'LOG_ENTRY_TOO_LARGE')

const alertOf =
  ({ logger, metrics }: PublisherOptions) =>
  ({ height, id, type, data }: GovernanceEvent): void => {
    metrics.reduced.inc()
    const paths = data.omitted?.map(({ path }) => path)
    logger.error({ height, id, type, paths }, 'left a part of an event out: it was too large')
  }

const createAppender = (options: PublisherOptions) => {
  const { log, logger, metrics, clock, signal } = options
  const onReduced = alertOf(options)
  const warnings = repeatedWarningsOf(logger)
  let appended = options.appended

  const waitOut = async (error: unknown): Promise<void> => {
    if (signal.aborted) throw abortedError(signal)
    if (hasCode(error, 'LOG_FULL')) {
      metrics.logFull.set(1)
      warnings.error({
        key: 'log full',
        fields: { reason: error.message },
        message: 'stopped appending: the log is full',
      })
      return await clock.sleep(FULL_RETRY_MS, signal)
    }
    if (!isUndecided(error)) throw error
    if (!error.retryable) {
      // Nothing is lost while it waits: an operator can change what the log refuses.
      metrics.logRefused.set(1)
      warnings.error({
        key: 'log refuses',
        fields: { reason: error.message },
        message: 'stopped appending: the log refuses the append',
      })
      return await clock.sleep(FULL_RETRY_MS, signal)
    }
    warnings.warn({
      key: 'append uncertain',
      fields: { reason: error.message },
      message: 'appended with unknown outcome',
    })
    await clock.sleep(UNAVAILABLE_RETRY_MS, signal)
  }
  return async (whole: Batch): Promise<void> => {
    const startedMs = clock.now()
    let batch = whole
    for (let isUncertain = false; ; ) {
      try {
        const isThere = isUncertain && (await outcomeInLog(log, appended, batch))
        if (!isThere) await log.append(batch.entries)
        break
      } catch (error) {
        isUncertain ||= isUndecided(error)
        const smaller = hasCode(error, 'LOG_ENTRY_TOO_LARGE') && smallerThan(batch, onReduced)
        if (smaller) batch = smaller
        else await waitOut(error)
      }
    }
    metrics.logFull.set(0)
    metrics.logRefused.set(0)
    appended = batch.height
    metrics.height.set(batch.height)
    metrics.appendSeconds.observe((clock.now() - startedMs) / 1000)
  }
}

export const createPublisher = (options: PublisherOptions): Publisher => {
  const { clock, signal, liveMarkerMs } = options
  const batches = createBatchBuilder(alertOf(options))
  const append = createAppender(options)
  let appendedMs = Number.NEGATIVE_INFINITY
  let tip = 0
  let isLive = false
  /** One append at a time, in order. */
  let turn: Promise<void> = Promise.resolve()

  const flushNow = async () => {
    const batch = batches.peek()
    if (!batch) return
    // Taken out first: what is added meanwhile belongs to the next batch.
    batches.clear()
    await append(batch)
    appendedMs = clock.now()
    options.onAppended({ height: batch.height, heights: batch.heights, tip })
  }
  const flush = (): Promise<void> => {
    turn = turn.then(flushNow)
    return turn
  }
  const isDue = () => clock.now() - appendedMs >= liveMarkerMs
  const isFull = () => {
    const batch = batches.peek()
    if (!batch) return false
    return batch.heights >= options.maxBatchHeights || batch.bytes >= options.maxBatchBytes
  }
  return {
    add: async (indexed) => {
      const { block, events } = indexed
      const wasLive = isLive
      tip = Math.max(indexed.tip, block.height)
      isLive = block.height >= tip
      batches.add(indexed)
      // Caught up: whoever waited for that need not wait for the next block.
      const isPressing = isLive && (!wasLive || events.length > 0 || isDue())
      if (isPressing) batches.mark()
      if (isPressing || isFull()) await flush()
    },
    tick: async () => {
      while (!signal.aborted) {
        try {
          await clock.sleep(liveMarkerMs, signal)
        } catch (error) {
          if (hasCode(error, 'ABORTED')) return
          throw error
        }
        if (!isDue()) continue
        if (isLive) batches.mark()
        await flush()
      }
    },
  }
}
