// Property tests that the tables are the same after any interruption of the projections.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../infra/base/runtime/errors.ts'
import type { GovernanceEvent } from '../../ingest/contract/events.ts'
import { finalTables, projectAll } from '../support/fold/run-projections.ts'
import { toLogEntry } from '../support/log/governance-events.ts'
import { createRandom, generateStory } from '../support/log/governance-story.ts'
import { openMemoryLog } from '../support/log/memory-log.ts'
import { createMemoryStore, type MemoryStore } from '../support/store/memory-store.ts'

const HEIGHTS = 40
const seeds = fc.integer({ min: 0, max: 1_000_000 })

const createLog = async (heights: readonly GovernanceEvent[][]) => {
  const log = openMemoryLog()
  for (const height of heights) await log.append(height.map(toLogEntry))
  return log
}

const undisturbed = async (heights: readonly GovernanceEvent[][]) => {
  const store = createMemoryStore()
  await projectAll(await createLog(heights), store)
  return finalTables(store.tables)
}

/** Fails one insert in `odds`, like a killed store: rows inserted before it stay. */
const failSometimes = (store: MemoryStore, seed: number, odds: number): void => {
  const random = createRandom(seed)
  store.onInsert = () => {
    if (random(odds) === 0) throw new AppError('STORE_REFUSED', 'killed')
  }
}

describe('the tables after any history of the projections', {
  tags: 'projections:same-tables',
}, () => {
  it('do not depend on how heights are split into batches', async () => {
    await fc.assert(
      fc.asyncProperty(
        seeds,
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 100_000 }),
        async (seed, batchEvents, batchBytes) => {
          const heights = generateStory({ seed, heights: HEIGHTS })
          const store = createMemoryStore()
          await projectAll(await createLog(heights), store, { batchEvents, batchBytes })
          expect(finalTables(store.tables)).toEqual(await undisturbed(heights))
        },
      ),
      { numRuns: 20 },
    )
  })

  it('do not depend on stops and restarts', async () => {
    await fc.assert(
      fc.asyncProperty(
        seeds,
        fc.array(fc.integer({ min: 1, max: HEIGHTS }), { maxLength: 6 }),
        async (seed, stops) => {
          const heights = generateStory({ seed, heights: HEIGHTS })
          const log = openMemoryLog()
          const store = createMemoryStore()
          let next = 0
          for (const stop of [...stops.sort((one, other) => one - other), HEIGHTS]) {
            for (; next < stop; next++) await log.append((heights[next] ?? []).map(toLogEntry))
            await projectAll(log, store)
          }
          expect(finalTables(store.tables)).toEqual(await undisturbed(heights))
        },
      ),
      { numRuns: 20 },
    )
  })

  it('do not depend on a kill between any two inserts', async () => {
    await fc.assert(
      fc.asyncProperty(seeds, fc.integer({ min: 8, max: 60 }), async (seed, odds) => {
        const heights = generateStory({ seed, heights: HEIGHTS })
        const log = await createLog(heights)
        const store = createMemoryStore()
        failSometimes(store, seed, odds)
        let kills = 0
        for (;;) {
          try {
            await projectAll(log, store, { batchEvents: 20 })
            break
          } catch (error) {
            expect(error).toMatchObject({ code: 'STORE_REFUSED' })
            kills += 1
            // The number of kills is limited, so that the test ends.
            if (kills > 40) store.onInsert = () => {}
          }
        }
        expect(finalTables(store.tables)).toEqual(await undisturbed(heights))
      }),
      { numRuns: 20 },
    )
  })

  it('do not change if all events are delivered again', async () => {
    await fc.assert(
      fc.asyncProperty(seeds, fc.integer({ min: 1, max: 90 }), async (seed, batchEvents) => {
        const heights = generateStory({ seed, heights: HEIGHTS })
        const log = await createLog(heights)
        const store = createMemoryStore()
        await projectAll(log, store)
        const before = finalTables(store.tables)
        const forgetful = createMemoryStore(store.tables)
        const { select } = forgetful
        forgetful.select = ((sql, query) =>
          sql.includes('.checkpoints') ? Promise.resolve([]) : select(sql, query)) as typeof select
        await projectAll(log, forgetful, { batchEvents })
        expect(finalTables(store.tables)).toEqual(before)
      }),
      { numRuns: 25 },
    )
  })

  it('do not change if the log has heights twice', async () => {
    await fc.assert(
      fc.asyncProperty(seeds, fc.integer({ min: 1, max: HEIGHTS }), async (seed, from) => {
        const heights = generateStory({ seed, heights: HEIGHTS })
        const log = await createLog([...heights, ...heights.slice(HEIGHTS - from)])
        const store = createMemoryStore()
        await projectAll(log, store)
        expect(finalTables(store.tables)).toEqual(await undisturbed(heights))
      }),
      // These examples have repeated heights in one batch.
      {
        numRuns: 15,
        examples: [
          [927_733, 1],
          [237_443, 2],
        ],
      },
    )
  })
})
