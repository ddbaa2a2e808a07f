// Runs every generation with its own runner, and follows the list of generations once a second. A fault of a generation in
// building never stops the served one.
import type { Clock } from '../../infra/base/runtime/clock.ts'
import { AppError } from '../../infra/base/runtime/errors.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { policies } from '../../infra/base/runtime/policies.ts'
import { handledLater, waitUntilSettled } from '../../infra/base/runtime/promises.ts'
import { supervise } from '../../infra/base/runtime/supervise.ts'
import { findActive, type Generation } from '../contract/generations.ts'
import type { GenerationRunner } from '../runner/generation.ts'
import { findGeneration, isProjected } from './list.ts'

export type GenerationSetOptions = {
  read: () => Promise<Generation[]>
  start: (generation: number, isActive: () => boolean) => Promise<GenerationRunner>
  markFailed: (generation: Generation, reason: string) => Promise<void>
  /** Called after each refresh, to remove generations that are not needed any more. */
  sweep: (generations: readonly Generation[]) => Promise<void>
  logger: Logger
  clock: Clock
  /** Aborted when the projections stop, or if the served generation cannot continue. */
  controller: Pick<AbortController, 'signal' | 'abort'>
}

export type GenerationSet = {
  /** The runner of the served generation. */
  active(): GenerationRunner
  /** Runs until the signal fires; rejects if the served generation cannot continue. */
  follow(): Promise<void>
}

const FOLLOW_MS = 1_000

type State = GenerationSetOptions & {
  signal: AbortSignal
  running: Map<number, GenerationRunner>
  /**
   * Generations that failed in this process, with the reason: not started again, and marked as failed once
   * the store allows it.
   */
  faulted: Map<number, unknown>
  active: number
  /** Rejects `follow`. */
  fail: (error: unknown) => void
}

const describeError = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

const isRetryable = (error: unknown): boolean => error instanceof AppError && error.retryable

const removeRunner = (state: State, runner: GenerationRunner): void => {
  const { generation } = runner
  if (state.running.get(generation) === runner) state.running.delete(generation)
}

const onFault = (state: State, generation: number, error: unknown): void => {
  state.logger.error({ generation, error }, 'stopped projecting a generation')
  const isActive = generation === state.active
  // After a retryable failure, the next refresh starts the generation again.
  if (!isActive && isRetryable(error)) return
  state.faulted.set(generation, error)
  // The next refresh decides: the generation may have become the served one in the meantime.
  if (isActive) state.fail(error)
}

/** Runs a generation until it ends, which is a fault unless it was stopped. */
const begin = async (state: State, generation: number): Promise<GenerationRunner> => {
  const runner = await state.start(generation, () => state.active === generation)
  state.running.set(generation, runner)
  runner.done.then(
    () => removeRunner(state, runner),
    (error: unknown) => {
      removeRunner(state, runner)
      onFault(state, generation, error)
    },
  )
  return runner
}

const resolveFaults = async (state: State, generations: readonly Generation[]): Promise<void> => {
  for (const [generation, error] of state.faulted) {
    const row = findGeneration(generations, generation)
    if (row?.state === 'active') return state.fail(error)
    if (row?.state === 'building') await state.markFailed(row, describeError(error))
    else if (row?.state !== 'retired') state.faulted.delete(generation)
  }
}

const startMissing = async (state: State, projected: readonly Generation[]): Promise<void> => {
  const { running, faulted, signal } = state
  for (const { generation } of projected) {
    if (signal.aborted || running.has(generation) || faulted.has(generation)) continue
    try {
      await begin(state, generation)
    } catch (error) {
      if (!signal.aborted && !isRetryable(error)) onFault(state, generation, error)
    }
  }
}

const refresh = async (state: State): Promise<void> => {
  const generations = await state.read()
  const active = findActive(generations)
  if (active && active.generation !== state.active) {
    state.logger.info(
      { from: state.active, to: active.generation },
      'switched the served generation',
    )
    state.active = active.generation
  }
  const nowMs = state.clock.now()
  const projected = generations.filter((each) => isProjected(each, nowMs))
  for (const runner of [...state.running.values()]) {
    if (findGeneration(projected, runner.generation)) continue
    await runner.stop()
    state.logger.info({ generation: runner.generation }, 'stopped a generation that is not needed')
  }
  await resolveFaults(state, generations)
  await startMissing(state, projected)
  await state.sweep(generations)
}

/** The served generation continues if a refresh fails: the next one retries. */
const run = async (state: State): Promise<void> => {
  const { clock, signal, running, logger } = state
  try {
    await supervise(() => refresh(state), {
      policy: policies.poll(FOLLOW_MS),
      signal,
      clock,
      onFailure: (error, failures) => {
        if (failures === 1) logger.error({ error }, 'could not read the list of generations')
      },
    })
  } finally {
    await Promise.all([...running.values()].map((runner) => runner.stop()))
  }
}

/** Resolves after the served generation started; the others follow at the first refresh. */
export const startGenerationSet = async (
  active: number,
  options: GenerationSetOptions,
): Promise<GenerationSet> => {
  let fail = (_: unknown): void => {}
  const failed = handledLater(
    new Promise<never>((_, reject) => {
      fail = reject
    }),
  )
  const { controller } = options
  const state: State = {
    ...options,
    signal: controller.signal,
    running: new Map(),
    faulted: new Map(),
    active,
    fail,
  }
  let activeRunner = await begin(state, active)
  return {
    active: () => {
      activeRunner = state.running.get(state.active) ?? activeRunner
      return activeRunner
    },
    follow: async () => {
      const ended = run(state)
      try {
        await Promise.race([ended, failed])
      } finally {
        controller.abort()
        await waitUntilSettled(ended)
      }
    },
  }
}
