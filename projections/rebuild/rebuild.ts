// A rebuild from beginning to end: a generation is added, filled, compared and made the served one. Each step stands by
// itself: whatever cuts it off, the served generation goes on, and what was added is gone on with or taken away.
import type { Store } from '../../infra/clickhouse/client.ts'
import { type Clock, systemClock } from '../../infra/runtime/clock.ts'
import { waitUntilSettled } from '../../infra/runtime/promises.ts'
import { type Generation, readGenerations } from '../contract/generations.ts'
import { CONTROL_DATABASE } from '../contract/read-model.ts'
import {
  addGeneration,
  type BuildOptions,
  type OnProgress,
  requireActive,
  waitUntilBuilt,
} from './build.ts'
import { type Comparison, compareGenerations } from './compare.ts'
import { takeLease } from './lease.ts'
import { createPositionReader, requireProjections } from './position.ts'
import { dropByHand, requireSwitchable, reviveGeneration, switchTo } from './switch.ts'

/** In this order, as far as it comes. */
export type Step =
  | { kind: 'migrated' | 'added' | 'resumed' | 'built'; generation: number }
  | { kind: 'compared'; comparison: Comparison }
  | { kind: 'switched' | 'pointed'; generation: number; former: number }

export type RebuildOptions = {
  store: Store
  /** Who does it, for whoever else tries meanwhile. */
  holder: string
  signal: AbortSignal
  /** Whether to serve what was built. */
  accept: (comparison: Comparison) => boolean | Promise<boolean>
  onStep?: (step: Step) => unknown
  onProgress?: OnProgress
  clock?: Clock
  /** The control database, where it is not the usual one. */
  control?: string
}

export type Outcome = {
  generation: number
  /** The one that was served before. */
  former: number
  /** Absent where a person goes back to an earlier generation. */
  comparison?: Comparison
  isSwitched: boolean
}

type Run = RebuildOptions &
  BuildOptions & { onStep: (step: Step) => unknown; onProgress: OnProgress }

/** Runs `work` as the only one who rebuilds. */
const alone = async <T>(
  options: RebuildOptions,
  work: (run: Run, check: () => Promise<void>) => Promise<T>,
): Promise<T> => {
  const { store, holder, clock = systemClock, control = CONTROL_DATABASE } = options
  const lease = await takeLease({ store, control, clock, holder, signal: options.signal })
  const positionOf = createPositionReader(store, control)
  const { onStep = () => {}, onProgress = () => {} } = options
  const run = { ...options, clock, control, positionOf, onStep, onProgress, signal: lease.signal }
  try {
    return await work(run, () => lease.check())
  } catch (error) {
    // What took the lease away says more than that something was aborted.
    throw lease.signal.reason instanceof Error && !options.signal.aborted
      ? lease.signal.reason
      : error
  } finally {
    // A store that is away now lets it run out.
    await waitUntilSettled(lease.release())
  }
}

const requireAlive = (run: Run, { generation }: Generation): Promise<void> =>
  requireProjections(() => run.positionOf(generation), run)

const build = async (run: Run, generation: number, active: number): Promise<void> => {
  await waitUntilBuilt(run, { generation, active, onProgress: run.onProgress })
  await run.onStep({ kind: 'built', generation })
}

const compareWith = async (run: Run, generation: number, active: number): Promise<Comparison> => {
  const comparison = await compareGenerations({ ...run, pair: [active, generation] })
  await run.onStep({ kind: 'compared', comparison })
  return comparison
}

const activate = async (
  run: Run,
  { generation, active, check }: { generation: number; active: number; check: () => Promise<void> },
): Promise<void> => {
  // Comparing takes its time, and the served one has gone on.
  await waitUntilBuilt(run, { generation, active, onProgress: () => {} })
  await check()
  const onSwitched = () => run.onStep({ kind: 'switched', generation, former: active })
  await switchTo(run, generation, { onSwitched })
  await run.onStep({ kind: 'pointed', generation, former: active })
}

const compareAndActivate = async (
  run: Run,
  at: { generation: number; active: number; check: () => Promise<void> },
): Promise<Outcome> => {
  const { generation, active } = at
  const comparison = await compareWith(run, generation, active)
  const isAccepted = await run.accept(comparison)
  if (isAccepted) await activate(run, at)
  return { generation, former: active, comparison, isSwitched: isAccepted }
}

export type RebuildMode = {
  /** Go on with the one that was not finished. */
  resume?: boolean
  /** Build and compare only. */
  noSwitch?: boolean
}

export const rebuild = (options: RebuildOptions, mode: RebuildMode = {}): Promise<Outcome> =>
  alone(options, async (run, check) => {
    const active = requireActive(await readGenerations(run.store, run.control))
    await requireAlive(run, active)
    const { generation, isNew } = await addGeneration(run, {
      resume: mode.resume ?? false,
      onMigrated: (added) => run.onStep({ kind: 'migrated', generation: added }),
    })
    await run.onStep({ kind: isNew ? 'added' : 'resumed', generation })
    const at = { generation, active: active.generation, check }
    await build(run, generation, at.active)
    if (!mode.noSwitch) return compareAndActivate(run, at)
    const comparison = await compareWith(run, generation, at.active)
    return { generation, former: at.active, comparison, isSwitched: false }
  })

/** A generation that was built is compared first; one that was served before is simply gone back to. */
export const switchGeneration = (options: RebuildOptions, generation: number): Promise<Outcome> =>
  alone(options, async (run, check) => {
    const generations = await readGenerations(run.store, run.control)
    const active = requireActive(generations)
    const next = requireSwitchable(generations, generation)
    await requireAlive(run, active)
    await reviveGeneration(run, next)
    const at = { generation, active: active.generation, check }
    await build(run, generation, at.active)
    if (next.state === 'building') return compareAndActivate(run, at)
    await activate(run, at)
    return { generation, former: at.active, isSwitched: true }
  })

export const dropRebuilt = (
  options: RebuildOptions,
  generation: number,
  { force }: { force: boolean },
): Promise<void> => alone(options, (run) => dropByHand(run, generation, { force }))
