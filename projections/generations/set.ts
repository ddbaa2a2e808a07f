// Projects each generation that is filled or served, and follows the list of generations once a second. It points the views of analysts
// to the served one, and drops those that are not needed. A fault of another generation never stops the served one.
import { AppError, hasCode } from '../../infra/base/runtime/errors.ts'
import { policies } from '../../infra/base/runtime/policies.ts'
import { supervise } from '../../infra/base/runtime/supervise.ts'
import { findActive, type Generation, readGenerations } from '../contract/generations.ts'
import { pointViews } from '../read-model/analyst-views.ts'
import {
  type GenerationOptions,
  type GenerationRunner,
  startGeneration,
} from '../runner/generation.ts'
import {
  dropGeneration,
  dropTables,
  isLingering,
  isProjected,
  type ListOptions,
  writeStates,
} from './list.ts'

export type GenerationSetOptions = Omit<GenerationOptions, 'isActive'> & {
  /** Aborted if the served generation cannot continue. */
  controller: AbortController
  /** Called after each refresh, with the served generation. */
  onRefreshed: (active: number) => Promise<void>
}

const FOLLOW_MS = 1_000

const isRetryable = (error: unknown): boolean => error instanceof AppError && error.retryable

export class GenerationSet {
  readonly #options: GenerationSetOptions
  readonly #running = new Map<number, GenerationRunner>()
  /** Generations that failed in this process: not started again, and marked as failed once the store allows it. */
  readonly #faulted = new Map<number, unknown>()
  /** The fault of the served generation, which ends all. */
  #fault: { error: unknown } | undefined
  #active: number
  /** The runner of the served generation, or the last one of it. */
  #activeRunner: GenerationRunner | undefined
  /** The generation of the views, which were pointed before this start. */
  #viewed: number
  #hasSwept = false

  private constructor(active: number, options: GenerationSetOptions) {
    this.#active = active
    this.#viewed = active
    this.#options = options
  }

  /** Resolves once the served generation runs; the others follow at the first refresh. */
  static async start(active: number, options: GenerationSetOptions): Promise<GenerationSet> {
    const set = new GenerationSet(active, options)
    set.#activeRunner = await set.#begin(active)
    return set
  }

  /** The runner of the served generation. */
  active(): GenerationRunner {
    this.#activeRunner = this.#running.get(this.#active) ?? this.#activeRunner
    return this.#activeRunner as GenerationRunner
  }

  /** Runs until the signal fires; rejects if the served generation cannot continue. */
  async follow(): Promise<void> {
    const { controller, clock, signal, logger } = this.#options
    try {
      await supervise(() => this.#refresh(), {
        policy: policies.poll(FOLLOW_MS),
        signal,
        clock,
        // The served generation continues.
        onFailure: (error, failures) => {
          if (failures === 1) logger.error({ error }, 'could not read the list of generations')
        },
      })
    } finally {
      controller.abort()
      await Promise.all([...this.#running.values()].map((runner) => runner.stop()))
    }
    if (this.#fault) throw this.#fault.error
  }

  async #refresh(): Promise<void> {
    const { store, control, clock, logger } = this.#options
    const generations = await readGenerations(store, control)
    const active = findActive(generations)?.generation ?? this.#active
    if (active !== this.#active) {
      logger.info({ from: this.#active, to: active }, 'switched the served generation')
      this.#active = active
    }
    const list = { store, control, nowMs: clock.now() }
    const projected = generations.filter((each) => isProjected(each, list.nowMs))
    for (const [generation, runner] of [...this.#running]) {
      if (!projected.some((each) => each.generation === generation)) await runner.stop()
    }
    for (const from of generations) await this.#resolveFault(from, list)
    for (const { generation } of projected) {
      const isKnown = this.#running.has(generation) || this.#faulted.has(generation)
      if (isKnown || this.#options.signal.aborted) continue
      await this.#begin(generation).catch((error) => this.#noteFault(generation, error))
    }
    await this.#sweep(generations, list)
    await this.#options.onRefreshed(this.#active)
  }

  /** A generation ends with a fault, unless it was stopped. */
  async #begin(generation: number): Promise<GenerationRunner> {
    const isActive = () => this.#active === generation
    const runner = await startGeneration(generation, { ...this.#options, isActive })
    this.#running.set(generation, runner)
    const remove = () => {
      if (this.#running.get(generation) === runner) this.#running.delete(generation)
    }
    runner.done.then(remove, (error: unknown) => {
      remove()
      this.#noteFault(generation, error)
    })
    return runner
  }

  #noteFault(generation: number, error: unknown): void {
    if (hasCode(error, 'ABORTED')) return
    this.#options.logger.error({ generation, error }, 'stopped projecting a generation')
    const isActive = generation === this.#active
    // After a retryable failure, the next refresh starts the generation again.
    if (!isActive && isRetryable(error)) return
    this.#faulted.set(generation, error)
    // The next refresh decides on others: one may have become the served generation in the meantime.
    if (isActive) this.#end(error)
  }

  #end(error: unknown): void {
    this.#fault ??= { error }
    this.#options.controller.abort()
  }

  async #resolveFault(from: Generation, list: ListOptions): Promise<void> {
    const { generation, state } = from
    const error = this.#faulted.get(generation)
    if (error === undefined) return
    if (state === 'active') this.#end(error)
    if (state !== 'building') return
    const reason = error instanceof Error ? error.message : String(error)
    await writeStates(list, [{ generation, state: 'failed', reason, from }])
  }

  async #sweep(generations: readonly Generation[], list: ListOptions): Promise<void> {
    const { store, control, config, logger } = this.#options
    if (this.#viewed !== this.#active) {
      await pointViews(store, { control, generation: this.#active })
      this.#viewed = this.#active
    }
    const due = generations
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
    for (const each of generations)
      if (each.state === 'dropped') await dropTables(list, each.generation)
    this.#hasSwept = true
  }
}
