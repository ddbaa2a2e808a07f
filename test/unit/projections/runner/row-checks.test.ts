// Tests what happens to a row that its table cannot store without changes.
import { expect, it } from 'vitest'
import { events } from '../../../../projections/contract/tables/events.ts'
import { pools } from '../../../../projections/contract/tables/pools.ts'
import { type TallyRow, tallies } from '../../../../projections/contract/tables/tallies.ts'
import { checkRows } from '../../../../projections/runner/row-checks.ts'
import { tallyRow } from '../../../support/store/read-model-seed.ts'

const TOO_LARGE = 2n ** 256n
const tally = (changes: Partial<TallyRow> = {}): TallyRow => ({
  ...tallies.decode(tallyRow(7, 3)),
  version: 9n,
  ...changes,
})

it('rows that fit are the same rows, without a fault', () => {
  const rows = [tally(), tally({ yes: null })]
  const checked = checkRows(tallies, rows)
  expect(checked.rows).toBe(rows)
  expect(checked.faults).toEqual([])
})

it('an impossible number becomes null if the column allows it, with the value in the fault', () => {
  const { rows, faults } = checkRows(tallies, [tally({ yes: TOO_LARGE }), tally()])
  expect(rows).toEqual([tally({ yes: null }), tally()])
  expect(faults).toEqual([
    {
      table: 'tallies',
      proposalId: '7',
      position: 9n,
      reason: 'tallies.yes cannot hold what was computed',
      detail: `yes is "${TOO_LARGE}", which is not a Nullable(UInt256)`,
    },
  ])
})

it('a row with a value that its table cannot store is left out', () => {
  const pool = { tokens: TOO_LARGE, version: 9n, status: 7 }
  const { rows, faults } = checkRows(pools, [pool])
  expect(rows).toEqual([])
  expect(faults.map(({ detail }) => detail)).toEqual(
    expect.arrayContaining([
      `tokens is "${TOO_LARGE}", which is not a UInt256`,
      'status is 7, which is not a String',
    ]),
  )
  expect(faults[0]).toMatchObject({ table: 'pools', proposalId: '0', position: 9n })
})

it('the position of a row without a version is its position', () => {
  const { faults } = checkRows(events, [{ position: 12n, proposalId: '3' }])
  expect(faults[0]).toMatchObject({ proposalId: '3', position: 12n })
})

it('a text without an encoding is stored with a replacement, without a fault', () => {
  const { rows, faults } = checkRows(tallies, [tally({ matchesChainReason: 'a\ud83db' })])
  expect(rows).toEqual([tally({ matchesChainReason: 'a\ufffdb' })])
  expect(faults).toEqual([])
})
