// Tests of the contract of the store, and of the migrations, with the embedded ClickHouse or the one at CLICKHOUSE_URL.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrate, readMigrations } from '../../projections/read-model/migrate.ts'
import { describeStore, describeTables, type StoreRig } from '../contracts/store.ts'
import { startTestClickHouse, type TestClickHouse } from '../support/store/clickhouse.ts'

let clickhouse: TestClickHouse
beforeAll(async () => {
  clickhouse = await startTestClickHouse()
})
afterAll(() => clickhouse.stop())

const createRig = async (): Promise<StoreRig> => {
  const { store, control } = clickhouse
  await migrate(store, { control, generation: 1 })
  return {
    store,
    control,
    final: (table) => store.select(`SELECT * FROM ${control}_1.${table} FINAL`),
  }
}

describeTables('ClickHouse', createRig)
describeStore('ClickHouse', createRig)

const migrationsIn = (files: Record<string, string>): { directory: string; remove: () => void } => {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-migrations-'))
  for (const [name, sql] of Object.entries(files)) writeFileSync(join(directory, name), sql)
  return { directory, remove: () => rmSync(directory, { recursive: true }) }
}

const TABLE = 'CREATE TABLE IF NOT EXISTS {database}.a (id UInt8) ENGINE = Memory'

describe('migrations', () => {
  it('are applied once each, in order', async () => {
    const { store, control } = clickhouse
    const names = readMigrations().map(({ name }) => name)
    expect(await migrate(store, { control, generation: 9 })).toEqual(names)
    expect(await migrate(store, { control, generation: 9 })).toEqual([])
    const tables = await store.select<{ name: string }>(
      'SELECT name FROM system.tables WHERE database = {database:String} ORDER BY name',
      { database: `${control}_9` },
    )
    expect(tables.map(({ name }) => name)).toContain('pool_votes')
  })

  it('are applied to every generation separately', async () => {
    const { store, control } = clickhouse
    await migrate(store, { control, generation: 2 })
    expect((await migrate(store, { control, generation: 3 })).length).toBeGreaterThan(0)
  })

  it('that were changed after their application are refused by name', async () => {
    const { store, control } = clickhouse
    const before = migrationsIn({ '0001_a.sql': TABLE })
    await migrate(store, { control, generation: 10, directory: before.directory })
    const changed = migrationsIn({ '0001_a.sql': `${TABLE} COMMENT 'x'`, '0002_b.sql': 'SELECT 1' })
    await expect(
      migrate(store, { control, generation: 10, directory: changed.directory }),
    ).rejects.toMatchObject({ code: 'STORE_REFUSED', message: expect.stringContaining('0001_a') })
    before.remove()
    changed.remove()
  })

  it('that were interrupted are run again to their end', async () => {
    const { store, control } = clickhouse
    const broken = migrationsIn({ '0001_a.sql': `${TABLE};\nCREATE NONSENSE` })
    await expect(
      migrate(store, { control, generation: 11, directory: broken.directory }),
    ).rejects.toMatchObject({ code: 'STORE_REFUSED' })
    const fixed = migrationsIn({ '0001_a.sql': `${TABLE};\nSELECT ';'` })
    const applied = await migrate(store, { control, generation: 11, directory: fixed.directory })
    expect(applied).toEqual(['0001_a.sql'])
    broken.remove()
    fixed.remove()
  })
})
