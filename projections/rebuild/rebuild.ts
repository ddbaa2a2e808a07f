// Runs a rebuild: adds a generation, waits until the projections have filled it, compares it and makes it the served one. An
// interruption at any step leaves the served generation unchanged, and the new one can be finished or dropped.
import type { Store } from '../../infra/base/clickhouse/client.ts'
import { type Clock, systemClock } from '../../infra/base/runtime/clock.ts'
import { AppError } from '../../infra/base/runtime/errors.ts'
import { readCheckpoint, type StoredCheckpoint } from '../contract/checkpoints.ts'
import { CONTROL_DATABASE, toDatabaseName } from '../contract/database.ts'
import { findActive, type Generation, readGenerations } from '../contract/generations.ts'
import { dropGeneration, isLingering, isProjected, writeStates } from '../generations.ts'
import { createTables } from '../read-model/prepare.ts'
import { type Comparison, compareGenerations } from './compare.ts'

/** In this order, as far as the rebuild gets. */
export type Step =
  | { kind: 'created' | 'added' | 'built' | 'switched'; generation: number }
  | { kind: 'compared'; generation: number; comparison: Comparison }

/** How far a generation is. */
type Position = Pick<StoredCheckpoint, 'nextOffset' | 'logEnd' | 'writtenAt'>

export type RebuildOptions = {
  store: Store
  signal: AbortSignal
  /** Serve the new generation even if it differs. */
  acceptsDifferences?: boolean
  onStep?: (step: Step) => unknown
  /** Called at every poll with the positions of both generations. */
  onProgress?: (progress: { built: Position; served: Position }) => unknown
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

const POLL_MS = 250
/** The projections start a new generation within two seconds, and then write a heartbeat every second. */
const SILENT_MS = 30_000
/** The first commit of a new generation is a large one. */
const FIRST_COMMIT_MS = 10 * 60_000

type Run = RebuildOptions & { clock: Clock; control: string }

const toRun = (options: RebuildOptions): Run => ({
  clock: systemClock,
  control: CONTROL_DATABASE,
  ...options,
})

const toList = ({ store, control, clock }: Run) => ({ store, control, nowMs: clock.now() })

const refuse = (message: string): AppError =>
  new AppError('REBUILD_REFUSED', message, { expose: true })

const requireActive = async ({ store, control }: Run): Promise<Generation> => {
  const active = findActive(await readGenerations(store, control))
  if (!active) throw refuse('no generation is served yet: start Rollcall first')
  return active
}

/** One that has tables and is not served; a failed one can only be dropped. */
const requireOther = async (
  { store, control }: Run,
  generation: number,
  { orFailed = false } = {},
): Promise<Generation> => {
  const generations = await readGenerations(store, control)
  const found = generations.find((each) => each.generation === generation)
  if (!found) throw refuse(`there is no generation ${generation}`)
  const { state, reason } = found
  if (state === 'active') throw refuse(`generation ${generation} is the one that is served`)
  if (state === 'dropped') throw refuse(`generation ${generation} was dropped`)
  if (state === 'failed' && !orFailed) throw refuse(`generation ${generation} failed: ${reason}`)
  return found
}

/** The tables exist before the generation is listed: an interruption leaves no listed one, or one that is being built. */
const add = async (run: Run): Promise<number> => {
  const { store, control, onStep } = run
  const generations = await readGenerations(store, control)
  const unfinished = generations.findLast(({ state }) => state === 'building')?.generation
  if (unfinished !== undefined) {
    throw refuse(
      `generation ${unfinished} of an unfinished rebuild is being built: finish it ` +
        `(rollcall rebuild --switch ${unfinished}) or drop it (rollcall rebuild --drop ${unfinished})`,
    )
  }
  const generation = Math.max(...generations.map((each) => each.generation)) + 1
  await createTables(store, { control, generation })
  await onStep?.({ kind: 'created', generation })
  await writeStates(toList(run), [{ generation, state: 'building' }])
  await onStep?.({ kind: 'added', generation })
  return generation
}

/** Of a generation that is not projected yet. */
const NOWHERE: Position = { nextOffset: 0n, logEnd: 0n, writtenAt: '' }

/** Until the generation has the position of the served one. Refuses if nothing comes any more that it waits for. */
const waitUntilBuilt = async (run: Run, generation: number, active: number): Promise<void> => {
  const { store, control, clock, signal, onProgress } = run
  const startMs = clock.now()
  let moved = { at: '', ms: startMs }
  for (;;) {
    const read = (of: number) => readCheckpoint(store, toDatabaseName(of, control))
    const [served = NOWHERE, built = NOWHERE] = [await read(active), await read(generation)]
    await onProgress?.({ built, served })
    if (built.writtenAt !== '' && built.nextOffset >= served.nextOffset) return
    await requireOther(run, generation)
    // There is no heartbeat before the first commit.
    const at = built.writtenAt || served.writtenAt
    if (at !== moved.at) moved = { at, ms: clock.now() }
    const isLate = built.writtenAt === '' && clock.now() - startMs > FIRST_COMMIT_MS
    if (isLate || clock.now() - moved.ms > SILENT_MS) {
      throw refuse(
        `the projections have written nothing into generation ${generation} for a while: ` +
          `start Rollcall, then run rollcall rebuild --switch ${generation}`,
      )
    }
    await clock.sleep(POLL_MS, signal)
  }
}

/** Both rows in one insert. The projections then point the views of analysts to it. */
const serve = async (run: Run, generation: number): Promise<void> => {
  const former = await requireActive(run)
  // The comparison takes time, and the served generation has continued.
  await waitUntilBuilt(run, generation, former.generation)
  const from = await requireOther(run, generation)
  await writeStates(toList(run), [
    { generation: former.generation, state: 'retired', from: former },
    { generation, state: 'active', from },
  ])
  await run.onStep?.({ kind: 'switched', generation })
}

const fillAndServe = async (run: Run, generation: number, former: number): Promise<Outcome> => {
  await waitUntilBuilt(run, generation, former)
  await run.onStep?.({ kind: 'built', generation })
  const comparison = await compareGenerations({ ...run, pair: [former, generation] })
  await run.onStep?.({ kind: 'compared', generation, comparison })
  const isSwitched = comparison.equal || run.acceptsDifferences === true
  if (isSwitched) await serve(run, generation)
  return { generation, former, comparison, isSwitched }
}

export async function rebuild(options: RebuildOptions): Promise<Outcome> {
  const run = toRun(options)
  const { generation: former } = await requireActive(run)
  return fillAndServe(run, await add(run), former)
}

/** Finishes an unfinished rebuild, or goes back to an earlier generation, which is not compared. */
export async function switchGeneration(
  options: RebuildOptions,
  generation: number,
): Promise<Outcome> {
  const run = toRun(options)
  const { generation: former } = await requireActive(run)
  const from = await requireOther(run, generation)
  if (from.state === 'building') return fillAndServe(run, generation, former)
  if (!isProjected(from, run.clock.now())) {
    await writeStates(toList(run), [{ generation, state: 'building', from }])
  }
  await serve(run, generation)
  return { generation, former, isSwitched: true }
}

export async function dropRebuilt(options: RebuildOptions, generation: number): Promise<void> {
  const run = toRun(options)
  const from = await requireOther(run, generation, { orFailed: true })
  if (isLingering(from, run.clock.now())) {
    throw refuse(`cursors of generation ${generation} are still valid: drop it in 15 minutes`)
  }
  await dropGeneration(toList(run), from)
}
