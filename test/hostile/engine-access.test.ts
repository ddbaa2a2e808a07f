// Tests access to the embedded ClickHouse without a password, from local processes and web pages.
import { existsSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createStore } from '../../infra/base/clickhouse/client.ts'
import {
  type EmbeddedClickHouse,
  type EmbeddedClickHouseOptions,
  startEmbeddedClickHouse,
} from '../../infra/base/clickhouse/embedded-server.ts'
import { ENGINE_USER } from '../../infra/base/clickhouse/engine-config.ts'
import { findFreePort, randomLoopback } from '../../infra/base/runtime/ports.ts'
import { silentLogger } from '../support/process/log-lines.ts'
import { createTemporaryDirectory } from '../support/process/temporary-directory.ts'

const number = (value: number): Buffer => {
  const bytes: number[] = []
  let rest = value
  while (rest >= 0x80) {
    bytes.push((rest & 0x7f) | 0x80)
    rest >>>= 7
  }
  return Buffer.from([...bytes, rest])
}

const text = (value: string): Buffer =>
  Buffer.concat([number(Buffer.byteLength(value)), Buffer.from(value)])

/** An old revision without client information, settings and parameters in a query. */
const REVISION = 54_000

const hello = ({ username, password }: { username: string; password: string }): Buffer =>
  Buffer.concat([
    number(0),
    text('test'),
    number(20),
    number(1),
    number(REVISION),
    text(''),
    text(username),
    text(password),
  ])

const statement = (sql: string): Buffer =>
  Buffer.concat([
    number(1),
    text(''),
    text(''),
    number(2),
    number(0),
    text(sql),
    // An empty block ends the data of the statement.
    number(2),
    text(''),
    Buffer.from([1, 0, 2, 0xff, 0xff, 0xff, 0xff, 0]),
    number(0),
    number(0),
  ])

/** A response has no end that is easy to see: it is whole when nothing comes for so long. */
const QUIET_MS = 1_500
const FIRST_BYTES_MS = 30_000

type NativeQuery = { port: number; username: string; password: string; sql: string }

/** All bytes of the response as Latin-1, or the error code of the connection. */
const queryNatively = ({ port, sql, ...user }: NativeQuery): Promise<string> =>
  new Promise((resolve) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1')
    const end = () => {
      socket.destroy()
      resolve(answer)
    }
    let timer = setTimeout(end, FIRST_BYTES_MS)
    let isLoggedIn = false
    socket.on('data', (bytes) => {
      answer += bytes.toString('latin1')
      clearTimeout(timer)
      timer = setTimeout(end, QUIET_MS)
      // The first packet is 0 if the login was accepted.
      if (!isLoggedIn && bytes[0] === 0) socket.write(statement(sql))
      isLoggedIn = true
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      answer += error.code ?? error.message
    })
    socket.on('close', () => {
      clearTimeout(timer)
      end()
    })
    socket.write(hello(user))
  })

const ANALYST = { username: 'analyst', password: 'read only', reads: ['rollcall.v_*'] }

type Rig = {
  engine: EmbeddedClickHouse
  directory: string
  keyFile: string
  stop(): Promise<void>
}

const startRig = async (options: Partial<EmbeddedClickHouseOptions> = {}): Promise<Rig> => {
  const directory = createTemporaryDirectory('engine-access')
  const keyFile = join(directory.path, 'key.json')
  writeFileSync(keyFile, '{"d":"private"}', { mode: 0o600 })
  const engine = await startEmbeddedClickHouse({
    dataDir: join(directory.path, 'clickhouse'),
    password: 'secret',
    readers: [ANALYST],
    logger: silentLogger(),
    ...options,
  })
  const stop = async () => {
    await engine.close()
    directory.remove()
  }
  return { engine, directory: directory.path, keyFile, stop }
}

type EngineRequest = { sql: string; query?: string; headers?: Record<string, string> }

const ask = async ({ engine }: Rig, { sql, query = '', headers = {} }: EngineRequest) => {
  const response = await fetch(`${engine.url}/${query}`, { method: 'POST', body: sql, headers })
  return { status: response.status, text: await response.text() }
}

const AS_PAGE = { origin: 'https://evil.example', 'content-type': 'text/plain' }

const isServing = async ({ engine }: Rig): Promise<boolean> => {
  const store = createStore(engine)
  try {
    await store.select('SELECT 1')
    return true
  } catch {
    return false
  } finally {
    await store.close()
  }
}

describe('the user without a password of the embedded ClickHouse', () => {
  let rig: Rig
  beforeAll(async () => {
    rig = await startRig({ tcpPort: await findFreePort('127.0.0.1') })
  })
  afterAll(() => rig?.stop())

  it.each<[string, Omit<EngineRequest, 'sql'>]>([
    ['without any header', {}],
    ['from a web page', { headers: AS_PAGE }],
    ['by its name and an empty password', { query: '?user=default&password=' }],
    ['with another profile', { query: '?profile=default' }],
    ['with no limit of sessions', { query: '?max_sessions_for_user=0' }],
    ['in a named session', { query: '?session_id=mine&session_timeout=60' }],
  ])('cannot run a statement over HTTP %s', async (_, how) => {
    for (const sql of ['SYSTEM STOP LISTEN HTTP', 'SELECT 1 SETTINGS max_sessions_for_user = 0']) {
      const { status, text } = await ask(rig, { sql, ...how })
      expect(text, sql).toMatch(/USER_SESSION_LIMIT_EXCEEDED/)
      expect(status).not.toBe(200)
    }
    expect(await isServing(rig)).toBe(true)
  })

  it('cannot run a statement over the native protocol, but Rollcall can', async () => {
    const port = rig.engine.tcpPort ?? Number.NaN
    const sql = "SELECT concat('answer ', toString(6 * 7))"
    const own = await queryNatively({ port, sql, username: ENGINE_USER, password: 'secret' })
    expect(own).toContain('answer 42')
    const refused = await queryNatively({ port, sql, username: 'default', password: '' })
    expect(refused).toMatch(/overflown session count/)
    expect(refused).not.toContain('answer 42')
  })
})

describe('the embedded ClickHouse', () => {
  it('admits no other session of the user without a password during its start', async () => {
    const port = await findFreePort('127.0.0.1')
    const url = `http://127.0.0.1:${port}`
    const answers = new Map<string, number>()
    let isOver = false
    const hammer = async () => {
      while (!isOver) {
        try {
          const response = await fetch(url, { method: 'POST', body: 'SELECT sleep(3)' })
          const text = await response.text()
          const kind = /USER_SESSION_LIMIT_EXCEEDED/.test(text) ? 'refused' : text
          answers.set(kind, (answers.get(kind) ?? 0) + 1)
        } catch {
          await new Promise((resolve) => setTimeout(resolve, 1))
        }
      }
    }
    const hammers = Array.from({ length: 8 }, hammer)
    const rig = await startRig({ httpPort: port })
    onTestFinished(rig.stop)
    await new Promise((resolve) => setTimeout(resolve, 500))
    isOver = true
    await Promise.all(hammers)
    expect([...answers.keys()]).toEqual(['refused'])
    expect(await isServing(rig)).toBe(true)
  })

  it('serves Rollcall while another process takes every other connection', async () => {
    const rig = await startRig()
    onTestFinished(rig.stop)
    const stores = [createStore(rig.engine), createStore(rig.engine)]
    onTestFinished(async () => {
      for (const store of stores) await store.close()
    })
    for (const store of stores) await store.select('SELECT 1')
    const { hostname, port } = new URL(rig.engine.url)
    const half = Array.from({ length: 700 }, () => {
      const socket = connect({ host: hostname, port: Number(port) })
      socket.on('error', () => {}).write('POST / HTTP/1.1\r\nHost: a\r\n')
      return socket
    })
    onTestFinished(() => {
      for (const socket of half) socket.destroy()
    })
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    const outside = fetch(`${rig.engine.url}/ping`, { signal: AbortSignal.timeout(1_000) })
    await expect(outside.then((response) => response.text())).rejects.toThrow()
    expect(await rig.engine.isAnswering(60_000)).toBe(true)
    for (let round = 0; round < 25; round++) {
      const asked = stores.flatMap((store) =>
        Array.from({ length: 4 }, () => store.select('SELECT 1 AS one', {}, { timeoutMs: 60_000 })),
      )
      expect(await Promise.all(asked)).toEqual(asked.map(() => [{ one: 1 }]))
    }
  })

  it.runIf(process.platform === 'linux')(
    'can listen on a loopback address that a web page cannot guess',
    async () => {
      const host = randomLoopback()
      expect(host).toMatch(/^127\.\d+\.\d+\.\d+$/)
      expect(new Set(Array.from({ length: 20 }, () => randomLoopback())).size).toBe(20)
      const rig = await startRig({ host })
      onTestFinished(rig.stop)
      expect(new URL(rig.engine.url).hostname).toBe(host)
      expect(await isServing(rig)).toBe(true)
      const guess = `http://127.0.0.1:${rig.engine.httpPort}/ping`
      await expect(fetch(guess)).rejects.toThrow()
    },
  )
})

describe('an analyst of the embedded ClickHouse', () => {
  const FILE = "'../users.xml'"
  const headers = { 'x-clickhouse-user': 'analyst', 'x-clickhouse-key': ANALYST.password }
  let rig: Rig
  beforeAll(async () => {
    rig = await startRig()
  })
  afterAll(() => rig?.stop())

  it.each([
    ['format_template_resultset', 'SELECT 1 FORMAT Template'],
    ['format_template_row', 'SELECT 1 FORMAT Template'],
    ['format_schema', 'SELECT 1 AS a FORMAT Protobuf'],
    ['output_format_schema', 'SELECT 1 AS a FORMAT Protobuf'],
    ['input_format_record_errors_file_path', 'SELECT 1'],
    ['format_avro_schema_registry_url', 'SELECT 1 FORMAT AvroConfluent'],
  ])(
    'reads and writes no file by the setting %s',
    {
      tags: 'projections:analysts-read-views',
    },
    async (setting, sql) => {
      const written = join(rig.directory, 'written.txt')
      const requests = [rig.keyFile, written, 'http://127.0.0.1:1/'].flatMap((path) => [
        { sql: `${sql} SETTINGS ${setting} = '${path}'` },
        { sql, query: `?${setting}=${encodeURIComponent(path)}` },
        { sql: `SET ${setting} = '${path}'` },
      ])
      for (const request of requests) {
        const { status, text } = await ask(rig, { ...request, headers })
        expect(status, text).not.toBe(200)
        expect(text).toMatch(/should not be changed/)
        expect(text).not.toContain('private')
      }
      expect(existsSync(written)).toBe(false)
    },
  )

  it.each([
    "url('http://127.0.0.1:1/', 'LineAsString')",
    "s3('http://127.0.0.1:1/bucket/key', 'LineAsString')",
    "remote('127.0.0.1', 'system', 'one')",
    "executable('true', 'TSV', 's String')",
    "file('/etc/passwd', 'LineAsString')",
    "icebergLocal('/tmp')",
    "mysql('127.0.0.1:1', 'a', 'b', 'c', 'd')",
    "merge('system', 'users')",
    "cluster('default', system.one)",
  ])('has no table function %s', async (name) => {
    const { status, text } = await ask(rig, { sql: `SELECT * FROM ${name}`, headers })
    expect(status, text).not.toBe(200)
    expect(text).toMatch(
      /ACCESS_DENIED|BAD_ARGUMENTS|CLUSTER_DOESNT_EXIST|UNKNOWN_|NUMBER_OF_ARGUMENTS|CANNOT_EXTRACT_TABLE_STRUCTURE/,
    )
  })

  it.each([
    `SELECT file(${FILE})`,
    `SELECT "\\x66ile"(${FILE})`,
    `WITH file(${FILE}) AS x SELECT x`,
    `WITH (x -> file(x)) AS f SELECT f(${FILE})`,
    `SELECT arrayMap(file, [${FILE}])`,
    `SELECT * APPLY(file) FROM (SELECT ${FILE} AS x)`,
    `SELECT * FROM view(SELECT file(${FILE}))`,
    `SELECT * FROM file(${FILE}, 'LineAsString')`,
    `SELECT 1 FROM numbers(2) LIMIT length(file(${FILE}))`,
    `CREATE OR REPLACE FUNCTION file AS (x) -> x`,
  ])('reads no file of the engine by %s', async (sql) => {
    for (const query of ['', '?enable_analyzer=0']) {
      const { status, text } = await ask(rig, { sql, query, headers })
      expect(status, `${query} ${text}`).not.toBe(200)
      expect(text).not.toContain('<clickhouse>')
    }
    const own = await ask(rig, { sql: 'SELECT currentUser()', headers })
    expect(own).toEqual({ status: 200, text: 'analyst\n' })
  })
})
