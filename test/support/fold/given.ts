// Folds heights of events and compares the resulting rows, for unit tests of the fold.
import { expect, vi } from 'vitest'
import type { GovernanceEvent } from '../../../ingest/contract/events.ts'
import type { FoldedRows } from '../../../projections/fold/rows/rows.ts'
import {
  createHeightEvents,
  firstReading,
  submitted,
  voteWith,
  votingStarted,
} from '../log/governance-events.ts'
import { pool, to } from '../log/governance-values.ts'
import type { TableName, TableRows } from '../store/memory-store.ts'
import { foldHeights } from './fold-heights.ts'

/** The columns that a test checks. A column is compared as a whole; its value may be a matcher. */
type Columns<T extends TableName> = Partial<TableRows[T]>

export type Given = {
  /** All rows of a table, in key order. */
  rows<T extends TableName>(table: T): TableRows[T][]
  /** The records that could not be decoded or folded. */
  undecodable: FoldedRows['undecodable']
  /** The table has exactly these rows, in key order. */
  expectRows<T extends TableName>(table: T, expected: readonly Columns<T>[]): Given
  /** The table has exactly this row. */
  expectRow<T extends TableName>(table: T, expected: Columns<T>): Given
  /** The row of `pool_votes` of the named pool. */
  expectPool(name: string, expected: Columns<'pool_votes'>): Given
}

const pick = (row: object, expected: object): object =>
  Object.fromEntries(Object.entries(row).filter(([column]) => Object.hasOwn(expected, column)))

const expectColumns = (rows: readonly object[], expected: readonly object[]): void => {
  // An unexpected row is shown with all its columns.
  expect(rows.map((row, at) => pick(row, expected[at] ?? row))).toEqual(expected)
}

export const given = (...heights: Parameters<typeof foldHeights>[0]): Given => {
  const { final: rows, undecodable } = foldHeights(heights)
  // A helper's failure is reported at the line of the test that called it.
  const helper = <Args extends readonly unknown[]>(check: (...args: Args) => void) =>
    vi.defineHelper((...args: Args): Given => {
      check(...args)
      return self
    })
  const self: Given = {
    rows,
    undecodable,
    expectRows: helper((table: TableName, expected: readonly object[]) =>
      expectColumns(rows(table), expected),
    ),
    expectRow: helper((table: TableName, expected: object) =>
      expectColumns(rows(table), [expected]),
    ),
    expectPool: helper((name: string, columns: Columns<'pool_votes'>) => {
      const operator = `${name}-operator`
      const ofPool = rows('pool_votes').filter((row) => row.operator_address === operator)
      expectColumns(ofPool, [{ operator_address: operator, ...columns }])
    }),
  }
  return self
}

/** Height 1 to 3: an open vote with its first reading, in which the operator of pool `a` voted yes. */
export const openVoteWithBallot = (): GovernanceEvent[][] => [
  createHeightEvents(1, [submitted('7')], 1),
  createHeightEvents(
    2,
    [votingStarted('7'), firstReading('7', [pool('a'), pool('b'), pool('c')])],
    1,
  ),
  createHeightEvents(3, voteWith('7', 'a-account', [to('a', '1')]), 1),
]
