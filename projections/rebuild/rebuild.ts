// Runs a rebuild: adds a generation, fills it, compares it and makes it the served one. An interruption at any step leaves the
// served generation unchanged, and the new one can be continued or dropped.
import type { Store } from '../../infra/base/clickhouse/client.ts'
import { type Clock, systemClock } from '../../infra/base/runtime/clock.ts'
import { waitUntilSettled } from '../../infra/base/runtime/promises.ts'
import { CONTROL_DATABASE } from '../contract/database.ts'
import { type Generation, readGenerations } from '../contract/generations.ts'
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

/** In this order, as far as the rebuild gets. */
export type Step =
  | { kind: 'migrated' | 'added' | 'resumed' | 'built'; generation: number }
  | { kind: 'compared'; comparison: Comparison }
  | { kind: 'switched' | 'pointed'; generation: number; former: number }

export type RebuildOptions = {
  store: Store
  /** Name of the holder, for other clients. */
  holder: string
  signal: AbortSignal
  /** Whether to serve the new generation. */
  accept: (comparison: Comparison) => boolean | Promise<boolean>
  onStep?: (step: Step) => unknown
  onProgress?: OnProgress
  clock?: Clock
  /** The control database, if it is not the default. */
  control?: string
}

export type Outcome = {
  generation: number
  /** The previously served generation. */
  former: number
  /** Absent for a switch back to an earlier generation. */
  comparison?: Comparison
  isSwitched: boolean
}

type Run = RebuildOptions &
  BuildOptions & { onStep: (step: Step) => unknown; onProgress: OnProgress }

/** Runs `work` under the lease. */
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
    // The reason of the lost lease is more useful than an abort error.
    throw lease.signal.reason instanceof Error && !options.signal.aborted
      ? lease.signal.reason
      : error
  } finally {
    // If the store is unavailable, the lease expires.
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
  // The comparison takes time, and the served generation has continued.
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
  /** Continue the unfinished rebuild. */
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

/** A new generation is compared first; for a switch back to an earlier one it is not. */
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
