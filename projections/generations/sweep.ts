// Drops the tables of generations that are not needed any more.

import type { Store } from '../../infra/base/clickhouse/client.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { toDatabaseName } from '../contract/database.ts'
import { findActive, GENERATION_LINGERS_MS, type Generation } from '../contract/generations.ts'
import { pointViews } from '../read-model/analyst-views.ts'
import { writeStates } from './list.ts'

/** Generations to drop: beyond the newest `keep` retired ones, and long enough after their switch. */
export const findDisposable = (
  generations: readonly Generation[],
  { keep, nowMs }: { keep: number; nowMs: number },
): Generation[] =>
  generations
    .filter(({ state }) => state === 'retired')
    .sort((one, other) => other.changedAtMs - one.changedAtMs)
    .slice(keep)
    .filter(({ changedAtMs }) => nowMs - changedAtMs >= GENERATION_LINGERS_MS)

/** Updates the analysts' views after an interrupted switch. */
const ensureViews = async (
  store: Store,
  { control, generation }: { control: string; generation: number },
): Promise<boolean> => {
  const tables = `${toDatabaseName(generation, control)}.`
  const [row] = await store.select<{ others: string }>(
    `SELECT countIf(position(as_select, {tables:String}) = 0) AS others FROM system.tables
     WHERE database = {control:String} AND engine = 'View' AND startsWith(name, 'v_')`,
    { control, tables },
  )
  if (!row || row.others === '0') return false
  await pointViews(store, { control, generation })
  return true
}

/** The tombstone first: readers and writers stop before the tables are dropped. */
export const dropGeneration = async (
  store: Store,
  { control, from, nowMs }: { control: string; from: Generation; nowMs: number },
): Promise<void> => {
  const { generation } = from
  await writeStates(store, control, { changes: [{ generation, state: 'dropped', from }], nowMs })
  await store.command(
    `DROP DATABASE IF EXISTS ${toDatabaseName(generation, control)}{on_cluster} SYNC`,
  )
}

const dropLeftovers = async (
  store: Store,
  control: string,
  generations: readonly Generation[],
): Promise<void> => {
  const names = generations
    .filter(({ state }) => state === 'dropped')
    .map(({ generation }) => toDatabaseName(generation, control))
  const found = await store.select<{ name: string }>(
    'SELECT name FROM system.databases WHERE has({names:Array(String)}, name)',
    { names },
  )
  for (const { name } of found)
    await store.command(`DROP DATABASE IF EXISTS ${name}{on_cluster} SYNC`)
}

/** A switch also updates the views: wait this long for it. */
const SWITCH_TAKES_MS = 10_000

export type SweepOptions = { store: Store; control: string; keep: number; logger: Logger }

/** Checks for leftover tables only when the list changed, or when a generation is dropped. */
export const createSweep = ({ store, control, keep, logger }: SweepOptions) => {
  let swept = ''
  return async (generations: readonly Generation[], nowMs: number): Promise<void> => {
    const active = findActive(generations)
    const seen = JSON.stringify(generations.map(({ generation, state }) => [generation, state]))
    const disposable = findDisposable(generations, { keep, nowMs })
    if (!active || (seen === swept && disposable.length === 0)) return
    if (nowMs - active.changedAtMs < SWITCH_TAKES_MS) return
    // With a single generation there are no leftover tables.
    if (generations.length > 1) {
      const { generation } = active
      const hasRepaired = await ensureViews(store, { control, generation })
      if (hasRepaired) logger.warn({ generation }, 'updated the views to the served generation')
      await dropLeftovers(store, control, generations)
    }
    for (const from of disposable) {
      await dropGeneration(store, { control, from, nowMs })
      logger.info({ generation: from.generation }, 'dropped a generation')
    }
    swept = seen
  }
}
