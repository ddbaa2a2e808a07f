// Runs two ingesters on one log: the lock rejects the second one, or one of them is fenced. The log is exact.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { lockDirectory } from '../../infra/app/data-dir.ts'
import type { EventLog } from '../../infra/base/log/event-log.ts'
import type { MemoryChain } from '../support/chain/memory-chain.ts'
import { createMemoryLogStorage, openMemoryLog } from '../support/log/memory-log.ts'
import { createTemporaryDirectory } from '../support/process/temporary-directory.ts'
import type { Dice } from './dice.ts'
import { expectExactLog, undisturbedLog } from './exact-log.ts'
import { createFaultyLog } from './faulty-log.ts'
import { liveIngest } from './ingest-life.ts'
import { createLife } from './life.ts'
import { openLogAt, toEmbeddedLocation } from './log-locations.ts'
import { seededChain } from './seeded-chain.ts'
import { forEachSeed, isWhole } from './seeds.ts'

const HEIGHTS = 30
const STARTS = 6
const LATEST_START_MS = 30
const SLOWEST_APPEND_MS = 8

type Rivals = { dice: Dice; chain: MemoryChain; openLog: () => Promise<EventLog> }

/** Appends are slow, so that those of the other ingester occur in between. */
const unhurried = (inner: EventLog, dice: Dice, name: string): EventLog => {
  let appends = 0
  return {
    ...inner,
    append: async (entries) => {
      await pause(dice.roll(SLOWEST_APPEND_MS, name, 'append', ++appends))
      return inner.append(entries)
    },
  }
}

/** Restarts an ingester after each end until one has reached the tip. */
const rival = async (
  { dice, chain, openLog }: Rivals,
  name: string,
  opened: EventLog,
): Promise<string[]> => {
  const ends: string[] = []
  let inner = opened
  for (let start = 1; ; start++) {
    const life = createLife()
    const named = `${name} ${start}`
    // A lost response leaves unknown which ingester appended.
    const log = createFaultyLog(unhurried(inner, dice, named), {
      dice,
      life,
      name: named,
      reads: {},
      appends: { 'dies after': 5, 'answer lost': 15, unavailable: 10 },
    })
    const end = await liveIngest(chain, log, life)
    await inner.close()
    ends.push(end instanceof Error ? end.code : end)
    if (end === 'reached the tip' || start === STARTS) return ends
    await pause(dice.roll(LATEST_START_MS, name, start, 'delay'))
    inner = await openLog()
  }
}

const compete = async (rivals: Rivals): Promise<string[]> => {
  const { chain, openLog } = rivals
  // Both open the log before they begin, so that neither has an advantage.
  const [one, other] = [await openLog(), await openLog()]
  const ends = await Promise.all([rival(rivals, 'one', one), rival(rivals, 'other', other)])
  // Both may have been fenced, so a last ingester finishes the work.
  const last = await openLog()
  expect(await liveIngest(chain, last)).toBe('reached the tip')
  await expectExactLog(last, chain, await undisturbedLog(chain))
  await last.close()
  return ends.flat()
}

it('one of two parallel ingesters is rejected or fenced, and the log is exact', async () => {
  const ends = new Set<string>()
  const seeds = { file: import.meta.url, count: 60, lanes: 4 }
  await forEachSeed(seeds, async (dice) => {
    const storage = createMemoryLogStorage()
    const openLog = async () => openMemoryLog(storage)
    for (const end of await compete({ dice, chain: seededChain(dice, HEIGHTS), openLog })) {
      ends.add(end)
    }
  })
  if (isWhole(seeds)) expect([...ends].sort()).toEqual(['LOG_FENCED', 'died', 'reached the tip'])
})

it('one of two parallel ingesters on the embedded log is fenced, and the log is exact', async () => {
  const ends = new Set<string>()
  const seeds = { file: import.meta.url, count: 16, lanes: 2 }
  await forEachSeed(seeds, async (dice) => {
    const directory = createTemporaryDirectory('sim')
    const location = toEmbeddedLocation(join(directory.path, 'log'))
    const openLog = () => openLogAt(location)
    try {
      for (const end of await compete({ dice, chain: seededChain(dice, HEIGHTS), openLog })) {
        ends.add(end)
      }
    } finally {
      directory.remove()
    }
  })
  if (isWhole(seeds)) expect([...ends]).toContain('LOG_FENCED')
})

it('the second ingester of a data directory is rejected with the process that uses it', async () => {
  const directory = createTemporaryDirectory('sim')
  onTestFinished(() => directory.remove())
  const path = join(directory.path, 'data')
  mkdirSync(path)
  const { release } = await lockDirectory(path)
  await expect(lockDirectory(path)).rejects.toMatchObject({
    code: 'DATA_DIR_LOCKED',
    message: expect.stringContaining(`process ${process.pid}`),
  })
  await release()
  await (await lockDirectory(path)).release()
})
