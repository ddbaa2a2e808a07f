// Projects one generation: its own runner from its own checkpoint, into its own tables.
import type { Store } from '../../infra/base/clickhouse/client.ts'
import type { EventLog } from '../../infra/base/log/event-log.ts'
import { linkedAbort } from '../../infra/base/runtime/abort.ts'
import type { Clock } from '../../infra/base/runtime/clock.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { policies } from '../../infra/base/runtime/policies.ts'
import { handledLater, waitUntilSettled } from '../../infra/base/runtime/promises.ts'
import { retry } from '../../infra/base/runtime/retry.ts'
import type { ProjectionsConfig } from '../config.ts'
import { readCheckpoint } from '../contract/checkpoints.ts'
import { RUNNER, toDatabaseName } from '../contract/database.ts'
import type { ProjectionMetrics } from '../projection-metrics.ts'
import { followAgents } from './agents.ts'
import { readClosedProposals } from './checkpoint.ts'
import { createRecordFinder } from './find-record.ts'
import { Runner } from './governance.ts'
import { createRefusedRows, readRefusals } from './refused-rows.ts'
import { createRetriedLog } from './retried-log.ts'
import { createWriter } from './writer.ts'

export type GenerationRunnerOptions = {
  config: ProjectionsConfig
  log: EventLog
  store: Store
  logger: Logger
  metrics: ProjectionMetrics
  clock: Clock
  control: string
  /** The signal of the projections: ends this runner too. */
  signal: AbortSignal
  /** The log of agents, if there is one. */
  agentsLog?: EventLog
}

export type GenerationRunner = {
  generation: number
  runner: Pick<Runner, 'committed' | 'lag' | 'openProposals'>
  /** Resolves after `stop`; rejects if this generation cannot continue. */
  done: Promise<void>
  stop(): Promise<void>
}

const readStart = async (store: Store, database: string) => {
  const start = await readCheckpoint(store, database, { projection: RUNNER })
  const closed = start ? await readClosedProposals(store, database, start) : []
  const refusals = start ? await readRefusals(store.select, database) : new Map()
  return { start, closed, refusals }
}

export const startGeneration = async (
  generation: number,
  options: GenerationRunnerOptions,
): Promise<GenerationRunner> => {
  const { config, store, metrics, clock, signal } = options
  const logger = options.logger.child({ generation })
  const database = toDatabaseName(generation, options.control)
  const retryMaxMs = config.storeRetryMaxMs
  const { start, closed, refusals } = await retry(() => readStart(store, database), {
    ...policies.readStart(retryMaxMs),
    signal,
    clock,
  })
  const controller = linkedAbort(signal)
  const retrying = { signal: controller.signal, clock }
  const log = createRetriedLog(options.log, retrying)
  const refusedRows = createRefusedRows(
    {
      select: store.select,
      database,
      logger,
      count: metrics.refusedRows,
      findRecord: createRecordFinder(log),
    },
    refusals,
  )
  const writer = createWriter({
    store,
    database,
    retryMaxMs,
    refusedRows,
    ...retrying,
    logger,
    countRetry: () => metrics.storeRetries.inc(),
  })
  const runner = new Runner({
    config,
    log,
    logger,
    metrics,
    clock,
    controller,
    start,
    closed,
    writer,
  })
  logger.info({ height: start?.height }, 'started projections')
  const agents = options.agentsLog
    ? followAgents({
        log: options.agentsLog,
        store,
        database,
        logger,
        clock,
        signal: controller.signal,
        paceMs: config.heartbeatMs,
      })
    : Promise.resolve()
  const run = async () => {
    // A defect of either ends both.
    agents.catch(() => controller.abort())
    try {
      await runner.run()
      await agents
    } finally {
      // If a generation cannot continue, both of its runners stop.
      controller.abort()
      await waitUntilSettled(agents)
      controller.unlink()
    }
  }
  const done = handledLater(run())
  return {
    generation,
    runner,
    done,
    stop: async () => {
      controller.abort()
      await waitUntilSettled(done)
    },
  }
}
