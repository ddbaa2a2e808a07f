// Projects the governance log into one generation: only whole heights; rows and watermarks before the checkpoint; and heartbeats.
// Its state can be rebuilt by a fold from the checkpoint.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { EventLog, LogRecord } from '../../infra/base/log/event-log.ts'
import { type Clock, pause } from '../../infra/base/runtime/clock.ts'
import { AppError, hasCode } from '../../infra/base/runtime/errors.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { createWaiting, type Waiting } from '../../infra/base/runtime/waiting.ts'
import { readChainId } from '../../ingest/contract/envelope.ts'
import type { GovernanceEvent } from '../../ingest/contract/events.ts'
import type { ProjectionsConfig } from '../config.ts'
import { RUNNER } from '../contract/database.ts'
import type { CheckpointRow } from '../contract/tables/positions.ts'
import { prepareTallies } from '../fold/exact-tally.ts'
import { createGovernanceFold, type GovernanceFold } from '../fold/governance-fold.ts'
import { isOfPast } from '../fold/past-votes.ts'
import { type FoldRecord, readRecord } from '../fold/record.ts'
import type { FoldedRows } from '../fold/rows/rows.ts'
import type { ClosedProposal } from '../fold/state.ts'
import type { ProjectionMetrics } from '../projection-metrics.ts'
import { raiseAlerts } from './alerts.ts'
import { type Checkpoint, checkpointRow, type Lag, lagEvents } from './checkpoint.ts'
import { followLog } from './follow-log.ts'
import type { GovernanceWriter } from './governance-writer.ts'
import { createHeightSplitter, type Marker } from './height-splitter.ts'

/** The read methods of a log. */
type ReadableLog = Pick<EventLog, 'read' | 'waitFor' | 'end' | 'offsetOfHeight'>

export type GovernanceOptions = {
  config: ProjectionsConfig
  log: ReadableLog
  writer: GovernanceWriter
  logger: Logger
  metrics: ProjectionMetrics
  clock: Clock
  /** Aborted by the owner to stop the runner, and by the runner if it cannot continue. */
  controller: Pick<AbortController, 'signal' | 'abort'>
  /** The position of the tables; undefined if they are empty. */
  start: Checkpoint | undefined
  /** The proposals that were closed at `start`. */
  closed: readonly ClosedProposal[]
}

type HeightBatch = { rows: FoldedRows; at: Checkpoint }

/** Votes before the first height leave only rows: a fold for the state alone needs no tally of them. */
function* iterateEvents(
  records: readonly FoldRecord[],
  keepsRows: boolean,
): Generator<GovernanceEvent> {
  for (const { decoded } of records) {
    if (decoded.ok && (keepsRows || !isOfPast(decoded.event))) yield decoded.event
  }
}

const smaller = (one: bigint, other: bigint | undefined): bigint =>
  other !== undefined && other < one ? other : one

export class Governance {
  readonly #options: GovernanceOptions
  readonly #signal: AbortSignal
  readonly #fold: GovernanceFold
  readonly #waiting: Waiting
  #splitter = createHeightSplitter()
  /** The last folded height; set after the first records. */
  #marker: Marker | undefined
  #committed: Checkpoint | undefined
  /** The start or the end of the last commit. */
  #activeAtMs = Number.NEGATIVE_INFINITY
  #logEnd: bigint
  #openSince: { height: number; offset: bigint } | undefined

  constructor(options: GovernanceOptions) {
    const { start, closed, controller } = options
    this.#options = options
    this.#signal = controller.signal
    this.#fold = createGovernanceFold(closed)
    this.#logEnd = start?.nextOffset ?? 0n
    this.#waiting = createWaiting(this.#logEnd)
    this.#committed = start
  }

  committed(): Checkpoint | undefined {
    return this.#committed
  }

  lag(): Lag {
    return { logEnd: this.#logEnd, oldestWaitingSinceMs: this.#waiting.sinceMs() }
  }

  openProposals(): number {
    return this.#fold.openProposals()
  }

  /** The proposals that stopped, with their reasons. */
  stopped(): ReadonlyMap<string, string> {
    return this.#options.writer.stopped
  }

  /** Runs until the signal fires. Any failure stops all of it; rejects with the first failure. */
  async run(): Promise<void> {
    const tasks = [this.#follow(), this.#beat()].map(async (task) => {
      try {
        await task
      } catch (error) {
        if (!(this.#signal.aborted && hasCode(error, 'ABORTED'))) throw error
      } finally {
        this.#options.controller.abort()
      }
    })
    await Promise.all(tasks).finally(() => Promise.allSettled(tasks))
  }

  #follow(): Promise<void> {
    const { config, start, clock, logger } = this.#options
    const startedMs = clock.now()
    return followLog<HeightBatch>({
      logName: 'the log',
      log: { ...this.#options.log, end: () => this.#observeEnd() },
      fold: {
        apply: (records, { keepsRows }) => this.#apply(records, keepsRows),
        take: () => this.#take(),
        discard: () => {
          this.#fold.drain()
          this.#splitter = createHeightSplitter()
        },
      },
      checkpoint: {
        read: async () => start,
        write: (batch, events) => this.#commit(batch, events),
      },
      limits: { maxRecords: config.batchEvents, maxBytes: config.batchBytes },
      onRefolded: (events) => {
        const open = this.openProposals()
        const durationMs = clock.now() - startedMs
        logger.info({ events, open, durationMs }, 'folded open proposals again')
      },
      signal: this.#signal,
    })
  }

  /** Folds complete heights. */
  async #apply(records: readonly LogRecord[], keepsRows: boolean): Promise<number> {
    const last = records.at(-1)
    if (last) this.#waiting.notice(last.offset + 1n, this.#options.clock.now())
    const whole = this.#splitter.push(records.map(readRecord))
    if (!whole) return 0
    // Heartbeats and ingest, which may share this process, run between the steps of a long tally.
    const prepared = await prepareTallies(iterateEvents(whole.records, keepsRows), () => nextTurn())
    this.#fold.apply(whole.records, { prepared, keepsRows })
    this.#marker = whole.marker
    return whole.records.length
  }

  async #take(): Promise<HeightBatch> {
    const marker = this.#marker as Marker
    const { event, offset } = marker
    const chainId = readChainId(event)
    const known = this.#committed?.chainId ?? chainId
    if (known !== chainId) {
      const message = `the tables hold chain ${known}, the log continues with chain ${chainId}`
      throw new AppError('CHAIN_MISMATCH', message)
    }
    const tip = Math.max(Math.min(event.data.tip, Number.MAX_SAFE_INTEGER), event.height)
    const refoldOffset = await this.#refoldOffset(marker)
    const { height, time } = event
    const { limitations = [], history = null } = event.data
    const position = { nextOffset: offset + 1n, refoldOffset, chainId, height, time, tip }
    return { at: { ...position, limitations, history }, rows: this.#fold.drain() }
  }

  /** Where a fold must begin at the next start: as in the marker, and never after open state here. */
  async #refoldOffset({ event, offset }: Marker): Promise<bigint> {
    const next = smaller(offset + 1n, this.#fold.firstOffset())
    const { openSince } = event.data
    if (openSince === null) return next
    if (this.#openSince?.height !== openSince) {
      this.#openSince = {
        height: openSince,
        offset: await this.#options.log.offsetOfHeight(openSince),
      }
    }
    return smaller(next, this.#openSince.offset)
  }

  async #commit({ rows, at }: HeightBatch, events: number): Promise<void> {
    const { clock, logger, metrics, writer } = this.#options
    const startedMs = clock.now()
    this.#activeAtMs = startedMs
    raiseAlerts(rows, logger, metrics)
    await writer.commit(rows, async () => {
      await this.#observeEnd()
      this.#waiting.release(at.nextOffset)
      return this.#rowOf(at)
    })
    this.#committed = at
    this.#activeAtMs = clock.now()
    const durationMs = this.#activeAtMs - startedMs
    metrics.committed({ at, events, durationMs, lagEvents: lagEvents(at, this.#logEnd) })
    metrics.openProposals(this.openProposals())
    logger.debug({ height: at.height, events, durationMs }, 'projected heights')
  }

  async #beat(): Promise<void> {
    const { clock, config } = this.#options
    for (let pauseMs = config.heartbeatMs; !this.#signal.aborted; ) {
      await pause(pauseMs, this.#signal, clock)
      // A commit is also a heartbeat, and one that has just begun will be.
      const silentMs = clock.now() - this.#activeAtMs
      const isDue = silentMs >= config.heartbeatMs
      pauseMs = isDue ? config.heartbeatMs : config.heartbeatMs - silentMs
      if (isDue && this.#committed && !this.#signal.aborted) await this.#beatOnce(this.#committed)
    }
  }

  async #beatOnce(committed: Checkpoint): Promise<void> {
    const { writer, logger, metrics } = this.#options
    await this.#observeEnd()
    const row = this.#rowOf(committed)
    metrics.lagEvents(Number(row.lagEvents))
    try {
      await writer.beat(row)
    } catch (error) {
      if (!(error instanceof AppError) || !error.retryable) throw error
      logger.warn({ reason: error.message }, 'missed a heartbeat')
    }
  }

  #rowOf(at: Checkpoint): CheckpointRow {
    const nowMs = this.#options.clock.now()
    return checkpointRow(at, this.lag(), { projection: RUNNER, nowMs })
  }

  async #observeEnd(): Promise<bigint> {
    this.#logEnd = await this.#options.log.end()
    this.#waiting.notice(this.#logEnd, this.#options.clock.now())
    return this.#logEnd
  }
}
