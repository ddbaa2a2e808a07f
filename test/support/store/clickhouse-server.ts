// Provides a real ClickHouse for tests: the one at CLICKHOUSE_URL, else a container, else an embedded one.
// A container is used only if the container engine has the image.
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { startEmbeddedClickHouse } from '../../../infra/base/clickhouse/embedded-server.ts'
import { silentLogger } from '../process/log-lines.ts'
import { createTemporaryDirectory } from '../process/temporary-directory.ts'

const toReason = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''

/** The usual locations of an engine: without any of these, the library is not loaded. */
const SOCKETS = ['/var/run/docker.sock', `${process.env['XDG_RUNTIME_DIR'] ?? ''}/docker.sock`]

/** The reason why no container engine is usable, or undefined. */
const checkContainerEngine = async (): Promise<string | undefined> => {
  if (!process.env['DOCKER_HOST'] && !SOCKETS.some((path) => existsSync(path))) {
    return 'no DOCKER_HOST, and no socket of an engine'
  }
  try {
    const { getContainerRuntimeClient } = await import('testcontainers')
    await getContainerRuntimeClient()
    return undefined
  } catch (error) {
    return toReason(error)
  }
}

export type ClickHouseAddress = {
  url: string
  username: string
  password: string
  /** Whether other users have databases on it. */
  isForeign: boolean
}

export type ClickHouseServer = { address: ClickHouseAddress; stop(): Promise<void> }

const parseAddress = (given: string, isForeign: boolean): ClickHouseAddress => {
  const address = new URL(given)
  const username = decodeURIComponent(address.username) || 'default'
  const password = decodeURIComponent(address.password)
  address.username = ''
  address.password = ''
  return { url: address.href, username, password, isForeign }
}

const IMAGE = process.env['CLICKHOUSE_IMAGE'] ?? 'clickhouse/clickhouse-server:26.7'
const HTTP_PORT = 8123
const FILES = 16_384

const startContainer = async (): Promise<ClickHouseServer> => {
  const { GenericContainer, Wait } = await import('testcontainers')
  const password = randomBytes(12).toString('hex')
  const container = await new GenericContainer(IMAGE)
    .withEnvironment({ CLICKHOUSE_USER: 'rollcall', CLICKHOUSE_PASSWORD: password })
    .withExposedPorts(HTTP_PORT)
    .withUlimits({ nofile: { soft: FILES, hard: FILES } })
    .withWaitStrategy(Wait.forHttp('/ping', HTTP_PORT).forStatusCode(200))
    .start()
  const at = `${container.getHost()}:${container.getMappedPort(HTTP_PORT)}`
  const stop = async () => {
    await container.stop()
  }
  return { address: parseAddress(`http://rollcall:${password}@${at}`, false), stop }
}

/** Undefined without a container engine, or if it does not have the image. */
const tryContainer = async (): Promise<ClickHouseServer | undefined> => {
  if ((await checkContainerEngine()) !== undefined) return undefined
  try {
    return await startContainer()
  } catch (error) {
    console.log(`no container of ${IMAGE}: ${toReason(error)}`)
    return undefined
  }
}

const startEmbedded = async (): Promise<ClickHouseServer> => {
  const directory = createTemporaryDirectory('clickhouse')
  const engine = await startEmbeddedClickHouse({
    dataDir: join(directory.path, 'clickhouse'),
    password: randomBytes(12).toString('hex'),
    logger: silentLogger(),
  }).catch((error: unknown) => {
    directory.remove()
    throw error
  })
  const { url, username, password } = engine
  const stop = async () => {
    await engine.close()
    directory.remove()
  }
  return { address: { url, username, password, isForeign: false }, stop }
}

export const startClickHouseServer = async (): Promise<ClickHouseServer> => {
  const given = process.env['CLICKHOUSE_URL']
  if (given) return { address: parseAddress(given, true), stop: async () => {} }
  return (await tryContainer()) ?? (await startEmbedded())
}
