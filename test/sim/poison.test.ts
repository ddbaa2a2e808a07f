// Tests undecodable records: each is kept with its reason, affected data is marked, and all other data is exact.
import { expect, it } from 'vitest'
import type { Tables } from '../support/fold/read-tables.ts'
import { recordingLogger } from '../support/process/log-lines.ts'
import { ILLEGIBLE_POISONS, NAMED_POISONS, poison, UNKNOWN_PROPOSAL } from './poison.ts'
import { createSeededStory, undisturbedTables } from './seeded-tables.ts'
import { forEachSeed } from './seeds.ts'

type Row = Record<string, unknown>

const getRows = (tables: Tables, table: string): Row[] => (tables[table] ?? []) as Row[]

/** Columns that uncertainty or one more record in the log changes. */
const INVALIDATED_COLUMNS: ReadonlySet<string> = new Set(['history', 'history_reason', 'version'])

const omitInvalidatedColumns = (tables: Tables, names: readonly string[]): Tables =>
  Object.fromEntries(
    names.map((name) => [
      name,
      getRows(tables, name).map((row) =>
        Object.fromEntries(
          Object.entries(row).filter(([column]) => !INVALIDATED_COLUMNS.has(column)),
        ),
      ),
    ]),
  )

const isAboutProposal =
  (...ids: string[]) =>
  (row: Row): boolean =>
    ids.includes(String(row['proposal_id']))

it('a poison event is reported with its reason and everything else is exact', {
  tags: 'projections:undecodable-records',
}, async () => {
  await forEachSeed({ file: import.meta.url, count: 30, lanes: 4 }, async (dice) => {
    const heights = createSeededStory(dice.seed)
    const poisoned = poison(dice, heights, NAMED_POISONS)
    const { proposalId } = poisoned
    const clean = await undisturbedTables(heights)
    const { logger, lines } = recordingLogger()
    const tables = await undisturbedTables(poisoned.heights, { logger })
    const reports = lines.filter(({ msg }) => msg === 'could not decode a record')
    expect(reports.map((report) => report['proposalId'])).toEqual(
      expect.arrayContaining([proposalId, UNKNOWN_PROPOSAL]),
    )
    const isPoisoned = isAboutProposal(proposalId, UNKNOWN_PROPOSAL)
    for (const table of Object.keys(clean)) {
      const others = (all: Tables) => getRows(all, table).filter((row) => !isPoisoned(row))
      expect([table, others(tables)]).toEqual([table, others(clean)])
    }
    const named = (all: Tables) => ({
      proposals: getRows(all, 'proposals').filter(isAboutProposal(proposalId)),
      ballots: getRows(all, 'ballots').filter(isAboutProposal(proposalId)),
      pool_votes: getRows(all, 'pool_votes').filter(isAboutProposal(proposalId)),
      tallies: getRows(all, 'tallies').filter(isAboutProposal(proposalId)),
    })
    const names = Object.keys(named(clean))
    expect(omitInvalidatedColumns(named(tables), names)).toEqual(
      omitInvalidatedColumns(named(clean), names),
    )
    const [unknown] = getRows(tables, 'proposals').filter(isAboutProposal(UNKNOWN_PROPOSAL))
    expect(unknown).toMatchObject({ history: 'partial' })
    expect(unknown?.['history_reason']).toMatch(/could not be (decoded|folded)/)
  })
})

it('an undecodable record makes open votes uncertain, and changes no other data', async () => {
  await forEachSeed({ file: import.meta.url, count: 30, lanes: 4 }, async (dice) => {
    const heights = createSeededStory(dice.seed)
    const poisoned = poison(dice, heights, ILLEGIBLE_POISONS)
    const clean = await undisturbedTables(heights)
    const tables = await undisturbedTables(poisoned.heights)
    const known = ['events', 'proposals', 'ballots', 'pools', 'pool_states', 'voter_stakes']
    expect(omitInvalidatedColumns(tables, known)).toEqual(omitInvalidatedColumns(clean, known))
    const before = new Map(getRows(clean, 'proposals').map((row) => [row['proposal_id'], row]))
    for (const row of getRows(tables, 'proposals')) {
      const { history, history_reason: reason } = before.get(row['proposal_id']) ?? {}
      if (row['history'] === history && row['history_reason'] === reason) continue
      expect(row['history']).toBe('partial')
      expect(row['history_reason']).toMatch(/could not be decoded|and \d+ more/)
    }
  })
})
