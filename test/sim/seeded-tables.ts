// The log of one seed's history and the tables of an undisturbed run over it.
import type { LogEntry } from '../../infra/base/log/event-log.ts'
import { normalised, type Tables } from '../support/fold/read-tables.ts'
import { finalTables, projectAll } from '../support/fold/run-projections.ts'
import { toLogEntry } from '../support/log/governance-events.ts'
import { generateStory } from '../support/log/governance-story.ts'
import { openMemoryLog } from '../support/log/memory-log.ts'
import { createMemoryStore } from '../support/store/memory-store.ts'

const STORY_HEIGHTS = 40

/** The control database of one seed in a shared store. */
export const toControlName = (seed: number): string => `rollcall_sim_${seed}`

/** Height by height, with more unusual events than any chain in memory. */
export const createSeededStory = (seed: number): LogEntry[][] =>
  generateStory({ seed, heights: STORY_HEIGHTS }).map((events) => events.map(toLogEntry))

export const undisturbedTables = async (
  heights: readonly LogEntry[][],
  more?: Parameters<typeof projectAll>[3],
): Promise<Tables> => {
  const log = openMemoryLog()
  for (const height of heights) await log.append(height)
  const store = createMemoryStore()
  await projectAll(log, store, {}, more)
  return normalised(finalTables(store.tables))
}
