// Records that no fold can read: each is kept with its reason, what it puts in doubt says so, and everything else is exact.
import { expect, it } from 'vitest'
import type { LogEntry } from '../../infra/log/event-log.ts'
import { finalTables } from '../support/fold/run-projections.ts'
import { normalised, type Tables } from '../support/fold/tables-of.ts'
import { createMemoryLogPlace, openMemoryLog } from '../support/log/memory-log.ts'
import { createMemoryStore } from '../support/store/memory-store.ts'
import type { Dice } from './dice.ts'
import {
  ILLEGIBLE_POISONS,
  NAMED_POISONS,
  type Poisoned,
  poison,
  UNKNOWN_PROPOSAL,
} from './poison.ts'
import { storyOf, undisturbedTables } from './seeded-tables.ts'
import { forEachSeed } from './seeds.ts'
import { projectThrough, type Struck } from './whole-run.ts'

type Row = Record<string, unknown>

/** Projected by processes that are killed and cut off meanwhile. */
const tablesAmidFaults = async (dice: Dice, heights: readonly LogEntry[][]): Promise<Tables> => {
  const place = createMemoryLogPlace()
  const log = openMemoryLog(place)
  for (const height of heights) await log.append(height)
  const store = createMemoryStore()
  const struck: Struck = { log: [], store: [], ends: [] }
  const openReader = async () => openMemoryLog(place)
  await projectThrough({ dice, openReader }, struck, { store, isComplete: () => true })
  return normalised(finalTables(store.tables))
}

const rowsOf = (tables: Tables, table: string): Row[] => (tables[table] ?? []) as Row[]

const textOf = ({ value }: LogEntry): string => {
  const text = Buffer.from(value).toString()
  return Buffer.compare(Buffer.from(text), value) === 0
    ? text
    : `base64:${Buffer.from(value).toString('base64')}`
}

/** What doubt changes in a row, and what one record more in the log does. */
const DOUBT: ReadonlySet<string> = new Set(['history', 'history_reason', 'version', 'offset'])

const withoutDoubt = (tables: Tables, names: readonly string[]): Tables =>
  Object.fromEntries(
    names.map((name) => [
      name,
      rowsOf(tables, name).map((row) =>
        Object.fromEntries(Object.entries(row).filter(([column]) => !DOUBT.has(column))),
      ),
    ]),
  )

const expectLetters = (tables: Tables, { poisons }: Poisoned) => {
  const letters = rowsOf(tables, 'dead_letters')
  for (const entry of poisons) {
    const kept = letters.filter(({ value }) => value === textOf(entry))
    expect(kept).toHaveLength(1)
    expect(kept[0]).toMatchObject({ height: String(entry.height) })
    expect(kept[0]?.['reason']).toMatch(
      /not JSON|not an event envelope|unknown event type|rollcall\./,
    )
  }
}

const isOf =
  (...ids: string[]) =>
  (row: Row): boolean =>
    ids.includes(String(row['proposal_id']))

it('a poison event is kept with its reason and everything else is exact', {
  tags: 'projections:dead-letters',
}, async () => {
  await forEachSeed({ file: import.meta.url, count: 30, lanes: 4 }, async (dice) => {
    const heights = storyOf(dice.seed)
    const poisoned = poison(dice, heights, NAMED_POISONS)
    const { proposalId } = poisoned
    const clean = await undisturbedTables(heights)
    const tables = await tablesAmidFaults(dice, poisoned.heights)
    expect(tables).toEqual(await undisturbedTables(poisoned.heights))
    expectLetters(tables, poisoned)
    const isTouched = isOf(proposalId, UNKNOWN_PROPOSAL)
    for (const table of Object.keys(clean).filter((name) => name !== 'dead_letters')) {
      const others = (all: Tables) => rowsOf(all, table).filter((row) => !isTouched(row))
      expect([table, others(tables)]).toEqual([table, others(clean)])
    }
    const named = (all: Tables) => ({
      proposals: rowsOf(all, 'proposals').filter(isOf(proposalId)),
      ballots: rowsOf(all, 'ballots').filter(isOf(proposalId)),
      pool_votes: rowsOf(all, 'pool_votes').filter(isOf(proposalId)),
      tallies: rowsOf(all, 'tallies').filter(isOf(proposalId)),
    })
    const names = Object.keys(named(clean))
    expect(withoutDoubt(named(tables), names)).toEqual(withoutDoubt(named(clean), names))
    const [unknown] = rowsOf(tables, 'proposals').filter(isOf(UNKNOWN_PROPOSAL))
    expect(unknown).toMatchObject({ history: 'partial' })
    expect(unknown?.['history_reason']).toMatch(/could not be (read|folded)/)
  })
})

it('a record that nobody can read puts in doubt what was open, and changes nothing that is known', async () => {
  await forEachSeed({ file: import.meta.url, count: 30, lanes: 4 }, async (dice) => {
    const heights = storyOf(dice.seed)
    const poisoned = poison(dice, heights, ILLEGIBLE_POISONS)
    const clean = await undisturbedTables(heights)
    const tables = await tablesAmidFaults(dice, poisoned.heights)
    expect(tables).toEqual(await undisturbedTables(poisoned.heights))
    expectLetters(tables, poisoned)
    const known = ['events', 'proposals', 'ballots', 'pools', 'pool_states', 'voter_stakes']
    expect(withoutDoubt(tables, known)).toEqual(withoutDoubt(clean, known))
    const before = new Map(rowsOf(clean, 'proposals').map((row) => [row['proposal_id'], row]))
    for (const row of rowsOf(tables, 'proposals')) {
      const { history, history_reason: reason } = before.get(row['proposal_id']) ?? {}
      if (row['history'] === history && row['history_reason'] === reason) continue
      expect(row['history']).toBe('partial')
      expect(row['history_reason']).toMatch(/could not be read|and \d+ more/)
    }
  })
})
