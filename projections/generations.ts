// The list of generations: append-only, and the latest row of a generation has its state.
import type { Store } from '../infra/base/clickhouse/client.ts'
import { AppError } from '../infra/base/runtime/errors.ts'
import { toDatabaseName } from './contract/database.ts'
import {
  findActive,
  GENERATION_LINGERS_MS,
  type Generation,
  readGenerations,
} from './contract/generations.ts'
import { type GenerationState, generations as table } from './contract/tables/positions.ts'
import { wallClockTimestamp } from './contract/timestamps.ts'

const FIRST_GENERATION = 1

export type ListOptions = { store: Store; control: string; nowMs: number }

/** Whether it is retired, and its cursors are still valid. */
export const isLingering = ({ state, changedAtMs }: Generation, nowMs: number): boolean =>
  state === 'retired' && nowMs - changedAtMs < GENERATION_LINGERS_MS

export const isProjected = (generation: Generation, nowMs: number): boolean =>
  generation.state === 'building' || generation.state === 'active' || isLingering(generation, nowMs)

export type StateChange = {
  generation: number
  state: GenerationState
  reason?: string
  /** The row that this change is based on; absent for a new generation. */
  from?: Generation
}

/** All rows or none: one insert of one block. */
export async function writeStates(
  { store, control, nowMs }: ListOptions,
  changes: readonly StateChange[],
): Promise<void> {
  const rows = changes.map(({ generation, state, reason = '', from }) => {
    // If two changes are based on the same row, the one from an operator wins over a failure.
    const step = state === 'failed' ? 1n : 10n
    const version = (from?.version ?? 0n) + step
    return table.encode({
      generation,
      state,
      changedAt: wallClockTimestamp(nowMs),
      reason,
      version,
    })
  })
  await store.insert(`${control}.${table.name}`, rows)
}

/** Activates the first generation if there is none. */
export async function ensureActiveGeneration(options: ListOptions): Promise<number> {
  const generations = await readGenerations(options.store, options.control)
  const active = findActive(generations)
  if (active) return active.generation
  if (generations.length > 0) {
    const message = `${options.control}.generations has ${generations.length} generations, and none is active`
    throw new AppError('STORE_REFUSED', message)
  }
  await writeStates(options, [{ generation: FIRST_GENERATION, state: 'active' }])
  return FIRST_GENERATION
}

/** The tombstone first: readers and writers stop before the tables are dropped. */
export async function dropGeneration(options: ListOptions, from: Generation): Promise<void> {
  await writeStates(options, [{ generation: from.generation, state: 'dropped', from }])
  await dropTables(options, from.generation)
}

export async function dropTables(
  { store, control }: ListOptions,
  generation: number,
): Promise<void> {
  const database = toDatabaseName(generation, control)
  await store.command(`DROP DATABASE IF EXISTS ${database}{on_cluster} SYNC`)
}
