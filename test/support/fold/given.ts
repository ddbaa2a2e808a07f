// Folds heights of events and compares the resulting rows, for unit tests of the fold.
import { expect, vi } from 'vitest'
import type { GovernanceEvent } from '../../../ingest/contract/events.ts'
import type { PoolState } from '../../../ingest/contract/facts.ts'
import type { FoldedRows } from '../../../projections/fold/rows/rows.ts'
import {
  createHeightEvents,
  firstReading,
  submitted,
  voteWith,
  votingStarted,
  votingState,
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
  /** The names of all pools in `pool_votes`, by rank. */
  expectPoolOrder(names: readonly string[]): Given
}

const toOperatorName = (name: string): string => `${name}-operator`

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
      const operator = toOperatorName(name)
      const ofPool = rows('pool_votes').filter((row) => row.operator_address === operator)
      expectColumns(ofPool, [{ operator_address: operator, ...columns }])
    }),
    expectPoolOrder: helper((names: readonly string[]) => {
      const operators = rows('pool_votes').map((row) => row.operator_address)
      expect(operators).toEqual(names.map(toOperatorName))
    }),
  }
  return self
}

export const POOLS = [pool('a'), pool('b'), pool('c')]

/** Height 1 and 2: a proposal submitted and opened for voting, with the first reading of its vote. */
export const openVote = ({
  id = '7',
  pools = POOLS,
  expedited = false,
}: {
  id?: string
  pools?: PoolState[]
  expedited?: boolean
} = {}): GovernanceEvent[][] => {
  const proposal = votingState(id, { expedited })
  return [
    createHeightEvents(1, [submitted(id)], 1),
    createHeightEvents(2, [votingStarted(id, { proposal }), firstReading(id, pools)], 1),
  ]
}

/** Height 1 to 3: an open vote in which the operator of pool `a` voted yes. */
export const openVoteWithBallot = (): GovernanceEvent[][] => [
  ...openVote(),
  createHeightEvents(3, voteWith('7', 'a-account', [to('a', '1')]), 1),
]
