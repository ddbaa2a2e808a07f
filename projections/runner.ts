// The one runner: follows the log height by height, folds it, and commits rows, watermarks and checkpoint in turn.
// Never commits a part of a height, and keeps no state that a fold from the checkpoint does not give again.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { EventLog, LogRecord } from '../infra/log/event-log.ts'
import type { Clock } from '../infra/runtime/clock.ts'
import { AppError, hasCode } from '../infra/runtime/errors.ts'
import type { Logger } from '../infra/runtime/logger.ts'
import { type Checkpoint, checkpointRow, type Lag, lagEvents } from './checkpoint.ts'
import type { ProjectionsConfig } from './config.ts'
import type { CheckpointRow } from './contract/read-model.ts'
import { raiseAlarm } from './dead-letter.ts'
import { createGovernanceFold, type GovernanceFold } from './fold/governance-fold.ts'
import { readRecord } from './fold/record.ts'
import { foldHeights } from './fold-heights.ts'
import { createHeightSplitter, type Marker } from './height-splitter.ts'
import { patientLog, type ReadableLog } from './patient-log.ts'
import type { ProjectionMetrics } from './projection-metrics.ts'
import { raiseImpossibleAlert, raiseTallyAlarm } from './tally-alarm.ts'
import { createWaiting, type Waiting } from './waiting.ts'
import type { Writer } from './writer.ts'

export type RunnerOptions = {
  config: ProjectionsConfig
  log: EventLog
  writer: Writer
  logger: Logger
  metrics: ProjectionMetrics
  clock: Clock
  /** Aborted by whoever stops the runner, and by the runner where it cannot go on. */
  controller: AbortController
  /** Where the tables stand; undefined where they are empty. */
  start: Checkpoint | undefined
  /** Ids of the proposals that were closed at `start`. */
  closed: readonly string[]
}

export type Runner = {
  /** Runs until the signal fires; rejects where it cannot go on. */
  run(): Promise<void>
  committed(): Checkpoint | undefined
  lag(): Lag
  openProposals(): number
}

/** One read: small enough that a heartbeat is never late. */
const SLICE = { maxRecords: 2_000, maxBytes: 2 * 1024 * 1024 }
const WAIT_MS = 1_000

type State = Omit<RunnerOptions, 'log'> & {
  log: ReadableLog
  signal: AbortSignal
  fold: GovernanceFold
  waiting: Waiting
  isRefolding: boolean
  cursor: bigint
  folded: Checkpoint | undefined
  committed: Checkpoint | undefined
  logEnd: bigint
  openSince: { height: number; offset: bigint } | undefined
}

type Batch = { events: number; bytes: number; marker: Marker | undefined }

const smaller = (one: bigint, other: bigint | undefined): bigint =>
  other !== undefined && other < one ? other : one

/** Where folding must begin at the next start: what the marker says, and never after what is open here. */
const refoldOffset = async (state: State, marker: Marker): Promise<bigint> => {
  const next = marker.offset + 1n
  const { openSince } = marker.event.data
  if (openSince === null) return smaller(next, state.fold.firstOffset())
  if (state.openSince?.height !== openSince) {
    state.openSince = { height: openSince, offset: await state.log.offsetOfHeight(openSince) }
  }
  return smaller(smaller(next, state.openSince.offset), state.fold.firstOffset())
}

const chainIdOf = ({ event }: Marker): string => event.source.replace(/^\/chains\//, '')

const checkpointAt = async (state: State, marker: Marker): Promise<Checkpoint> => {
  const { event, offset } = marker
  const chainId = chainIdOf(marker)
  const known = state.folded?.chainId
  if (known !== undefined && known !== chainId) {
    const message = `the tables hold chain ${known}, the log goes on with chain ${chainId}`
    throw new AppError('CHAIN_MISMATCH', message)
  }
  return {
    nextOffset: offset + 1n,
    refoldOffset: await refoldOffset(state, marker),
    chainId,
    height: event.height,
    time: event.time,
    tip: Math.max(Math.min(event.data.tip, Number.MAX_SAFE_INTEGER), event.height),
  }
}

const observeEnd = async (state: State): Promise<void> => {
  state.logEnd = await state.log.end()
  state.waiting.notice(state.logEnd, state.clock.now())
}

const commit = async (state: State, at: Checkpoint, events: number): Promise<void> => {
  const rows = state.fold.drain()
  const startedMs = state.clock.now()
  raiseAlarm(rows.dead_letters, state.logger, state.metrics.deadLetters)
  raiseTallyAlarm(rows.alarms, state.logger, state.metrics.unmatchedTallies)
  raiseImpossibleAlert(rows.impossible, state.logger, state.metrics.impossibleNumbers)
  await state.writer.commit(rows, async (): Promise<CheckpointRow> => {
    await observeEnd(state)
    state.waiting.release(at.nextOffset)
    return checkpointRow(at, lagOf(state), state.clock.now())
  })
  state.committed = at
  const durationMs = state.clock.now() - startedMs
  state.metrics.committed({ at, events, durationMs, lagEvents: lagEvents(at, state.logEnd) })
  state.metrics.openProposals.set(state.fold.openProposals())
  state.logger.debug({ height: at.height, events, durationMs }, 'projected heights')
}

const lagOf = ({ logEnd, waiting }: State): Lag => ({
  logEnd,
  oldestWaitingSinceMs: waiting.sinceMs(),
})

const bytesOf = (records: readonly LogRecord[]): number =>
  records.reduce((sum, { value }) => sum + value.byteLength, 0)

/** Reads and folds up to a batch of whole heights. The batch has no marker where none is whole yet. */
const foldBatch = async (
  state: State,
  splitter: ReturnType<typeof createHeightSplitter>,
): Promise<Batch> => {
  const { config, log, signal } = state
  const batch: Batch = { events: 0, bytes: 0, marker: undefined }
  while (!signal.aborted) {
    const records = await state.log.read(state.cursor, {
      maxRecords: Math.min(SLICE.maxRecords, config.batchEvents),
      maxBytes: Math.min(SLICE.maxBytes, config.batchBytes),
    })
    const last = records.at(-1)
    if (!last) return batch
    state.cursor = last.offset + 1n
    state.waiting.notice(state.cursor, state.clock.now())
    const whole = splitter.push(records.map(readRecord))
    batch.bytes += bytesOf(records)
    if (whole) {
      await foldHeights(state.fold, whole.records)
      batch.events += whole.records.length
      batch.marker = whole.marker
    }
    const isFull =
      batch.events + splitter.held() >= config.batchEvents || batch.bytes >= config.batchBytes
    if (isFull && batch.marker) return batch
    if (!isFull && records.length < SLICE.maxRecords && (await log.end()) <= state.cursor) {
      return batch
    }
    // Heartbeats and ingest, which may share this process, have their turn.
    await nextTurn()
  }
  return batch
}

/** Folds what is written already, to have the state of open proposals; writes nothing. */
const refold = async (state: State, at: Checkpoint): Promise<void> => {
  const { signal, clock, logger } = state
  const startedMs = clock.now()
  const splitter = createHeightSplitter()
  let events = 0
  state.isRefolding = true
  state.cursor = at.refoldOffset
  while (state.cursor < at.nextOffset && !signal.aborted) {
    const read = await state.log.read(state.cursor, SLICE)
    const records = read.filter(({ offset }) => offset < at.nextOffset)
    const last = records.at(-1)
    if (!last) break
    state.cursor = last.offset + 1n
    const whole = splitter.push(records.map(readRecord))
    if (whole) await foldHeights(state.fold, whole.records)
    events += records.length
    await nextTurn()
  }
  state.fold.drain()
  state.isRefolding = false
  state.cursor = at.nextOffset
  const open = state.fold.openProposals()
  logger.info({ events, open, durationMs: clock.now() - startedMs }, 'folded open proposals again')
}

const follow = async (state: State): Promise<void> => {
  const { log, signal } = state
  const splitter = createHeightSplitter()
  // One commit in flight: the next batch is read and folded while the store takes this one's rows.
  let inFlight = Promise.resolve()
  while (!signal.aborted) {
    const { events, marker } = await foldBatch(state, splitter)
    await inFlight
    if (signal.aborted) return
    if (!marker) {
      await observeEnd(state)
      await log.waitFor(state.cursor, { timeoutMs: WAIT_MS, signal })
      continue
    }
    const at = await checkpointAt(state, marker)
    state.folded = at
    inFlight = commit(state, at, events)
    // Told at the next await; until then a failure must not count as unhandled.
    inFlight.catch(() => {})
  }
  await inFlight
}

const checkLog = async (state: State, at: Checkpoint): Promise<void> => {
  const end = await state.log.end()
  if (end >= at.nextOffset) return
  const message = `the log ends at offset ${end}, but the tables go up to ${at.nextOffset}: this is not the log they were made from`
  throw new AppError('LOG_DAMAGED', message)
}

const beat = async (state: State): Promise<void> => {
  const { clock, config, signal, writer, logger } = state
  while (!signal.aborted) {
    await clock.sleep(config.heartbeatMs, signal)
    if (!state.committed) continue
    await observeEnd(state)
    const row = checkpointRow(state.committed, lagOf(state), clock.now())
    state.metrics.lagEvents.set(Number(row.lag_events))
    try {
      await writer.beat(row)
    } catch (error) {
      if (!(error instanceof AppError) || !error.retryable) throw error
      logger.warn({ reason: error.message }, 'missed a heartbeat')
    }
  }
}

const catchUpAndFollow = async (state: State): Promise<void> => {
  if (state.start) {
    await checkLog(state, state.start)
    await refold(state, state.start)
  }
  await follow(state)
}

/** Runs both until they end; one that fails stops the other. The first failure is thrown. */
const run = async (state: State): Promise<void> => {
  const { controller } = state
  const failures: unknown[] = []
  const guard = async (task: Promise<void>): Promise<void> => {
    try {
      await task
    } catch (error) {
      if (!(controller.signal.aborted && hasCode(error, 'ABORTED'))) failures.push(error)
    } finally {
      controller.abort()
    }
  }
  await Promise.all([guard(catchUpAndFollow(state)), guard(beat(state))])
  if (failures.length > 0) throw failures[0]
}

export const createRunner = (options: RunnerOptions): Runner => {
  const next = options.start?.nextOffset ?? 0n
  const { signal } = options.controller
  const state: State = {
    ...options,
    log: patientLog(options.log, { signal, clock: options.clock }),
    signal,
    fold: createGovernanceFold({
      closed: options.closed,
      keepsRows: () => !state.isRefolding,
    }),
    waiting: createWaiting(next),
    isRefolding: false,
    cursor: 0n,
    folded: options.start,
    committed: options.start,
    logEnd: next,
    openSince: undefined,
  }
  return {
    run: () => run(state),
    committed: () => state.committed,
    lag: () => lagOf(state),
    openProposals: () => state.fold.openProposals(),
  }
}
