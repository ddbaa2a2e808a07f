// Runs ingest with a log that fails at any step; at the end the log equals the chain.
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { EventLog } from '../../infra/base/log/event-log.ts'
import { createMemoryLogStorage, openMemoryLog } from '../support/log/memory-log.ts'
import { createTemporaryDirectory } from '../support/process/temporary-directory.ts'
import type { Dice } from './dice.ts'
import { expectExactLog, undisturbedLog } from './exact-log.ts'
import { openLogAt, toEmbeddedLocation } from './log-locations.ts'
import { seededChain } from './seeded-chain.ts'
import { forEachSeed, isWhole } from './seeds.ts'
import { FAULTS_OF_APPENDS, ingestThrough, type Struck } from './whole-run.ts'

const HEIGHTS = 40

const liveThrough = async (dice: Dice, openLog: () => Promise<EventLog>): Promise<Struck> => {
  const chain = seededChain(dice, HEIGHTS)
  const struck: Struck = { log: [], store: [], ends: [] }
  await ingestThrough({ dice, chain, openLog }, struck)
  const log = await openLog()
  await expectExactLog(log, chain, await undisturbedLog(chain))
  await log.close()
  return struck
}

it('the log equals the chain’s events, each once, in order, after any fault at any step of an append', async () => {
  const faults = new Set<string>()
  const ends = new Set<string>()
  const seeds = { file: import.meta.url, count: 200, lanes: 8 }
  await forEachSeed(seeds, async (dice) => {
    const storage = createMemoryLogStorage()
    const struck = await liveThrough(dice, async () => openMemoryLog(storage))
    for (const fault of struck.log) faults.add(fault)
    for (const end of struck.ends) ends.add(end)
  })
  if (!isWhole(seeds)) return
  expect([...faults].sort()).toEqual(FAULTS_OF_APPENDS.toSorted())
  expect([...ends].sort()).toEqual(['LOG_UNAVAILABLE', 'died', 'reached the tip'])
})

it('the embedded log equals the chain’s events, each once, in order, after any fault at any step of an append', async () => {
  await forEachSeed({ file: import.meta.url, count: 40, lanes: 4 }, async (dice) => {
    const directory = createTemporaryDirectory('sim')
    try {
      const location = toEmbeddedLocation(join(directory.path, 'log'))
      await liveThrough(dice, () => openLogAt(location))
    } finally {
      directory.remove()
    }
  })
})
