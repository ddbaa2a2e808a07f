// Tests of the contract of the store, and of the creation of tables, with the embedded ClickHouse or the one at CLICKHOUSE_URL.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTables, findMissingColumns } from '../../projections/read-model/prepare.ts'
import { describeStore, describeTables, type StoreRig } from '../contracts/store.ts'
import { startTestClickHouse, type TestClickHouse } from '../support/store/clickhouse.ts'

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

  it('get each change of a later version, at every start', async () => {
    const { store, control } = clickhouse
    const changes = ['ALTER TABLE {database}.pools{on_cluster} ADD COLUMN IF NOT EXISTS a UInt8']
    for (const _ of [1, 2]) await createTables(store, { control, generation: 10, changes })
    expect(await store.select(`SELECT a FROM ${control}_10.pools`)).toEqual([])
  })
})
