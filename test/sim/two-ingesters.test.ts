// Runs two ingesters on one embedded log: one of them is fenced. The log is exact.
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openEmbeddedLog } from '../../infra/base/log/embedded-log.ts'
import type { EventLog } from '../../infra/base/log/event-log.ts'
import type { MemoryChain } from '../support/chain/memory-chain.ts'
import { createTemporaryDirectory } from '../support/process/temporary-directory.ts'
import type { Dice } from './dice.ts'
import { expectExactLog, undisturbedLog } from './exact-log.ts'
import { createFaultyLog } from './faulty-ports.ts'
import { createLife, liveIngest } from './lives.ts'
import { seededChain } from './seeded-chain.ts'
import { forEachSeed, isWhole } from './seeds.ts'

const HEIGHTS = 30
const STARTS = 6
const LATEST_START_MS = 30
const SLOWEST_APPEND_MS = 8

type Rivals = { dice: Dice; chain: MemoryChain; openLog: () => Promise<EventLog> }

/** Restarts an ingester after each end until one has reached the tip. */
const compete = async (
  { dice, chain, openLog }: Rivals,
  name: string,
  opened: EventLog,
): Promise<string[]> => {
  const ends: string[] = []
  let inner = opened
  for (let start = 1; ; start++) {
    const life = createLife()
    const named = `${name} ${start}`
    let appends = 0
    /** Appends are slow, so that those of the other ingester occur in between. */
    const unhurried: EventLog = {
      ...inner,
      append: async (entries) => {
        await pause(dice.roll(SLOWEST_APPEND_MS, named, 'append', ++appends))
        return inner.append(entries)
      },
    }
    // A lost response leaves unknown which ingester appended.
    const writes = { 'dies after': 5, 'answer lost': 15, unavailable: 10 }
    const log = createFaultyLog(unhurried, { dice, life, name: named, writes })
    const end = await liveIngest(chain, { log, life })
    await inner.close()
    ends.push(end instanceof Error ? end.code : end)
    if (end === 'finished' || start === STARTS) return ends
    await pause(dice.roll(LATEST_START_MS, name, start, 'delay'))
    inner = await openLog()
  }
}

it('one of two parallel ingesters on the embedded log is fenced, and the log is exact', async () => {
  const ends = new Set<string>()
  const seeds = { file: import.meta.url, count: 16, lanes: 2 }
  await forEachSeed(seeds, async (dice) => {
    const directory = createTemporaryDirectory('sim')
    const openLog = () => openEmbeddedLog({ path: join(directory.path, 'log') })
    const rivals = { dice, chain: seededChain(dice, HEIGHTS), openLog }
    try {
      // Both open the log before they begin, so that neither has an advantage.
      const [one, other] = [await openLog(), await openLog()]
      const all = [compete(rivals, 'one', one), compete(rivals, 'other', other)]
      for (const end of (await Promise.all(all)).flat()) ends.add(end)
      // Both may have been fenced, so a last ingester finishes the work.
      const last = await openLog()
      expect(await liveIngest(rivals.chain, { log: last })).toBe('finished')
      await expectExactLog(last, rivals.chain, await undisturbedLog(rivals.chain))
      await last.close()
    } finally {
      directory.remove()
    }
  })
  if (isWhole(seeds)) expect([...ends]).toContain('LOG_FENCED')
})
