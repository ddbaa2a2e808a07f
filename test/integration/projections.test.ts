// Tests of the projections with a real ClickHouse: the same rows as folded, soon after the append.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { GovernanceEvent } from '../../ingest/contract/events.ts'
import { toDatabaseName } from '../../projections/contract/database.ts'
import { freshTables, normalised, readTables } from '../support/fold/read-tables.ts'
import { finalTables, projectAll } from '../support/fold/run-projections.ts'
import { toLogEntry } from '../support/log/governance-events.ts'
import { createRandom, generateStory } from '../support/log/governance-story.ts'
import { openMemoryLog } from '../support/log/memory-log.ts'
import { startTestClickHouse } from '../support/store/clickhouse.ts'
import { createMemoryStore } from '../support/store/memory-store.ts'

type ClickHouse = Awaited<ReturnType<typeof startTestClickHouse>>
let clickHouse: ClickHouse
let control: string
let database: string

beforeAll(async () => {
  clickHouse = await startTestClickHouse()
  control = clickHouse.control
  database = toDatabaseName(1, control)
})
afterAll(async () => {
  await clickHouse.stop()
})

const emptyStore = async (): Promise<ClickHouse['store']> => {
  await freshTables(clickHouse.store, control)
  return clickHouse.store
}

const createLog = async (heights: readonly GovernanceEvent[][]) => {
  const log = openMemoryLog()
  for (const height of heights) await log.append(height.map(toLogEntry))
  return log
}

describe('the projections into a real ClickHouse', () => {
  it('write exactly the folded rows, after kills and restarts at any point', async () => {
    const heights = generateStory({ seed: 20, heights: 120 })
    const log = await createLog(heights)
    const memory = createMemoryStore()
    await projectAll(log, memory)
    const store = await emptyStore()
    const random = createRandom(7)
    let kills = 0
    const killed: typeof store = {
      ...store,
      insert: async (table, rows, options) => {
        if (kills < 10 && random(12) === 0) throw new Error('killed')
        await store.insert(table, rows, options)
      },
    }
    for (;;) {
      try {
        await projectAll(log, killed, { batchEvents: 40 }, { control })
        break
      } catch (error) {
        expect((error as Error).message).toBe('killed')
        kills += 1
      }
    }
    expect(kills).toBe(10)
    expect(await readTables(store, control)).toEqual(normalised(finalTables(memory.tables)))
  })

  it('keep the largest values of each type', async () => {
    const store = await emptyStore()
    const heights = generateStory({ seed: 1, heights: 1 })
    const huge = (2n ** 200n).toString()
    const text = JSON.stringify(heights).replaceAll(
      /"bondedTokens":"\d+"/g,
      `"bondedTokens":"${huge}"`,
    )
    const log = await createLog(JSON.parse(text) as GovernanceEvent[][])
    await projectAll(log, store, {}, { control })
    const [tally] = await store.select<{ bonded_tokens: string }>(
      `SELECT bonded_tokens FROM ${database}.tallies FINAL WHERE NOT final`,
    )
    expect(tally?.bonded_tokens).toBe(huge)
  })
})
