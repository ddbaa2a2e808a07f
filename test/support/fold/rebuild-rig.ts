// Projections over a real store and a log in memory, for tests of rebuilds and generations.
import { expect } from 'vitest'
import type { EventLog } from '../../../infra/base/log/event-log.ts'
import { type Clock, systemClock } from '../../../infra/base/runtime/clock.ts'
import type { GovernanceEvent } from '../../../ingest/contract/events.ts'
import type { ProjectionsConfig } from '../../../projections/config.ts'
import { toDatabaseName } from '../../../projections/contract/database.ts'
import { readGenerations } from '../../../projections/contract/generations.ts'
import type { StoredTable, Table } from '../../../projections/contract/table/define-table.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import type { Projections } from '../../../projections/main.ts'
import { prepareReadModel } from '../../../projections/read-model/prepare.ts'
import type { RebuildOptions } from '../../../projections/rebuild/rebuild.ts'
import { toLogEntry } from '../log/governance-events.ts'
import { openMemoryLog } from '../log/memory-log.ts'
import { dropDatabases, startTestClickHouse } from '../store/clickhouse.ts'
import { caughtUp, startForTest } from './run-projections.ts'

/** All tables with their copies, except the checkpoints, which have clock times. */
const COMPARED = Object.values<Table>(TABLES)
  .filter(({ name }) => name !== TABLES.checkpoints.name)
  .flatMap((table) => [table, ...Object.values<StoredTable>(table.copies)])

/** The system clock with an adjustable offset. */
export const createMovableClock = (): Clock & { aheadMs: number } => {
  const clock = {
    aheadMs: 0,
    now: () => systemClock.now() + clock.aheadMs,
    sleep: systemClock.sleep,
  }
  return clock
}

export const startRebuildRig = async () => {
  const clickHouse = await startTestClickHouse()
  const { store, control } = clickHouse
  const clock = createMovableClock()
  const running: Projections[] = []

  const clear = async () => {
    for (const projections of running.splice(0)) await projections.close()
    await dropDatabases(store, control)
    clock.aheadMs = 0
    await prepareReadModel(store, control)
  }
  const start = async (
    log: EventLog,
    config: Partial<ProjectionsConfig> = {},
    more: Parameters<typeof startForTest>[3] = {},
  ) => {
    const projections = await startForTest(log, store, config, { control, clock, ...more })
    running.push(projections)
    await caughtUp(projections, log)
    return projections
  }
  const tables = async (generation: number): Promise<Record<string, unknown[]>> => {
    const found: Record<string, unknown[]> = {}
    for (const { name, key } of COMPARED) {
      found[name] = await store.select(
        `SELECT * FROM ${toDatabaseName(generation, control)}.${name} FINAL ORDER BY ${key.join()}`,
      )
    }
    return found
  }
  const states = async () =>
    Object.fromEntries(
      (await readGenerations(store, control)).map(({ generation, state }) => [generation, state]),
    )
  /** Options of a rebuild that accepts no difference. */
  const createOptions = (more: Partial<RebuildOptions> = {}): RebuildOptions => ({
    store,
    control,
    clock,
    signal: new AbortController().signal,
    ...more,
  })
  const expectEqualTables = async (one: number, other: number) => {
    const [left, right] = [await tables(one), await tables(other)]
    expect(left[TABLES.events.name]?.length).toBeGreaterThan(0)
    for (const { name: table } of COMPARED)
      expect({ table, rows: right[table] }).toEqual({ table, rows: left[table] })
  }
  /** Whether all analysts' views read only tables of this generation or other views. */
  const viewsReadFrom = async (generation: number): Promise<boolean> => {
    const views = await store.select<{ tables: string[] }>(
      `SELECT extractAll(as_select, '(?:FROM|JOIN) ([a-z0-9_]+[.][a-z0-9_]+)') AS tables
       FROM system.tables WHERE database = {control:String} AND engine = 'View'`,
      { control },
    )
    const own = `${toDatabaseName(generation, control)}.`
    const isRead = (table: string) => table.startsWith(own) || table.startsWith(`${control}.v_`)
    expect(views.length).toBeGreaterThan(10)
    return views.every(({ tables }) => tables.length > 0 && tables.every(isRead))
  }
  const stop = async () => {
    for (const projections of running.splice(0)) await projections.close()
    await clickHouse.stop()
  }
  return {
    store,
    control,
    clock,
    clear,
    start,
    tables,
    states,
    createOptions,
    expectEqualTables,
    viewsReadFrom,
    stop,
  }
}

export type RebuildRig = Awaited<ReturnType<typeof startRebuildRig>>

export const createLog = async (heights: readonly (readonly GovernanceEvent[])[]) => {
  const log = openMemoryLog()
  for (const height of heights) await log.append(height.map(toLogEntry))
  return log
}

export const until = async (isTrue: () => boolean | Promise<boolean>, timeoutMs = 240_000) => {
  const deadlineMs = Date.now() + timeoutMs
  while (!(await isTrue())) {
    if (Date.now() > deadlineMs) throw new Error('the condition was not met in time')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
