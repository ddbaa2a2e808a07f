// The vote record that the page table stores is the one that every other answer spells.
import { expect, it } from 'vitest'
import { VOTE_RECORD } from '../../../../api/queries/vote-record.ts'
import { readMigrations } from '../../../../projections/read-model/migrate.ts'

it('is stored in the words in which it is answered elsewhere', () => {
  const stored = readMigrations().filter(({ sql }) => sql.includes('record String MATERIALIZED'))
  expect(stored.at(-1)?.sql).toContain(`MATERIALIZED\n    ${VOTE_RECORD}\n`)
})
