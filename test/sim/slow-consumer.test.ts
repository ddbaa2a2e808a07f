// Tests a store that is slower than the chain and a log that is slower than the node: queues are bounded.
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { EventLog } from '../../infra/base/log/event-log.ts'
import type { MemoryChain } from '../support/chain/memory-chain.ts'
import { normalised } from '../support/fold/read-tables.ts'
import { finalTables } from '../support/fold/run-projections.ts'
import { createMemoryLogStorage, openMemoryLog } from '../support/log/memory-log.ts'
import { createMemoryStore, type MemoryStore } from '../support/store/memory-store.ts'
import type { Dice } from './dice.ts'
import { expectExactLog, undisturbedLog } from './exact-log.ts'
import { liveIngest } from './ingest-life.ts'
import { liveProjections } from './projection-life.ts'
import { seededChain } from './seeded-chain.ts'
import { createSeededStory, undisturbedTables } from './seeded-tables.ts'
import { forEachSeed } from './seeds.ts'

const BATCH_EVENTS = 20
const SLOWEST_INSERT_MS = 12

/** Counts events that were read from the log and are not yet in the store. */
const createGauge = (inner: EventLog, store: MemoryStore) => {
  let most = 0
  const committed = (): bigint => BigInt(store.tables.final('checkpoints')[0]?.next_offset ?? '0')
  const log: EventLog = {
    ...inner,
    read: async (from, limits) => {
      const records = await inner.read(from, limits)
      const upTo = (records.at(-1)?.offset ?? from - 1n) + 1n
      most = Math.max(most, Number(upTo - committed()))
      return records
    },
  }
  return { log, most: () => most }
}

const slowed = (store: MemoryStore, dice: Dice): MemoryStore => {
  let inserts = 0
  return {
    ...store,
    insert: async (table, rows, options) => {
      await pause(1 + dice.roll(SLOWEST_INSERT_MS, 'insert', ++inserts))
      await store.insert(table, rows, options)
    },
  }
}

it('projections with a slow store keep at most two commits of events in memory, and the tables are exact', async () => {
  await forEachSeed({ file: import.meta.url, count: 12, lanes: 4 }, async (dice) => {
    const heights = createSeededStory(dice.seed)
    const largest = Math.max(...heights.map((height) => height.length))
    const storage = createMemoryLogStorage()
    const writer = openMemoryLog(storage)
    for (const height of heights) await writer.append(height)
    const store = createMemoryStore()
    const { log, most } = createGauge(openMemoryLog(storage), store)
    const config = { batchEvents: BATCH_EVENTS, heartbeatMs: 50 }
    await liveProjections({ log, store: slowed(store, dice), config })
    expect(normalised(finalTables(store.tables))).toEqual(await undisturbedTables(heights))
    // One commit in flight, one folded, each up to a read and a height beyond its size.
    const total = heights.flat().length
    expect(most()).toBeGreaterThan(BATCH_EVENTS)
    expect(most()).toBeLessThanOrEqual(2 * (2 * BATCH_EVENTS + largest))
    expect(most()).toBeLessThan(total)
  })
})

/** Counts delivered blocks that are not yet in the log. */
const watched = (chain: MemoryChain, appended: () => number) => {
  let most = 0
  const source: MemoryChain['source'] = () => ({
    follow: async function* (options) {
      for await (const sourced of chain.source().follow(options)) {
        most = Math.max(most, sourced.block.height - appended())
        yield sourced
      }
    },
  })
  // The chain's tip must stay a getter.
  return {
    chain: Object.create(chain, { source: { value: source } }) as MemoryChain,
    most: () => most,
  }
}

it('ingest with a slow log is ahead of it by at most the size of its queues, and the log is exact', async () => {
  const LONG = 300
  const QUEUED = 64
  const BATCHED = 16
  await forEachSeed({ file: import.meta.url, count: 4, lanes: 4 }, async (dice) => {
    const chain = seededChain(dice, LONG)
    const inner = openMemoryLog()
    let height = 0
    let appends = 0
    const log: EventLog = {
      ...inner,
      append: async (entries) => {
        await pause(1 + dice.roll(SLOWEST_INSERT_MS, 'append', ++appends))
        const end = await inner.append(entries)
        height = entries.at(-1)?.height ?? height
        return end
      },
    }
    const gauge = watched(chain, () => height)
    expect(await liveIngest(gauge.chain, log)).toBe('reached the tip')
    await expectExactLog(inner, chain, await undisturbedLog(chain))
    expect(gauge.most()).toBeGreaterThan(QUEUED / 2)
    expect(gauge.most()).toBeLessThanOrEqual(QUEUED + BATCHED)
  })
})
