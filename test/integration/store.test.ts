// Tests of the store client and the migrations with a real ClickHouse.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createStore } from '../../infra/base/clickhouse/client.ts'
import { migrate, readMigrations } from '../../projections/read-model/migrate.ts'
import { startTestClickHouse, type TestClickHouse } from '../support/store/clickhouse.ts'

let clickhouse: TestClickHouse
beforeAll(async () => {
  clickhouse = await startTestClickHouse()
})
afterAll(() => clickhouse.stop())

let generation = 100

/** A separate migrated database. */
const setup = async () => {
  const { store, control } = clickhouse
  generation++
  await migrate(store, { control, generation })
  return { store, control, generation, database: `${control}_${generation}` }
}

const pool = (address: string, version: bigint) => ({
  operator_address: address,
  account_address: 'a',
  moniker: 'with "quotes", \\ and ☃',
  tokens: 2n ** 200n,
  delegator_shares: '123456789012345678901234567890.123456789012345678',
  status: 'bonded',
  jailed: false,
  counted: true,
  version,
})

describe('the store', () => {
  it('keeps every digit of large integers and decimals in both directions', async () => {
    const { store, database } = await setup()
    await store.insert(`${database}.pools`, [pool('p', 2n ** 63n)])
    const [row] = await store.select(`SELECT * FROM ${database}.pools`)
    expect(row).toEqual({
      ...pool('p', 0n),
      tokens: (2n ** 200n).toString(),
      version: (2n ** 63n).toString(),
    })
  })

  it('accepts timestamps in the format of the chain, with nanoseconds', async () => {
    const { store, database } = await setup()
    const time = '2026-11-21T08:00:00.123456789Z'
    const fact = { position: 1n, proposal_id: '1', type: 't', id: 'i', height: 1, time, event: '' }
    await store.insert(`${database}.events`, [fact])
    const [row] = await store.select<{ time: string }>(`SELECT time FROM ${database}.events`)
    expect(row?.time).toBe('2026-11-21 08:00:00.123456789')
  })

  it('inserts many rows in one call', async () => {
    const { store, database } = await setup()
    const rows = Array.from({ length: 30_000 }, (_, at) => pool(`pool-${at}`, 1n))
    await store.insert(`${database}.pools`, rows)
    const counted = await store.select(
      `SELECT uniqExact(operator_address) AS n FROM ${database}.pools`,
    )
    expect(counted).toEqual([{ n: '30000' }])
  })

  it.each([
    ['an unknown field', { surprise: 1 }],
    ['a NULL in a column that is not nullable', { moniker: null }],
    ['a number that is too large', { tokens: 'many' }],
  ])('refuses a batch with %s in one row, and inserts none of it', async (_, wrong) => {
    const { store, database } = await setup()
    const rows = [pool('good', 1n), { ...pool('bad', 1n), ...wrong }]
    await expect(store.insert(`${database}.pools`, rows)).rejects.toMatchObject({
      code: 'STORE_REFUSED',
      retryable: false,
    })
    expect(await store.select(`SELECT * FROM ${database}.pools`)).toEqual([])
  })

  it('fills placeholders and never treats a value as SQL', async () => {
    const { store } = await setup()
    const rows = await store.select('SELECT {text:String} AS text, {id:UInt64} AS id', {
      text: "'; DROP TABLE x; -- \t\\",
      id: 2n ** 64n - 1n,
    })
    expect(rows).toEqual([{ text: "'; DROP TABLE x; -- \t\\", id: '18446744073709551615' }])
  })

  it('returns all bytes of a large response, or an error', async () => {
    const { store } = await setup()
    const bytes = (rows: number) =>
      store.selectBytes(
        `SELECT throwIf(number = 200000) ? '' : repeat('x', 99), '\\n'
         FROM numbers({rows:UInt64}) FORMAT RawBLOB`,
        { rows },
      )
    expect(await bytes(0)).toEqual(Buffer.alloc(0))
    expect(await bytes(2)).toEqual(Buffer.from(`${'x'.repeat(99)}\n`.repeat(2)))
    expect(await bytes(200_000)).toHaveLength(20_000_000)
    await expect(bytes(200_001)).rejects.toMatchObject({ code: 'STORE_REFUSED' })
  })

  it('stops a query at its deadline or when its caller aborts', async () => {
    const { store } = await setup()
    const slow = 'SELECT sleepEachRow(0.1) FROM numbers(100) SETTINGS max_block_size = 1'
    await expect(store.select(slow, {}, { timeoutMs: 50 })).rejects.toMatchObject({
      code: 'DEADLINE_EXCEEDED',
      retryable: true,
    })
    const controller = new AbortController()
    const pending = store.select(slow, {}, { signal: controller.signal })
    controller.abort()
    await expect(pending).rejects.toMatchObject({ code: 'ABORTED' })
  })

  it('reports an unreachable store as unavailable and retryable', async () => {
    const store = createStore({ url: 'http://127.0.0.1:9', username: 'x', password: 'y' })
    await expect(store.select('SELECT 1')).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      retryable: true,
    })
    expect(await store.ping()).toBe(false)
    await store.close()
  })
})

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
    expect(await migrate(store, { control, generation: 1 })).toEqual(names)
    expect(await migrate(store, { control, generation: 1 })).toEqual([])
    const tables = await store.select<{ name: string }>(
      'SELECT name FROM system.tables WHERE database = {database:String} ORDER BY name',
      { database: `${control}_1` },
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
