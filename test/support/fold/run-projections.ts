// Runs the projections over a log until they have caught up or failed, for tests.

import type { Store } from '../../../infra/base/clickhouse/client.ts'
import type { EventLog } from '../../../infra/base/log/event-log.ts'
import { createLogger } from '../../../infra/base/runtime/logger.ts'
import { createMetrics } from '../../../infra/base/runtime/metrics.ts'
import { PROJECTIONS_CONFIG, type ProjectionsConfig } from '../../../projections/config.ts'
import {
  type Projections,
  type ProjectionsOptions,
  startProjections,
} from '../../../projections/main.ts'
import { type MemoryTables, TABLES, type TableName } from '../store/memory-store.ts'

export const startForTest = (
  log: EventLog,
  store: Store,
  config: Partial<ProjectionsConfig> = {},
  more: Partial<Pick<ProjectionsOptions, 'control' | 'clock' | 'logger'>> = {},
): Promise<Projections> =>
  startProjections({
    config: { ...PROJECTIONS_CONFIG, ...config },
    log,
    store,
    logger: createLogger({ service: 'test', level: 'silent' }),
    metrics: createMetrics('projections'),
    ...more,
  })

export const caughtUp = async (projections: Projections, log: EventLog): Promise<void> => {
  let failure: unknown
  projections.done.catch((error: unknown) => {
    failure = error
  })
  for (;;) {
    if (failure !== undefined) throw failure
    const { nextOffset } = projections.progress()
    if (nextOffset >= (await log.end())) return
    // A turn of the event loop without a pause would use a whole core while a real store works.
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

/** Projects all events and stops. Rejects if the projections failed. */
export const projectAll = async (
  log: EventLog,
  store: Store,
  config: Partial<ProjectionsConfig> = {},
  more: Parameters<typeof startForTest>[3] = {},
): Promise<void> => {
  const projections = await startForTest(log, store, config, more)
  try {
    await caughtUp(projections, log)
  } finally {
    await projections.close()
  }
}

/** The rows that a reader sees, without values of the wall clock. */
export const finalTables = (tables: MemoryTables): Record<string, unknown[]> => {
  const timeless = TABLES.filter((table) => table !== 'checkpoints' && table !== 'generations')
  return Object.fromEntries(timeless.map((table: TableName) => [table, tables.final(table)]))
}
