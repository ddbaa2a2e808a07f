// Tests of the embedded ClickHouse: who can reach and write it, its threads, and a damaged store.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import {
  createStore,
  MAX_STORE_CONNECTIONS,
  type Store,
} from '../../infra/base/clickhouse/client.ts'
import {
  type EmbeddedClickHouse,
  type EmbeddedClickHouseOptions,
  startEmbeddedClickHouse,
} from '../../infra/base/clickhouse/embedded-server.ts'
import { MAX_IDLE_THREADS } from '../../infra/base/clickhouse/engine-config.ts'
import { silentLogger } from '../support/process/log-lines.ts'
import { createTemporaryDirectory } from '../support/process/temporary-directory.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const setup = () => {
  const directory = createTemporaryDirectory('clickhouse')
  cleanups.push(directory.remove)
  const dataDir = join(directory.path, 'clickhouse')
  const start = async (options: Partial<EmbeddedClickHouseOptions> = {}) => {
    const engine = await startEmbeddedClickHouse({
      dataDir,
      password: 'secret',
      logger: silentLogger(),
      ...options,
    })
    cleanups.push(() => engine.close())
    return engine
  }
  const connect = (engine: EmbeddedClickHouse, as: Partial<EmbeddedClickHouse> = {}): Store => {
    const store = createStore({ ...engine, ...as })
    cleanups.push(() => store.close())
    return store
  }
  return { dataDir, start, connect }
}

const createFacts = async (store: Store) => {
  await store.command('CREATE DATABASE IF NOT EXISTS facts ENGINE = Atomic')
  await store.command(
    'CREATE TABLE IF NOT EXISTS facts.facts (id UInt64, text String) ENGINE = MergeTree ORDER BY id',
  )
  await store.insert(
    'facts.facts',
    Array.from({ length: 1000 }, (_, id) => ({ id, text: `fact ${id}` })),
  )
}

const countFacts = async (store: Store): Promise<string | undefined> => {
  const [row] = await store.select<{ count: string }>('SELECT count() AS count FROM facts.facts')
  return row?.count
}

describe('the embedded ClickHouse', () => {
  it('listens on loopback only and protects its configuration file', async () => {
    const { start, dataDir } = setup()
    const engine = await start()
    const { hostname } = new URL(engine.url)
    expect(hostname).toBe('127.0.0.1')
    const listening = readFileSync('/proc/net/tcp', 'utf8') + readFileSync('/proc/net/tcp6', 'utf8')
    const port = engine.httpPort.toString(16).toUpperCase().padStart(4, '0')
    const addresses = [...listening.matchAll(/^\s*\d+: ([0-9A-F]+):([0-9A-F]{4}) \S+ 0A/gm)]
    expect(addresses.filter((match) => match[2] === port).map((match) => match[1])).toEqual([
      '0100007F',
    ])
    expect(statSync(join(dataDir, 'users.xml')).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(dataDir, 'users.xml'), 'utf8')).not.toContain('secret')
  })

  it('lets a read-only user select, and refuses any write', async () => {
    const { start, connect } = setup()
    const analyst = { username: 'analyst', password: 'read', reads: ['facts.*'] }
    const engine = await start({ readers: [analyst] })
    await createFacts(connect(engine))
    const reader = connect(engine, analyst)
    expect(await countFacts(reader)).toBe('1000')
    for (const sql of ['DROP TABLE facts.facts', "INSERT INTO facts.facts VALUES (1, 'x')"]) {
      await expect(reader.command(sql), sql).rejects.toMatchObject({ code: 'STORE_REFUSED' })
    }
    expect(await countFacts(reader)).toBe('1000')
  })

  it('answers all queries of 96 connections at once, and then releases its idle threads', async () => {
    const { start, connect } = setup()
    const engine = await start()
    // The reader, the writer and a command, each with all of its connections.
    const stores = Array.from({ length: 3 }, () => connect(engine))
    const busy = `SELECT sum(sleepEachRow(0.02)) AS slept FROM numbers_mt(16)
      SETTINGS max_threads = 4, max_block_size = 1`
    const queries = stores.flatMap((store) =>
      Array.from({ length: MAX_STORE_CONNECTIONS }, () => store.select(busy)),
    )
    await Promise.all(queries)
    const [store] = stores
    const countIdle = async (): Promise<number> => {
      const rows = await store?.select<{ idle: string }>(
        `SELECT sumIf(value, metric = 'GlobalThread') - sumIf(value, metric = 'GlobalThreadActive')
           AS idle FROM system.metrics`,
      )
      return Number(rows?.[0]?.idle)
    }
    await expect.poll(countIdle).toBeLessThanOrEqual(MAX_IDLE_THREADS)
  })
})

const findFile = (directory: string, name: RegExp): string => {
  const found = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((path) => join(directory, path))
    .find((path) => name.test(path))
  if (!found) throw new Error(`no ${name} in ${directory}`)
  return found
}

const flipMiddle = (file: string) => {
  const bytes = readFileSync(file)
  const middle = bytes.length >> 1
  bytes.writeUInt8(bytes.readUInt8(middle) ^ 0xff, middle)
  writeFileSync(file, bytes)
}

describe('a damaged ClickHouse store', () => {
  it.each<[string, RegExp, (file: string) => void, RegExp]>([
    ['a table definition is damaged', /facts\.sql$/, (f) => writeFileSync(f, 'x'), /facts\.sql/],
    ['one byte of a part is changed', /all_1\S*data\.bin$/, flipMiddle, /all_1_1_\d/],
  ])('is refused by name if %s', async (_, name, damage, named) => {
    const { start, connect, dataDir } = setup()
    const engine = await start()
    const store = connect(engine)
    await createFacts(store)
    await store.close()
    await engine.close()
    const file = findFile(join(dataDir, 'store', 'store'), name)
    damage(file)
    const before = readFileSync(file)
    await expect(start()).rejects.toMatchObject({
      code: 'DATA_DIR_DAMAGED',
      message: expect.stringMatching(named),
    })
    expect(readFileSync(file)).toEqual(before)
  })
})
