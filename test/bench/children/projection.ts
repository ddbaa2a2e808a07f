// Runs the projections in their own process: fills a log and projects it into empty tables.
// The baseline inserts the resulting rows into other empty tables.
import { join } from 'node:path'
import { createStore, type Store } from '../../../infra/base/clickhouse/client.ts'
import { openEmbeddedLog } from '../../../infra/base/log/embedded-log.ts'
import type { EventLog, LogEntry } from '../../../infra/base/log/event-log.ts'
import { systemClock } from '../../../infra/base/runtime/clock.ts'
import { createLogger } from '../../../infra/base/runtime/logger.ts'
import { createMetrics } from '../../../infra/base/runtime/metrics.ts'
import { PROJECTIONS_CONFIG } from '../../../projections/config.ts'
import { CONTROL_DATABASE, toDatabaseName } from '../../../projections/contract/database.ts'
import { type Projections, startProjections } from '../../../projections/main.ts'
import { createTables } from '../../../projections/read-model/prepare.ts'
import {
  type SyntheticChainOptions,
  syntheticHeights,
} from '../../support/chain/synthetic-chain.ts'
import { takeOrders } from './orders.ts'

export type StoreAccess = { url: string; username: string; password: string }

const PROJECTED = 1
const PLAIN = 2
const PLAIN_BATCH_ROWS = 50_000

let store: Store
let log: EventLog
const written = new Map<string, object[]>()

/** Records the rows of the read model's tables. */
const recordingStore = (): Store => ({
  ...store,
  insert: (table, rows, options) => {
    const [database, name = ''] = table.split('.')
    if (database !== toDatabaseName(PROJECTED)) return store.insert(table, rows, options)
    const known = written.get(name)
    if (known) for (const row of rows) known.push(row)
    else written.set(name, [...rows])
    return store.insert(table, rows, options)
  },
})

const emptyTables = async (generation: number): Promise<void> => {
  // The control database lists the applied migrations, so it is dropped with the tables.
  for (const name of [toDatabaseName(generation), CONTROL_DATABASE]) {
    await store.command(`DROP DATABASE IF EXISTS ${name} SYNC`)
  }
  await createTables(store, { control: CONTROL_DATABASE, generation })
}

const ENTRIES_PER_APPEND = 2_000

/** Many heights at a time, as a backfill does. Returns how many events there are. */
const appendHeights = async (heights: Iterable<LogEntry[]>): Promise<number> => {
  let count = 0
  let entries: LogEntry[] = []
  for (const height of heights) {
    entries.push(...height)
    count += height.length
    if (entries.length < ENTRIES_PER_APPEND) continue
    await log.append(entries)
    entries = []
  }
  await log.append(entries)
  return count
}

const prepare = async (parameters: {
  access: StoreAccess
  directory: string
  chain: SyntheticChainOptions
}) => {
  store = createStore(parameters.access)
  log = await openEmbeddedLog({ path: join(parameters.directory, 'log') })
  return { events: await appendHeights(syntheticHeights(parameters.chain)) }
}

/** Resolves when all events of the log are projected; the projections keep running. */
const startProjected = async (into: Store): Promise<Projections> => {
  const end = await log.end()
  const projections = await startProjections({
    config: PROJECTIONS_CONFIG,
    log,
    store: into,
    logger: createLogger({ service: 'bench', level: 'fatal' }),
    metrics: createMetrics('projections'),
  })
  const watch = async () => {
    while (projections.progress().nextOffset < end) await systemClock.sleep(2)
  }
  await Promise.race([watch(), projections.done])
  return projections
}

const project = async ({ isRecorded }: { isRecorded: boolean }) => {
  await emptyTables(PROJECTED)
  const startedMs = performance.now()
  const projections = await startProjected(isRecorded ? recordingStore() : store)
  const tookMs = performance.now() - startedMs
  await projections.close()
  return { tookMs }
}

let following: Projections | undefined

/** As in production: projects all events and keeps running. */
const follow = async () => {
  await emptyTables(PROJECTED)
  following = await startProjected(store)
}

const insertPlainly = async () => {
  await emptyTables(PLAIN)
  const startedMs = performance.now()
  const fill = async ([table, rows]: [string, object[]]): Promise<void> => {
    for (let from = 0; from < rows.length; from += PLAIN_BATCH_ROWS) {
      const batch = rows.slice(from, from + PLAIN_BATCH_ROWS)
      await store.insert(`${toDatabaseName(PLAIN)}.${table}`, batch)
    }
  }
  await Promise.all([...written].map(fill))
  return { tookMs: performance.now() - startedMs }
}

const countRows = () => ({
  rows: [...written.values()].reduce((sum, { length }) => sum + length, 0),
})

takeOrders({ prepare, project, follow, insertPlainly, countRows }, async () => {
  await following?.close()
  await store?.close()
  await log?.close()
})
