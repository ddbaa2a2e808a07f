// Projects the logs into the tables of one generation: only whole heights; rows and watermarks before the checkpoint; and heartbeats.
// Its state can be rebuilt by a fold from the checkpoint.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Store } from '../../infra/base/clickhouse/client.ts'
import type { EventLog, LogRecord } from '../../infra/base/log/event-log.ts'
import { handledLater, linkedAbort, waitUntilSettled } from '../../infra/base/runtime/abort.ts'
import { type Clock, pause } from '../../infra/base/runtime/clock.ts'
import { AppError, hasCode } from '../../infra/base/runtime/errors.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { policies } from '../../infra/base/runtime/policies.ts'
import { retry } from '../../infra/base/runtime/retry.ts'
import { createWaiting, type Waiting } from '../../infra/base/runtime/waiting.ts'
import { markerIn } from '../../ingest/contract/codec.ts'
import { readChainId } from '../../ingest/contract/envelope.ts'
import type { Marker } from '../../ingest/contract/events.ts'
import type { ProjectionsConfig } from '../config.ts'
import { readCheckpoint } from '../contract/checkpoints.ts'
import { toDatabaseName } from '../contract/database.ts'
import { readStopped } from '../contract/stopped-proposals.ts'
import type { CheckpointRow } from '../contract/tables/positions.ts'
import { createGovernanceFold, type GovernanceFold } from '../fold/governance-fold.ts'
import { type FoldRecord, readRecord } from '../fold/record.ts'
import type { FoldedRows } from '../fold/rows/rows.ts'
import type { ClosedProposal } from '../fold/state.ts'
import { type ProjectionMetrics, whenActive } from '../projection-metrics.ts'
import { type Checkpoint, checkpointRow, lagEvents, readClosedProposals } from './checkpoint.ts'
import { followLog } from './follow-log.ts'
import { GovernanceWriter, Writer } from './writer.ts'

export type GenerationOptions = {
  config: ProjectionsConfig
  log: EventLog
  store: Store
  logger: Logger
  metrics: ProjectionMetrics
  clock: Clock
  control: string
  /** Ends this generation too. */
  signal: AbortSignal
  /** Whether it is the served generation: only that one is measured. */
  isServed: () => boolean
}

export type ProjectionsProgress = {
  generation: number
  /** Undefined before the first commit. */
  height: number | undefined
  nextOffset: bigint
  isCaughtUp: boolean
  oldestWaitingSinceMs: number | undefined
  /** Proposals that stopped because a table refused a row of them, with their reasons. */
  stopped: ReadonlyMap<string, string>
}

/** The position of the tables; undefined if they are empty. */
type Start = {
  start: Checkpoint | undefined
  closed: readonly ClosedProposal[]
  stopped: ReadonlyMap<string, string>
}

type HeightBatch = { rows: FoldedRows; at: Checkpoint }

async function readStart(store: Store, database: string): Promise<Start> {
  const start = await readCheckpoint(store, database)
  if (!start) return { start, closed: [], stopped: new Map() }
  const closed = await readClosedProposals(store, database, start)
  return { start, closed, stopped: await readStopped(store, database) }
}

const smaller = (one: bigint, other: bigint | undefined): bigint =>
  other !== undefined && other < one ? other : one

/** One line each up to a limit, then one line for the others. */
const LOGGED_AT_MOST = 20

type Line = { isError: boolean; fields: object; msg: string }

/** One line each up to a limit, then one line for the others. */
const logSome = (lines: readonly Line[], logger: Logger, more: string): void => {
  for (const { isError, fields, msg } of lines.slice(0, LOGGED_AT_MOST)) {
    if (isError) logger.error(fields, msg)
    else logger.warn(fields, msg)
  }
  const left = lines.length - LOGGED_AT_MOST
  if (left > 0) logger.error({ more: left }, more)
}

function raiseAlerts(
  { undecodable, tallyAlerts, impossible }: FoldedRows,
  logger: Logger,
  metrics: ProjectionMetrics,
): void {
  if (undecodable.length > 0) metrics.undecodableRecords(undecodable.length)
  // Never their bytes, which the log keeps.
  const records = undecodable.map(({ offset, at, proposalId, reason }) => ({
    isError: true,
    fields: { offset: `${offset}`, height: `${at.height}`, proposalId, reason },
    msg: 'could not decode a record',
  }))
  const tallies = tallyAlerts.map(({ proposalId, round, matchesChain, reason }) => {
    metrics.unmatchedTally(matchesChain)
    const isError = matchesChain === 'no'
    const msg = isError ? 'recomputed tally differs from the chain' : 'could not recompute a tally'
    return { isError, fields: { proposalId, round, reason }, msg }
  })
  const numbers = impossible.map((fields) => {
    metrics.impossibleNumbers()
    return { isError: true, fields, msg: 'left out impossible live numbers' }
  })
  logSome(records, logger, 'could not decode more records')
  logSome(tallies, logger, 'kept more tallies that differ or could not be recomputed')
  logSome(numbers, logger, 'left out more impossible live numbers')
}

export async function startGeneration(
  generation: number,
  options: GenerationOptions,
): Promise<Generation> {
  const { config, store, clock, signal, control } = options
  const reading = { ...policies.readStart(config.storeRetryMaxMs), signal, clock }
  const start = await retry(() => readStart(store, toDatabaseName(generation, control)), reading)
  return new Generation(generation, options, start)
}

export class Generation {
  /** Resolves after `stop`; rejects if this generation cannot continue. */
  readonly done: Promise<void>
  readonly #generation: number
  readonly #options: GenerationOptions
  readonly #start: Checkpoint | undefined
  readonly #controller: ReturnType<typeof linkedAbort>
  readonly #log: Pick<EventLog, 'read' | 'waitFor' | 'end' | 'offsetOfHeight'>
  readonly #rows: Writer
  readonly #writer: GovernanceWriter
  readonly #fold: GovernanceFold
  readonly #waiting: Waiting
  /** Records of a height without its marker. */
  #incomplete: FoldRecord[] = []
  /** Of the last folded height; set after the first records. */
  #marker: { event: Marker; offset: bigint } | undefined
  #committed: Checkpoint | undefined
  /** The start or the end of the last commit. */
  #activeAtMs = Number.NEGATIVE_INFINITY
  #logEnd: bigint
  #openSince: { height: number; offset: bigint } | undefined

  constructor(generation: number, options: GenerationOptions, { start, closed, stopped }: Start) {
    const { config, clock, log, control } = options
    this.#controller = linkedAbort(options.signal)
    const { signal } = this.#controller
    const logger = options.logger.child({ generation })
    const metrics = whenActive(options.metrics, options.isServed)
    this.#generation = generation
    this.#options = { ...options, logger, metrics, signal }
    this.#start = start
    // A change of brokers ends nothing.
    const again = <T>(call: () => Promise<T>) => retry(call, { ...policies.logCall, signal, clock })
    this.#log = {
      read: (from, limits) => again(() => log.read(from, limits)),
      end: () => again(() => log.end()),
      offsetOfHeight: (height) => again(() => log.offsetOfHeight(height)),
      // A failed wait only ends earlier.
      waitFor: log.waitFor.bind(log),
    }
    const database = toDatabaseName(generation, control)
    this.#rows = new Writer({ ...this.#options, database, retryMaxMs: config.storeRetryMaxMs })
    this.#writer = new GovernanceWriter(this.#rows, stopped)
    this.#fold = createGovernanceFold(closed)
    this.#logEnd = start?.nextOffset ?? 0n
    this.#waiting = createWaiting(this.#logEnd)
    this.#committed = start
    logger.info({ height: start?.height }, 'started projections')
    this.done = handledLater(this.#run())
  }

  progress(): ProjectionsProgress {
    const { height, nextOffset } = this.#committed ?? { height: undefined, nextOffset: 0n }
    return {
      generation: this.#generation,
      height,
      nextOffset,
      isCaughtUp: height !== undefined && nextOffset >= this.#logEnd,
      oldestWaitingSinceMs: this.#waiting.sinceMs(),
      stopped: this.#writer.stopped,
    }
  }

  async stop(): Promise<void> {
    this.#controller.abort()
    await waitUntilSettled(this.done)
  }

  /** Runs until the signal fires. Any failure stops all of it; rejects with the first failure. */
  async #run(): Promise<void> {
    const { signal, abort, unlink } = this.#controller
    const tasks = [this.#follow(), this.#beat()].map(async (task) => {
      try {
        await task
      } catch (error) {
        if (!(signal.aborted && hasCode(error, 'ABORTED'))) throw error
      } finally {
        abort()
      }
    })
    try {
      await Promise.all(tasks).finally(() => Promise.allSettled(tasks))
    } finally {
      unlink()
    }
  }

  #follow(): Promise<void> {
    const { config, clock, logger, signal } = this.#options
    const startedMs = clock.now()
    return followLog<HeightBatch>({
      logName: 'the log',
      log: { ...this.#log, end: () => this.#observeEnd() },
      start: this.#start,
      apply: (records, keepsRows) => this.#apply(records, keepsRows),
      refolded: (events) => {
        this.#fold.drain()
        this.#incomplete = []
        const open = this.#fold.openProposals()
        const durationMs = clock.now() - startedMs
        logger.info({ events, open, durationMs }, 'folded open proposals again')
      },
      take: () => this.#take(),
      write: (batch, events) => this.#commit(batch, events),
      limits: { maxRecords: config.batchEvents, maxBytes: config.batchBytes },
      signal,
    })
  }

  /** Folds complete heights; the rest waits for its marker. */
  async #apply(raw: readonly LogRecord[], keepsRows: boolean): Promise<number> {
    const last = raw.at(-1)
    if (last) this.#waiting.notice(last.offset + 1n, this.#options.clock.now())
    const records = raw.map(readRecord)
    const end = records.findLastIndex(({ decoded }) => markerIn(decoded) !== undefined) + 1
    const ending = records[end - 1]
    const event = ending && markerIn(ending.decoded)
    if (!event) {
      // No spread: a height of many records must not be copied at each read.
      for (const record of records) this.#incomplete.push(record)
      return 0
    }
    const whole = [...this.#incomplete, ...records.slice(0, end)]
    this.#incomplete = records.slice(end)
    // Heartbeats and ingest, which may share this process, run between the steps of a long tally.
    for (const _ of this.#fold.applySteps(whole, { keepsRows })) await nextTurn()
    this.#marker = { event, offset: ending.offset }
    return whole.length
  }

  async #take(): Promise<HeightBatch> {
    const { event, offset } = this.#marker as { event: Marker; offset: bigint }
    const chainId = readChainId(event)
    const known = this.#committed?.chainId ?? chainId
    if (known !== chainId) {
      const message = `the tables hold chain ${known}, the log continues with chain ${chainId}`
      throw new AppError('CHAIN_MISMATCH', message)
    }
    const tip = Math.max(Math.min(event.data.tip, Number.MAX_SAFE_INTEGER), event.height)
    const nextOffset = offset + 1n
    const refoldOffset = await this.#refoldOffset(nextOffset, event.data.openSince)
    const { height, time } = event
    const { limitations = [], history = null } = event.data
    const position = { nextOffset, refoldOffset, chainId, height, time, tip }
    return { at: { ...position, limitations, history }, rows: this.#fold.drain() }
  }

  /** Where a fold must begin at the next start: as in the marker, and never after open state here. */
  async #refoldOffset(nextOffset: bigint, openSince: number | null): Promise<bigint> {
    const next = smaller(nextOffset, this.#fold.firstOffset())
    if (openSince === null) return next
    if (this.#openSince?.height !== openSince) {
      this.#openSince = {
        height: openSince,
        offset: await this.#log.offsetOfHeight(openSince),
      }
    }
    return smaller(next, this.#openSince.offset)
  }

  async #commit({ rows, at }: HeightBatch, events: number): Promise<void> {
    const { clock, logger, metrics } = this.#options
    const startedMs = clock.now()
    this.#activeAtMs = startedMs
    raiseAlerts(rows, logger, metrics)
    await this.#writer.commit(rows, async () => {
      await this.#observeEnd()
      this.#waiting.release(at.nextOffset)
      return this.#rowOf(at)
    })
    this.#committed = at
    this.#activeAtMs = clock.now()
    const durationMs = this.#activeAtMs - startedMs
    metrics.committed({ at, events, durationMs, lagEvents: lagEvents(at, this.#logEnd) })
    metrics.openProposals(this.#fold.openProposals())
    logger.debug({ height: at.height, events, durationMs }, 'projected heights')
  }

  async #beat(): Promise<void> {
    const { clock, config, signal } = this.#options
    for (let pauseMs = config.heartbeatMs; !signal.aborted; ) {
      await pause(pauseMs, signal, clock)
      // A commit is also a heartbeat, and one that has just begun will be.
      const silentMs = clock.now() - this.#activeAtMs
      const isDue = silentMs >= config.heartbeatMs
      pauseMs = isDue ? config.heartbeatMs : config.heartbeatMs - silentMs
      if (isDue && this.#committed && !signal.aborted) await this.#beatOnce(this.#committed)
    }
  }

  async #beatOnce(committed: Checkpoint): Promise<void> {
    const { logger, metrics } = this.#options
    await this.#observeEnd()
    const row = this.#rowOf(committed)
    metrics.lagEvents(Number(row.lagEvents))
    try {
      await this.#rows.beat(row)
    } catch (error) {
      if (!(error instanceof AppError) || !error.retryable) throw error
      logger.warn({ reason: error.message }, 'missed a heartbeat')
    }
  }

  #rowOf(at: Checkpoint): CheckpointRow {
    const lag = { logEnd: this.#logEnd, oldestWaitingSinceMs: this.#waiting.sinceMs() }
    return checkpointRow(at, lag, this.#options.clock.now())
  }

  async #observeEnd(): Promise<bigint> {
    this.#logEnd = await this.#log.end()
    this.#waiting.notice(this.#logEnd, this.#options.clock.now())
    return this.#logEnd
  }
}
