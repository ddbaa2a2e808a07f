// Runs ingest and projections with all faults; at the end the log equals the chain and the tables equal the log.
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { EventLog } from '../../infra/base/log/event-log.ts'
import {
  dropTables,
  freshTables,
  normalised,
  readTables,
  type Tables,
} from '../support/fold/read-tables.ts'
import { finalTables, projectAll } from '../support/fold/run-projections.ts'
import { createMemoryLogStorage, openMemoryLog } from '../support/log/memory-log.ts'
import { createTemporaryDirectory } from '../support/process/temporary-directory.ts'
import { startTestClickHouse, type TestClickHouse } from '../support/store/clickhouse.ts'
import { createMemoryStore } from '../support/store/memory-store.ts'
import { expectExactLog, undisturbedLog } from './exact-log.ts'
import { STORE_FAULTS } from './faulty-store.ts'
import { openLogAt, toEmbeddedLocation } from './log-locations.ts'
import { seededChain } from './seeded-chain.ts'
import { toControlName } from './seeded-tables.ts'
import { forEachSeed, isWhole } from './seeds.ts'
import { runWhole } from './whole-run.ts'

const HEIGHTS = 40

let clickHouse: TestClickHouse
beforeAll(async () => {
  clickHouse = await startTestClickHouse()
})
afterAll(() => clickHouse.stop())

/** Of an undisturbed run over the log. */
const computeTables = async (log: EventLog): Promise<Tables> => {
  const store = createMemoryStore()
  await projectAll(log, store)
  return normalised(finalTables(store.tables))
}

it('the log is exact and the tables equal those of an undisturbed run after parallel faults of log and store', async () => {
  const faults = new Set<string>()
  const seeds = { file: import.meta.url, count: 60, lanes: 4 }
  await forEachSeed(seeds, async (dice) => {
    const chain = seededChain(dice, HEIGHTS)
    const storage = createMemoryLogStorage()
    const store = createMemoryStore()
    const openLog = async () => openMemoryLog(storage)
    const struck = await runWhole({ dice, chain, openLog, openReader: openLog }, { store })
    for (const fault of struck.store) faults.add(fault)
    const log = openMemoryLog(storage)
    await expectExactLog(log, chain, await undisturbedLog(chain))
    expect(normalised(finalTables(store.tables))).toEqual(await computeTables(log))
  })
  if (isWhole(seeds)) expect([...faults].sort()).toEqual(STORE_FAULTS.toSorted())
})

it('the embedded log is exact and the tables of ClickHouse equal those of an undisturbed run after parallel faults of both', async () => {
  const { store } = clickHouse
  await forEachSeed({ file: import.meta.url, count: 8, lanes: 2 }, async (dice) => {
    const chain = seededChain(dice, HEIGHTS)
    const control = toControlName(dice.seed)
    const directory = createTemporaryDirectory('sim')
    const location = toEmbeddedLocation(join(directory.path, 'log'))
    try {
      await freshTables(store, control)
      await runWhole(
        {
          dice,
          chain,
          openLog: () => openLogAt(location),
          openReader: () => openLogAt(location, { readOnly: true }),
        },
        { store, control },
      )
      const log = await openLogAt(location)
      await expectExactLog(log, chain, await undisturbedLog(chain))
      expect(await readTables(store, control)).toEqual(await computeTables(log))
      await log.close()
      await dropTables(store, control)
    } finally {
      directory.remove()
    }
  })
})
