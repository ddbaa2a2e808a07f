// Starts the projections on a log and a store that somebody else opened; stops them, and closes neither.
import type { Store } from '../infra/clickhouse/client.ts'
import type { EventLog } from '../infra/log/event-log.ts'
import { type Clock, systemClock } from '../infra/runtime/clock.ts'
import type { Logger } from '../infra/runtime/logger.ts'
import type { Metrics } from '../infra/runtime/metrics.ts'
import { retry } from '../infra/runtime/retry.ts'
import { lagEvents, readCheckpoint, readClosedProposals } from './checkpoint.ts'
import type { ProjectionsConfig } from './config.ts'
import { CONTROL_DATABASE, databaseOf } from './contract/read-model.ts'
import { ensureActiveGeneration } from './generations.ts'
import { createProjectionMetrics } from './projection-metrics.ts'
import { createRunner, type Runner } from './runner.ts'
import { createWriter } from './writer.ts'

export type ProjectionsOptions = {
  config: ProjectionsConfig
  log: EventLog
  /** Its schema is migrated already. */
  store: Store
  logger: Logger
  metrics: Metrics
  clock?: Clock
  /** The control database, where it is not the usual one. */
  control?: string
}

export type ProjectionsProgress = {
  generation: number
  /** Undefined before the first commit. */
  height: number | undefined
  tip: number | undefined
  nextOffset: bigint
  logEnd: bigint
  lagEvents: bigint
  isCaughtUp: boolean
  openProposals: number
  oldestWaitingSinceMs: number | undefined
}

export type Projections = {
  /** Resolves after `close`; rejects where the projections cannot go on. */
  done: Promise<void>
  progress(): ProjectionsProgress
  close(): Promise<void>
}

const progressOf = (runner: Runner, generation: number): ProjectionsProgress => {
  const committed = runner.committed()
  const { logEnd, oldestWaitingSinceMs } = runner.lag()
  const nextOffset = committed?.nextOffset ?? 0n
  const behind = lagEvents({ nextOffset }, logEnd)
  return {
    generation,
    height: committed?.height,
    tip: committed?.tip,
    nextOffset,
    logEnd,
    lagEvents: behind,
    isCaughtUp: committed !== undefined && behind === 0n,
    openProposals: runner.openProposals(),
    oldestWaitingSinceMs,
  }
}

/** For how long a store that does not answer at start is tried again. */
const START_BUDGET_MS = 60_000

const readStart = async (store: Store, control: string, nowMs: number) => {
  const generation = await ensureActiveGeneration(store, control, nowMs)
  const database = databaseOf(generation, control)
  const start = await readCheckpoint(store, database)
  const closed = start ? await readClosedProposals(store, database, start) : []
  return { generation, database, start, closed }
}

export const startProjections = async (options: ProjectionsOptions): Promise<Projections> => {
  const { config, log, store, logger, clock = systemClock, control = CONTROL_DATABASE } = options
  const controller = new AbortController()
  const { signal } = controller
  const metrics = createProjectionMetrics(options.metrics)
  const { generation, database, start, closed } = await retry(
    () => readStart(store, control, clock.now()),
    {
      limit: Number.POSITIVE_INFINITY,
      budgetMs: START_BUDGET_MS,
      baseDelayMs: 100,
      maxDelayMs: config.storeRetryMaxMs,
      signal,
      clock,
    },
  )
  const retryMaxMs = config.storeRetryMaxMs
  const countRetry = () => metrics.storeRetries.inc()
  const writer = createWriter({
    store,
    database,
    log: logger,
    clock,
    signal,
    retryMaxMs,
    countRetry,
  })
  const runner = createRunner({
    config,
    log,
    writer,
    logger,
    metrics,
    clock,
    controller,
    start,
    closed,
  })
  logger.info({ generation, height: start?.height }, 'started projections')
  const done = runner.run()
  // Whoever awaits `done` is told; nobody has to be there from the first instant.
  done.catch(() => {})
  return {
    done,
    progress: () => progressOf(runner, generation),
    async close() {
      controller.abort()
      await done.catch(() => {})
    },
  }
}
