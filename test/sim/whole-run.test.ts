// Runs ingest and projections with all faults; at the end the log equals the chain and the tables equal the log.
import { expect, it } from 'vitest'
import { normalised } from '../support/fold/read-tables.ts'
import { finalTables, projectAll } from '../support/fold/run-projections.ts'
import { createMemoryLogStorage, openMemoryLog } from '../support/log/memory-log.ts'
import { createMemoryStore } from '../support/store/memory-store.ts'
import { expectExactLog, undisturbedLog } from './exact-log.ts'
import { seededChain } from './seeded-chain.ts'
import { forEachSeed, isWhole } from './seeds.ts'
import { INSERTS, runWhole } from './whole-run.ts'

const HEIGHTS = 40

it('the log is exact and the tables equal those of an undisturbed run after parallel faults of log and store', async () => {
  const faults = new Set<string>()
  const seeds = { file: import.meta.url, count: 60, lanes: 4 }
  await forEachSeed(seeds, async (dice) => {
    const chain = seededChain(dice, HEIGHTS)
    const storage = createMemoryLogStorage()
    const [store, undisturbed] = [createMemoryStore(), createMemoryStore()]
    await runWhole({ dice, storage, store }, chain, (fault) => faults.add(fault))
    const log = openMemoryLog(storage)
    await expectExactLog(log, chain, await undisturbedLog(chain))
    await projectAll(log, undisturbed)
    const tables = normalised(finalTables(store.tables))
    expect(tables).toEqual(normalised(finalTables(undisturbed.tables)))
  })
  if (isWhole(seeds)) expect([...faults].sort()).toEqual(Object.keys(INSERTS).sort())
})
