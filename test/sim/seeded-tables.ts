// The tables of one seed's story: which log they are made from, and what they hold when nothing disturbs that.
import type { LogEntry } from '../../infra/log/event-log.ts'
import { normalised, type Tables } from '../support/fold/read-tables.ts'
import { finalTables, projectAll } from '../support/fold/run-projections.ts'
import { toLogEntry } from '../support/log/governance-events.ts'
import { generateStory } from '../support/log/governance-story.ts'
import { openMemoryLog } from '../support/log/memory-log.ts'
import { createMemoryStore } from '../support/store/memory-store.ts'

const STORY_HEIGHTS = 40

/** The control database of one seed, in a store that many share. */
export const toControlName = (seed: number): string => `rollcall_sim_${seed}`

/** Height by height; richer in odd things than any chain in memory. */
export const createSeededStory = (seed: number): LogEntry[][] =>
  generateStory({ seed, heights: STORY_HEIGHTS }).map((events) => events.map(toLogEntry))

export const undisturbedTables = async (heights: readonly LogEntry[][]): Promise<Tables> => {
  const log = openMemoryLog()
  for (const height of heights) await log.append(height)
  const store = createMemoryStore()
  await projectAll(log, store)
  return normalised(finalTables(store.tables))
}
