// Projects each generation that is filled or served, on an open log and an open store, and closes neither. It follows the list of
// generations once a second, points the views of analysts to the served one, and drops those that are not needed. A fault of another
// generation never stops the served one.
import type { Store } from '../infra/base/clickhouse/client.ts'
import type { EventLog } from '../infra/base/log/event-log.ts'
import { handledLater, waitUntilSettled } from '../infra/base/runtime/abort.ts'
import { type Clock, systemClock } from '../infra/base/runtime/clock.ts'
import { AppError, hasCode } from '../infra/base/runtime/errors.ts'
import type { Logger } from '../infra/base/runtime/logger.ts'
import type { Metrics } from '../infra/base/runtime/metrics.ts'
import { policies } from '../infra/base/runtime/policies.ts'
import { retry, supervise } from '../infra/base/runtime/retry.ts'
import type { ProjectionsConfig } from './config.ts'
import { CONTROL_DATABASE } from './contract/database.ts'
import { findActive, type Generation as Listed, readGenerations } from './contract/generations.ts'
import {
  dropGeneration,
  dropTables,
  ensureActiveGeneration,
  isLingering,
  isProjected,
  type ListOptions,
  writeStates,
} from './generations.ts'
import { createFaultGauges, createProjectionMetrics } from './projection-metrics.ts'
import { pointViews } from './read-model/prepare.ts'
import {
  type Generation,
  type GenerationOptions,
  type ProjectionsProgress,
  startGeneration,
} from './runner/generation.ts'

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
  /** Called after each commit into the served generation. */
  onCommitted?: () => void
}

export type Projections = {
  /** Resolves after `close`; rejects if the projections cannot continue. */
  done: Promise<void>
  /** Of the served generation. */
  progress(): ProjectionsProgress
  close(): Promise<void>
}

const FOLLOW_MS = 1_000

const isRetryable = (error: unknown): boolean => error instanceof AppError && error.retryable

type GenerationsOptions = Omit<GenerationOptions, 'isServed' | 'signal'> & {
  /** Aborted if the served generation cannot continue. */
  controller: AbortController
  /** Called with the served generation after each reading of the list. */
  onRefreshed: (served: number) => Promise<void>
}

class Generations {
  readonly #options: GenerationsOptions
  readonly #running = new Map<number, Generation>()
  /** Generations that failed in this process: not started again, and marked as failed once the store allows it. */
  readonly #faulted = new Map<number, unknown>()
  /** The fault of the served generation, which ends all. */
  #fault: { error: unknown } | undefined
  #served: number
  /** What runs the served generation, or ran it last. */
  #servedRun: Generation | undefined
  /** The generation of the views, which were pointed before this start. */
  #viewed: number
  #hasSwept = false

  constructor(served: number, options: GenerationsOptions) {
    this.#served = served
    this.#viewed = served
    this.#options = options
  }

  served(): Generation {
    this.#servedRun = this.#running.get(this.#served) ?? this.#servedRun
    return this.#servedRun as Generation
  }

  /** Runs until the signal fires; rejects if the served generation cannot continue. */
  async follow(): Promise<void> {
    const { controller, clock, logger } = this.#options
    try {
      await supervise(() => this.#refresh(), {
        policy: policies.poll(FOLLOW_MS),
        signal: controller.signal,
        clock,
        // The served generation continues.
        onFailure: (error, failures) => {
          if (failures === 1) logger.error({ error }, 'could not read the list of generations')
        },
      })
    } finally {
      controller.abort()
      await Promise.all([...this.#running.values()].map((running) => running.stop()))
    }
    if (this.#fault) throw this.#fault.error
  }

  /** A generation ends with a fault, unless it was stopped. */
  async begin(generation: number): Promise<void> {
    const { signal } = this.#options.controller
    const isServed = () => this.#served === generation
    const running = await startGeneration(generation, { ...this.#options, signal, isServed })
    this.#running.set(generation, running)
    running.done
      .finally(() => this.#running.delete(generation))
      .catch((error: unknown) => this.#noteFault(generation, error))
    this.served()
  }

  async #refresh(): Promise<void> {
    const { store, control, clock, logger, controller, onRefreshed } = this.#options
    const listed = await readGenerations(store, control)
    const served = findActive(listed)?.generation ?? this.#served
    if (served !== this.#served) {
      logger.info({ from: this.#served, to: served }, 'switched the served generation')
      this.#served = served
    }
    const list = { store, control, nowMs: clock.now() }
    const projected = listed.filter((each) => isProjected(each, list.nowMs))
    for (const [generation, running] of [...this.#running]) {
      if (!projected.some((each) => each.generation === generation)) await running.stop()
    }
    for (const from of listed) await this.#resolveFault(from, list)
    for (const { generation } of projected) {
      const isKnown = this.#running.has(generation) || this.#faulted.has(generation)
      if (isKnown || controller.signal.aborted) continue
      await this.begin(generation).catch((error) => this.#noteFault(generation, error))
    }
    await this.#sweep(listed, list)
    await onRefreshed(this.#served)
  }

  #noteFault(generation: number, error: unknown): void {
    if (hasCode(error, 'ABORTED')) return
    this.#options.logger.error({ generation, error }, 'stopped projecting a generation')
    const isServed = generation === this.#served
    // After a retryable failure, the next refresh starts the generation again.
    if (!isServed && isRetryable(error)) return
    this.#faulted.set(generation, error)
    // The next refresh decides on others: one may have become the served generation in the meantime.
    if (isServed) this.#end(error)
  }

  #end(error: unknown): void {
    this.#fault ??= { error }
    this.#options.controller.abort()
  }

  async #resolveFault(from: Listed, list: ListOptions): Promise<void> {
    const { generation, state } = from
    const error = this.#faulted.get(generation)
    if (error === undefined) return
    if (state === 'active') this.#end(error)
    if (state !== 'building') return
    const reason = error instanceof Error ? error.message : String(error)
    await writeStates(list, [{ generation, state: 'failed', reason, from }])
  }

  async #sweep(listed: readonly Listed[], list: ListOptions): Promise<void> {
    const { store, control, config, logger } = this.#options
    if (this.#viewed !== this.#served) {
      await pointViews(store, { control, generation: this.#served })
      this.#viewed = this.#served
    }
    const due = listed
      .filter(({ state }) => state === 'retired')
      .sort((one, other) => other.changedAtMs - one.changedAtMs)
      .slice(config.keptGenerations)
      .filter((each) => !isLingering(each, list.nowMs))
    for (const from of due) {
      await dropGeneration(list, from)
      logger.info({ generation: from.generation }, 'dropped a generation')
    }
    if (this.#hasSwept) return
    // What an interrupted drop left.
    for (const { state, generation } of listed) {
      if (state === 'dropped') await dropTables(list, generation)
    }
    this.#hasSwept = true
  }
}

export async function startProjections(options: ProjectionsOptions): Promise<Projections> {
  const { config, store, clock = systemClock, control = CONTROL_DATABASE } = options
  const controller = new AbortController()
  const metrics = createProjectionMetrics(options.metrics)
  const countFaults = createFaultGauges(options.metrics, store, clock)
  const served = await retry(() => ensureActiveGeneration({ store, control, nowMs: clock.now() }), {
    ...policies.readStart(config.storeRetryMaxMs),
    signal: controller.signal,
    clock,
  })
  const generations = new Generations(served, {
    ...options,
    clock,
    control,
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
  await generations.begin(served)
  const done = handledLater(generations.follow())
  return {
    done,
    progress: () => generations.served().progress(),
    async close() {
      controller.abort()
      await waitUntilSettled(done)
    },
  }
}
