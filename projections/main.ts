// Starts the projections on an open log and an open store; stops them, and closes neither.
import type { Store } from '../infra/base/clickhouse/client.ts'
import type { EventLog } from '../infra/base/log/event-log.ts'
import { type Clock, systemClock } from '../infra/base/runtime/clock.ts'
import type { Logger } from '../infra/base/runtime/logger.ts'
import type { Metrics } from '../infra/base/runtime/metrics.ts'
import { policies } from '../infra/base/runtime/policies.ts'
import { handledLater, waitUntilSettled } from '../infra/base/runtime/promises.ts'
import { retry } from '../infra/base/runtime/retry.ts'
import type { ProjectionsConfig } from './config.ts'
import { CONTROL_DATABASE } from './contract/database.ts'
import { readGenerations } from './contract/generations.ts'
import { createFaultGauges } from './generations/fault-gauges.ts'
import { ensureActiveGeneration, writeStates } from './generations/list.ts'
import { type GenerationSet, startGenerationSet } from './generations/set.ts'
import { createSweep } from './generations/sweep.ts'
import {
  createActiveMetrics,
  createProjectionMetrics,
  type ProjectionMetrics,
} from './projection-metrics.ts'
import { lagEvents } from './runner/checkpoint.ts'
import { type GenerationRunner, startGeneration } from './runner/generation.ts'

export type ProjectionsOptions = {
  config: ProjectionsConfig
  log: EventLog
  /** Its schema is already migrated. */
  store: Store
  logger: Logger
  metrics: Metrics
  clock?: Clock
  /** The control database, if it is not the default. */
  control?: string
  /** The log of agents, if there is one: claims and revocations are projected from it. */
  agentsLog?: EventLog
  /** Called after each commit into the served generation. */
  onCommitted?: () => void
}

export type ProjectionsProgress = {
  /** The served generation. */
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
  /** Resolves after `close`; rejects if the projections cannot continue. */
  done: Promise<void>
  progress(): ProjectionsProgress
  close(): Promise<void>
}

const toProgress = ({ runner, generation }: GenerationRunner): ProjectionsProgress => {
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

const startSet = async (
  options: ProjectionsOptions & { clock: Clock; control: string },
  controller: AbortController,
): Promise<GenerationSet> => {
  const { config, log, store, logger, clock, control, agentsLog } = options
  const { signal } = controller
  const counted = createProjectionMetrics(options.metrics)
  const metrics: ProjectionMetrics = {
    ...counted,
    committed: (done) => {
      counted.committed(done)
      options.onCommitted?.()
    },
  }
  const active = await retry(() => ensureActiveGeneration(store, control, clock.now()), {
    ...policies.readStart(config.storeRetryMaxMs),
    signal,
    clock,
  })
  const sweep = createSweep({ store, control, keep: config.keptGenerations, logger })
  const reportFaults = createFaultGauges({ store, metrics: options.metrics, control, clock })
  return startGenerationSet(active, {
    logger,
    clock,
    controller,
    read: () => readGenerations(store, control),
    start: (generation, isActive) =>
      startGeneration(generation, {
        config,
        log,
        store,
        logger,
        clock,
        control,
        signal,
        metrics: createActiveMetrics(metrics, isActive),
        ...(agentsLog && { agentsLog }),
      }),
    markFailed: (from, reason) => {
      const change = { generation: from.generation, state: 'failed', reason, from } as const
      return writeStates(store, control, { changes: [change], nowMs: clock.now() })
    },
    sweep: async (generations) => {
      await reportFaults(generations)
      await sweep(generations, clock.now())
    },
  })
}

export const startProjections = async (options: ProjectionsOptions): Promise<Projections> => {
  const { clock = systemClock, control = CONTROL_DATABASE } = options
  const controller = new AbortController()
  const set = await startSet({ ...options, clock, control }, controller)
  const done = handledLater(set.follow())
  return {
    done,
    progress: () => toProgress(set.active()),
    async close() {
      controller.abort()
      await waitUntilSettled(done)
    },
  }
}
