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
import { ensureActiveGeneration } from './generations/list.ts'
import { GenerationSet } from './generations/set.ts'
import { createFaultGauges, createProjectionMetrics } from './projection-metrics.ts'
import { lagEvents } from './runner/checkpoint.ts'
import type { GenerationRunner } from './runner/generation.ts'

export type ProjectionsOptions = {
  config: ProjectionsConfig
  log: EventLog
  /** Its tables exist already. */
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
  /** Proposals that stopped because a table refused a row of them, with their reasons. */
  stopped: ReadonlyMap<string, string>
}

export type Projections = {
  /** Resolves after `close`; rejects if the projections cannot continue. */
  done: Promise<void>
  progress(): ProjectionsProgress
  close(): Promise<void>
}

const toProgress = ({ governance, generation }: GenerationRunner): ProjectionsProgress => {
  const committed = governance.committed()
  const { logEnd, oldestWaitingSinceMs } = governance.lag()
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
    openProposals: governance.openProposals(),
    oldestWaitingSinceMs,
    stopped: governance.stopped(),
  }
}

export async function startProjections(options: ProjectionsOptions): Promise<Projections> {
  const { config, store, clock = systemClock, control = CONTROL_DATABASE } = options
  const controller = new AbortController()
  const { signal } = controller
  const metrics = createProjectionMetrics(options.metrics)
  const countFaults = createFaultGauges(options.metrics, store, clock)
  const active = await retry(() => ensureActiveGeneration({ store, control, nowMs: clock.now() }), {
    ...policies.readStart(config.storeRetryMaxMs),
    signal,
    clock,
  })
  const set = await GenerationSet.start(active, {
    ...options,
    clock,
    control,
    signal,
    controller,
    metrics: {
      ...metrics,
      committed: (done) => {
        metrics.committed(done)
        options.onCommitted?.()
      },
    },
    onRefreshed: (generation) => countFaults(generation, control),
  })
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
