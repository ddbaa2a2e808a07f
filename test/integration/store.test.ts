// Tests of the contract of the store, and of the creation of tables, with the embedded ClickHouse or the one at CLICKHOUSE_URL.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refuseUnfitCluster } from '../../infra/base/clickhouse/check-server.ts'
import type { Store } from '../../infra/base/clickhouse/client.ts'
import {
  CLUSTER_QUERY_SETTINGS,
  fillClusterVariables,
} from '../../infra/base/clickhouse/cluster.ts'
import type { StoredTable, Table } from '../../projections/contract/table/define-table.ts'
import { TABLES } from '../../projections/contract/tables.ts'
import {
  createTables,
  findMissingColumns,
  pointViews,
} from '../../projections/read-model/prepare.ts'
import { describeStore, describeTables, type StoreRig } from '../contracts/store.ts'
import { startTestClickHouse, type TestClickHouse } from '../support/store/clickhouse.ts'

/** Records statements and answers like an empty database. */
const createNotingStore = (statements: string[]): Store => ({
  command: async (sql) => void statements.push(sql),
  select: async () => [],
  selectBytes: async () => Buffer.alloc(0),
  stream: () => Promise.reject(new Error('there is nothing to stream')),
  insert: async () => {},
  isResponding: async () => true,
  close: async () => {},
})

/** The statements of a first start, in order. */
const readSchemaStatements = async (control = 'rollcall'): Promise<string[]> => {
  const statements: string[] = []
  const store = createNotingStore(statements)
  await createTables(store, { control, generation: 1 })
  await pointViews(store, { control, generation: 1 })
  return statements
}

let clickhouse: TestClickHouse
beforeAll(async () => {
  clickhouse = await startTestClickHouse()
})
afterAll(() => clickhouse.stop())

const createRig = async (): Promise<StoreRig> => {
  const { store, control } = clickhouse
  await createTables(store, { control, generation: 1 })
  return {
    store,
    control,
    final: (table) => store.select(`SELECT * FROM ${control}_1.${table} FINAL`),
  }
}

describeTables('ClickHouse', createRig)
describeStore('ClickHouse', createRig)

describe('the tables of a generation', () => {
  it('are created again without a change, and completed after an interruption', async () => {
    const { store, control } = clickhouse
    const database = `${control}_9`
    await createTables(store, { control, generation: 9 })
    await store.command(`DROP TABLE ${database}.watermarks SYNC`)
    await createTables(store, { control, generation: 9 })
    expect(await findMissingColumns(store, database)).toEqual([])
  })

  it('have the declared keys, and a comment on each column', async () => {
    const { store, control } = clickhouse
    await createTables(store, { control, generation: 11 })
    const database = `${control}_11`
    const keys = await store.select<{ name: string; key: string }>(
      `SELECT name, sorting_key AS key FROM system.tables
       WHERE database = {database:String} AND engine LIKE '%MergeTree'`,
      { database },
    )
    const declared = Object.values<Table>(TABLES).flatMap(({ name, key, copies }) => [
      { name, key },
      ...Object.values<StoredTable>(copies),
    ])
    expect(Object.fromEntries(keys.map(({ name, key }) => [name, key]))).toEqual(
      Object.fromEntries(declared.map(({ name, key }) => [name, key.join(', ')])),
    )
    const silent = await store.select(
      `SELECT table, name FROM system.columns
       WHERE database = {database:String} AND comment = '' AND table IN {tables:Array(String)}`,
      { database, tables: keys.map(({ name }) => name) },
    )
    expect(silent).toEqual([])
  })

  it('get each change of a later version, at every start', async () => {
    const { store, control } = clickhouse
    const changes = ['ALTER TABLE {database}.pools{on_cluster} ADD COLUMN IF NOT EXISTS a UInt8']
    for (const _ of [1, 2]) await createTables(store, { control, generation: 10, changes })
    expect(await store.select(`SELECT a FROM ${control}_10.pools`)).toEqual([])
  })
})

describe('the schema of a cluster', () => {
  const format = async (sql: string): Promise<string> => {
    const rows = await clickhouse.store.select<{ formatted: string }>(
      'SELECT formatQuery({sql:String}) AS formatted',
      { sql },
    )
    return rows[0]?.formatted ?? ''
  }

  it('has only statements that ClickHouse can parse, with the cluster name in the right position', async () => {
    for (const statement of await readSchemaStatements()) {
      expect(await format(fillClusterVariables(statement, 'gov'))).toMatch(/ON CLUSTER gov\b/)
    }
  })

  it('uses only settings that the engine has', async () => {
    const names = Object.keys(CLUSTER_QUERY_SETTINGS)
    const rows = await clickhouse.store.select<{ name: string }>(
      'SELECT name FROM system.settings WHERE has({names:Array(String)}, name)',
      { names },
    )
    expect(rows.map(({ name }) => name).sort()).toEqual(names.sort())
  })

  it('refuses an unknown cluster before it creates any table', async () => {
    await expect(refuseUnfitCluster(clickhouse.store, 'nowhere')).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('the store has no cluster nowhere'),
    })
  })
})
