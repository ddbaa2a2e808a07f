// A real ClickHouse for one test file: the one at CLICKHOUSE_URL where that is set, else a container where there is an engine
// with the image, else an embedded one in a new directory.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createStore, type Store } from '../../../infra/clickhouse/client.ts'
import { startEmbeddedClickHouse } from '../../../infra/clickhouse/embedded-server.ts'
import { lackOfEngine, reasonOf } from '../process/container-engine.ts'
import { silentLogger } from '../process/log-lines.ts'
import { createTemporaryDirectory } from '../process/temporary-directory.ts'

export type TestClickHouse = {
  store: Store
  url: string
  username: string
  password: string
  /** A control database of this test alone, for `migrate`; generations are `<control>_<n>`. */
  control: string
  stop(): Promise<void>
}

const dropDatabases = async (store: Store, control: string) => {
  const rows = await store.select<{ name: string }>(
    'SELECT name FROM system.databases WHERE name = {control:String} OR startsWith(name, {prefix:String})',
    { control, prefix: `${control}_` },
  )
  for (const { name } of rows) await store.command(`DROP DATABASE ${name} SYNC`)
}

const useServer = (given: string): TestClickHouse => {
  const address = new URL(given)
  const username = decodeURIComponent(address.username) || 'default'
  const password = decodeURIComponent(address.password)
  address.username = ''
  address.password = ''
  const url = address.href
  const store = createStore({ url, username, password })
  const control = `rollcall_test_${randomBytes(6).toString('hex')}`
  const stop = async () => {
    await dropDatabases(store, control)
    await store.close()
  }
  return { store, url, username, password, control, stop }
}

const IMAGE = process.env['CLICKHOUSE_IMAGE'] ?? 'clickhouse/clickhouse-server:26.7'
const HTTP_PORT = 8123
const FILES = 16_384

const startContainer = async (): Promise<TestClickHouse> => {
  const { GenericContainer, Wait } = await import('testcontainers')
  const password = randomBytes(12).toString('hex')
  const container = await new GenericContainer(IMAGE)
    .withEnvironment({ CLICKHOUSE_USER: 'rollcall', CLICKHOUSE_PASSWORD: password })
    .withExposedPorts(HTTP_PORT)
    .withUlimits({ nofile: { soft: FILES, hard: FILES } })
    .withWaitStrategy(Wait.forHttp('/ping', HTTP_PORT).forStatusCode(200))
    .start()
  const at = `${container.getHost()}:${container.getMappedPort(HTTP_PORT)}`
  const server = useServer(`http://rollcall:${password}@${at}`)
  const stop = async () => {
    await server.stop()
    await container.stop()
  }
  return { ...server, stop }
}

/** Undefined where there is no engine, or none that has the image. */
const tryContainer = async (): Promise<TestClickHouse | undefined> => {
  if ((await lackOfEngine()) !== undefined) return undefined
  try {
    return await startContainer()
  } catch (error) {
    console.log(`no container of ${IMAGE}: ${reasonOf(error)}`)
    return undefined
  }
}

export const startTestClickHouse = async (): Promise<TestClickHouse> => {
  const given = process.env['CLICKHOUSE_URL']
  if (given) return useServer(given)
  const contained = await tryContainer()
  if (contained) return contained
  const directory = createTemporaryDirectory('clickhouse')
  const engine = await startEmbeddedClickHouse({
    dataDir: join(directory.path, 'clickhouse'),
    password: randomBytes(12).toString('hex'),
    log: silentLogger(),
  }).catch((error: unknown) => {
    directory.remove()
    throw error
  })
  const { url, username, password } = engine
  const store = createStore({ url, username, password })
  const stop = async () => {
    await store.close()
    await engine.close()
    directory.remove()
  }
  return { store, url, username, password, control: 'rollcall', stop }
}
