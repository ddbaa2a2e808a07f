// Tests that the store has exactly the declared tables, with names, types, keys and comments.
import { beforeAll, describe, expect, it } from 'vitest'
import { CONTROL_DATABASE, toDatabaseName } from '../../projections/contract/database.ts'
import type { StoredTable, Table } from '../../projections/contract/table/define-table.ts'
import { generations } from '../../projections/contract/tables/positions.ts'
import { TABLES } from '../../projections/contract/tables.ts'
import { useTestStore } from '../support/store/test-store.ts'

const testStore = useTestStore()

type Described = Record<
  string,
  { comment?: string; key: string; version: string; columns: Record<string, string> }
>

const describeColumn = (type: string, comment: string): string => `${type}: ${comment}`

const describeDeclared = (tables: readonly Table[]): Described =>
  Object.fromEntries(
    tables.flatMap(({ name, key, version = '', columns, copies }) =>
      [{ name, key }, ...Object.values<StoredTable>(copies)].map((each) => [
        each.name,
        {
          key: each.key.join(', '),
          version,
          columns: Object.fromEntries(
            columns.map(({ stored, sql, description }) => [
              stored,
              describeColumn(sql, description),
            ]),
          ),
        },
      ]),
    ),
  )

const readEngine = async (database: string): Promise<Described> => {
  const { store } = testStore
  const tables = await store.select<{ name: string; sorting_key: string; engine_full: string }>(
    `SELECT name, sorting_key, engine_full FROM system.tables
     WHERE database = {database:String} AND engine LIKE '%MergeTree'`,
    { database },
  )
  const columns = await store.select<Record<'table' | 'name' | 'type' | 'comment', string>>(
    'SELECT table, name, type, comment FROM system.columns WHERE database = {database:String}',
    { database },
  )
  return Object.fromEntries(
    tables.map(({ name, sorting_key: key, engine_full: engine }) => [
      name,
      {
        key,
        version: /^ReplacingMergeTree\((\w+)\)/.exec(engine)?.[1] ?? '',
        columns: Object.fromEntries(
          columns
            .filter(({ table }) => table === name)
            .map((column) => [column.name, describeColumn(column.type, column.comment)]),
        ),
      },
    ]),
  )
}

describe('the tables in the store', () => {
  let found: Described

  beforeAll(async () => {
    found = await readEngine(toDatabaseName(1))
  })

  it('are exactly the declared ones, with their columns, types, keys and comments', () => {
    expect(found).toEqual(describeDeclared(Object.values<Table>(TABLES)))
  })

  it('have a comment on each column', () => {
    const columns = Object.values(found).flatMap((table) => Object.entries(table.columns))
    expect(columns.length).toBeGreaterThan(200)
    expect(columns.filter(([, described]) => described.endsWith(': '))).toEqual([])
  })
})

it('the table of generations is the declared one', async () => {
  const { generations: found } = await readEngine(CONTROL_DATABASE)
  expect({ generations: found }).toEqual(describeDeclared([generations]))
})
