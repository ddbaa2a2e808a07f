// Adds a generation beside the served one and waits until the projections have filled it.
import type { Store } from '../../infra/base/clickhouse/client.ts'
import type { Clock } from '../../infra/base/runtime/clock.ts'
import { AppError } from '../../infra/base/runtime/errors.ts'
import { findActive, type Generation, readGenerations } from '../contract/generations.ts'
import { findGeneration, writeStates } from '../generations/list.ts'
import { migrate } from '../read-model/migrate.ts'
import type { Position, PositionReader } from './position.ts'

export const refuse = (message: string): AppError =>
  new AppError('REBUILD_REFUSED', message, { expose: true })

export type BuildOptions = {
  store: Store
  control: string
  positionOf: PositionReader
  clock: Clock
  signal: AbortSignal
}

export const requireActive = (generations: readonly Generation[]): Generation => {
  const active = findActive(generations)
  if (!active) throw refuse('no generation is served yet: start Rollcall first')
  return active
}

/** The generation of an earlier rebuild that did not finish. */
const findUnfinished = (generations: readonly Generation[]): Generation | undefined =>
  generations.filter(({ state }) => state === 'building').at(-1)

/**
 * The generation to fill. A new one gets its tables before it is listed, so that an interruption leaves
 * either no listed generation, or one that is being built.
 */
export const addGeneration = async (
  { store, control, clock }: BuildOptions,
  { resume, onMigrated }: { resume: boolean; onMigrated: (generation: number) => unknown },
): Promise<{ generation: number; isNew: boolean }> => {
  const generations = await readGenerations(store, control)
  const unfinished = findUnfinished(generations)
  if (unfinished && !resume) {
    const since = new Date(unfinished.changedAtMs).toISOString()
    throw refuse(
      `generation ${unfinished.generation} is being built since ${since}, by an unfinished rebuild: ` +
        `continue it (rollcall rebuild --resume) or drop it (rollcall rebuild --drop ${unfinished.generation})`,
    )
  }
  if (unfinished) return { generation: unfinished.generation, isNew: false }
  if (resume) throw refuse('there is no unfinished rebuild to continue')
  const generation = Math.max(...generations.map((each) => each.generation)) + 1
  await migrate(store, { control, generation })
  await onMigrated(generation)
  const added = { generation, state: 'building', from: undefined } as const
  await writeStates(store, control, { changes: [added], nowMs: clock.now() })
  return { generation, isNew: true }
}

const POLL_MS = 250
/** The projections start a new generation within two seconds, and then write a heartbeat every second. */
const SILENT_MS = 30_000

const requireBuilding = async ({ store, control }: BuildOptions, generation: number) => {
  const row = findGeneration(await readGenerations(store, control), generation)
  if (row?.state === 'failed') throw refuse(`generation ${generation} failed: ${row.reason}`)
  if (row?.state === 'dropped' || !row) throw refuse(`generation ${generation} was dropped`)
}

/** Called at every poll with the positions of both generations. */
export type OnProgress = (progress: { built: Position; served: Position }) => unknown

/** Time without a new heartbeat. */
const createPulse = (clock: Clock) => {
  let life = { writtenAt: '', atMs: clock.now() }
  return ({ writtenAt }: Position): number => {
    if (writtenAt !== life.writtenAt) life = { writtenAt, atMs: clock.now() }
    return clock.now() - life.atMs
  }
}

const isAsFar = (built: Position, served: Position): boolean =>
  built.writtenAt !== '' &&
  built.nextOffset >= served.nextOffset &&
  built.agentsOffset >= served.agentsOffset

/** Resolves when it has reached the position of the served one; rejects if the projections of either stop. */
export const waitUntilBuilt = async (
  options: BuildOptions,
  {
    generation,
    active,
    onProgress,
  }: { generation: number; active: number; onProgress: OnProgress },
): Promise<void> => {
  const { positionOf, clock, signal } = options
  const silences = { served: createPulse(clock), built: createPulse(clock) }
  for (;;) {
    const served = await positionOf(active)
    const built = await positionOf(generation)
    await onProgress({ built, served })
    if (isAsFar(built, served)) return
    await requireBuilding(options, generation)
    const silentMs = Math.max(silences.served(served), silences.built(built))
    if (silentMs > SILENT_MS) {
      throw refuse(
        `the projections have not written for ${SILENT_MS / 1000} s: start Rollcall again, then run rollcall rebuild --resume`,
      )
    }
    await clock.sleep(POLL_MS, signal)
  }
}
