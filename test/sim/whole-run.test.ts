// The whole write side under all faults at once: the log is the chain, and the tables are the log, in the end.
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { GovChain } from '../support/chain/gov-chain.ts'
import { ingestToTip } from '../support/chain/ingest-run.ts'
import { finalTables, projectAll } from '../support/fold/run-projections.ts'
import {
  dropTables,
  freshTables,
  normalised,
  type Tables,
  tablesOf,
} from '../support/fold/tables-of.ts'
import { createMemoryLogPlace, openMemoryLog } from '../support/log/memory-log.ts'
import { createTemporaryDirectory } from '../support/process/temporary-directory.ts'
import { startTestClickHouse, type TestClickHouse } from '../support/store/clickhouse.ts'
import { createMemoryStore } from '../support/store/memory-store.ts'
import { expectExactLog, undisturbedLog } from './exact-log.ts'
import { STORE_FAULTS } from './faulty-store.ts'
import { embeddedPlace, openLogAt } from './log-places.ts'
import { seededChain } from './seeded-chain.ts'
import { controlOf } from './seeded-tables.ts'
import { forEachSeed, isWhole } from './seeds.ts'
import { runWhole } from './whole-run.ts'

const HEIGHTS = 40

let clickHouse: TestClickHouse
beforeAll(async () => {
  clickHouse = await startTestClickHouse()
})
afterAll(() => clickHouse.stop())

const tablesOfChain = async (chain: GovChain): Promise<Tables> => {
  const log = openMemoryLog()
  await ingestToTip(chain, log)
  const store = createMemoryStore()
  await projectAll(log, store)
  return normalised(finalTables(store.tables))
}

it('the log is exact and the tables equal those of an undisturbed run, after any faults of log and store at once', async () => {
  const faults = new Set<string>()
  const seeds = { file: import.meta.url, count: 60, lanes: 4 }
  await forEachSeed(seeds, async (dice) => {
    const chain = seededChain(dice, HEIGHTS)
    const place = createMemoryLogPlace()
    const store = createMemoryStore()
    const openLog = async () => openMemoryLog(place)
    const struck = await runWhole({ dice, chain, openLog, openReader: openLog }, { store })
    for (const fault of struck.store) faults.add(fault)
    await expectExactLog(openMemoryLog(place), chain, await undisturbedLog(chain))
    expect(normalised(finalTables(store.tables))).toEqual(await tablesOfChain(chain))
  })
  if (isWhole(seeds)) expect([...faults].sort()).toEqual(STORE_FAULTS.toSorted())
})

it('the embedded log is exact and the tables of ClickHouse equal those of an undisturbed run, after any faults of both at once', async () => {
  const { store } = clickHouse
  await forEachSeed({ file: import.meta.url, count: 8, lanes: 2 }, async (dice) => {
    const chain = seededChain(dice, HEIGHTS)
    const control = controlOf(dice.seed)
    const directory = createTemporaryDirectory('sim')
    const place = embeddedPlace(join(directory.path, 'log'))
    try {
      await freshTables(store, control)
      await runWhole(
        {
          dice,
          chain,
          openLog: () => openLogAt(place),
          openReader: () => openLogAt(place, { readOnly: true }),
        },
        { store, control },
      )
      const log = await openLogAt(place)
      await expectExactLog(log, chain, await undisturbedLog(chain))
      await log.close()
      expect(await tablesOf(store, control)).toEqual(await tablesOfChain(chain))
      await dropTables(store, control)
    } finally {
      directory.remove()
    }
  })
})
