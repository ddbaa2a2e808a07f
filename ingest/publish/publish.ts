// Appends whole heights to the log, many per append during backfill, one per append when live.
import type { EventLog } from '../../infra/base/log/event-log.ts'
import { abortedError } from '../../infra/base/runtime/abort.ts'
import type { Clock } from '../../infra/base/runtime/clock.ts'
import { AppError, hasCode } from '../../infra/base/runtime/errors.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { policies } from '../../infra/base/runtime/policies.ts'
import { getRepeatedWarnings } from '../../infra/base/runtime/repeated-warnings.ts'
import { every, type RetryNotice, retry } from '../../infra/base/runtime/retry.ts'
import type { GovernanceEvent } from '../contract/events.ts'
import { decodeMarker } from '../heights/governance.ts'
import type { IngestMetrics } from '../ingest-metrics.ts'
import { type Batch, createBatchBuilder, type IndexedHeight } from './batch.ts'

export type PublisherOptions = {
  log: EventLog
  logger: Logger
  metrics: IngestMetrics
  clock: Clock
  signal: AbortSignal
  /** Live: limit of the delay of a height without events. */
  liveMarkerMs: number
  /** Backfill: an append is made at this number of heights or bytes. */
  maxBatchHeights: number
  maxBatchBytes: number
  /** Height of the log's last marker; -1 if the log is empty. */
  appended: number
  onAppended(batch: { height: number; heights: number; tip: number }): void
}

export type Publisher = {
  /** Accepts heights in order, without a gap. Resolves when accepted; the append may follow later. */
  add(height: IndexedHeight): Promise<void>
  /** Appends on time limits; resolves when aborted, rejects if an append fails. */
  tick(): Promise<void>
}

/** The outcome of an append that failed without a clear result. */
const outcomeInLog = async (log: EventLog, before: number, batch: Batch): Promise<boolean> => {
  const last = await log.last()
  const height = last ? decodeMarker(last).height : -1
  if (height === batch.height) return true
  if (height === before) return false
  throw new AppError(
    'LOG_FENCED',
    `the log ends at height ${height}, expected ${before} or ${batch.height}: another writer is active`,
  )
}

/** The log must be read before the next append. */
const isUndecided = (error: unknown): boolean =>
  hasCode(error, 'LOG_UNAVAILABLE') || hasCode(error, 'LOG_ENTRY_TOO_LARGE')

/** Nothing is lost while ingest waits: an operator can fix the reason of the refusal. */
const needsOperator = (error: AppError): boolean =>
  error.code === 'LOG_FULL' || (isUndecided(error) && !error.retryable)

const createAlert =
  ({ logger, metrics }: PublisherOptions) =>
  ({ height, id, type, data }: GovernanceEvent): void => {
    metrics.reduced.inc()
    const paths = data.omitted?.map(({ path }) => path)
    logger.error({ height, id, type, paths }, 'left out a part of an event: too large')
  }

const createAppender = (options: PublisherOptions) => {
  const { log, logger, metrics, clock, signal } = options
  const warnings = getRepeatedWarnings(logger)
  let appended = options.appended

  const onRetry = ({ error }: RetryNotice): void => {
    const { code, message: reason } = error
    if (!needsOperator(error)) {
      const message = 'could not confirm an append'
      warnings.warn({ key: 'append uncertain', fields: { reason }, message })
      return
    }
    const isFull = code === 'LOG_FULL'
    const gauge = isFull ? metrics.logFull : metrics.logRefused
    gauge.set(1)
    warnings.error({
      key: isFull ? 'log full' : 'log refuses',
      fields: { reason },
      message: `stopped appending: ${isFull ? 'the log is full' : 'the log refuses the append'}`,
    })
  }
  return async (batch: Batch): Promise<void> => {
    const startedMs = clock.now()
    let isUncertain = false
    const attempt = async (): Promise<void> => {
      try {
        const isThere = isUncertain && (await outcomeInLog(log, appended, batch))
        if (!isThere) await log.append(batch.entries)
      } catch (error) {
        if (signal.aborted) throw abortedError(signal)
        isUncertain ||= isUndecided(error)
        throw error
      }
    }
    const when = (error: AppError) => needsOperator(error) || error.code === 'LOG_UNAVAILABLE'
    await retry(attempt, { ...policies.append, clock, signal, onRetry, when })
    metrics.logFull.set(0)
    metrics.logRefused.set(0)
    appended = batch.height
    metrics.height.set(batch.height)
    metrics.appendSeconds.observe((clock.now() - startedMs) / 1000)
  }
}

export const createPublisher = (options: PublisherOptions): Publisher => {
  const { clock, signal, liveMarkerMs } = options
  const batches = createBatchBuilder(createAlert(options))
  const append = createAppender(options)
  let appendedMs = Number.NEGATIVE_INFINITY
  let tip = 0
  let isLive = false
  /** One append at a time, in order. */
  let turn: Promise<void> = Promise.resolve()

  const flushNow = async () => {
    const batch = batches.peek()
    if (!batch) return
    // Removed first: entries that arrive meanwhile belong to the next batch.
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
      // Ingest has caught up: waiting callers need not wait for the next block.
      const isPressing = isLive && (!wasLive || events.length > 0 || isDue())
      if (isPressing) batches.mark()
      if (isPressing || isFull()) await flush()
    },
    tick: () =>
      every(liveMarkerMs, { signal, clock }, async () => {
        if (!isDue()) return
        if (isLive) batches.mark()
        await flush()
      }),
  }
}
