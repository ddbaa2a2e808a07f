// A cluster of ClickHouse replicas as local processes. The engine provides tables, replication, quorum and sequential
// consistency; Apache ZooKeeper provides coordination. The embedded engine has no `ON CLUSTER` and does not listen for
// other replicas. The tests provide both next to each engine and stop them with it.
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createStore, type Store } from '../../../infra/base/clickhouse/client.ts'
import {
  type EmbeddedClickHouse,
  startEmbeddedClickHouse,
} from '../../../infra/base/clickhouse/embedded-server.ts'
import { ENGINE_USER } from '../../../infra/base/clickhouse/engine-config.ts'
import { findFreePorts } from '../../devnet/ports.ts'
import { silentLogger } from '../process/log-lines.ts'
import { createTemporaryDirectory } from '../process/temporary-directory.ts'
import { announceAddress } from './announce-address.ts'
import { CLUSTER, clusterXml, type Member } from './cluster-config.ts'
import { createDistributedDdl, type DdlResult, type DistributedDdl } from './distributed-ddl.ts'
import { createPartExchange } from './part-exchange.ts'
import { createFront } from './replica-front.ts'
import { createSwitchedServer } from './switched-server.ts'
import { startZooKeeper } from './zookeeper.ts'

export type Replica = {
  name: string
  url: string
  start(): Promise<void>
  /** Sends SIGKILL to the engine. */
  kill(): Promise<void>
  /** Queries only this replica, without cluster settings. */
  select<Row>(sql: string): Promise<Row[]>
  partsSent(): number
}

export type LocalCluster = {
  replicas: readonly Replica[]
  /** The product's setting: the URL of every replica, the given one first. */
  access(first?: number): { url: string; username: string; password: string; cluster: string }
  ddl: DistributedDdl
  stop(): Promise<void>
}

const TABLE_OF_REPLICA = `SELECT data_paths[1] AS path FROM system.tables WHERE (database, name) IN (
  SELECT database, table FROM system.replicas WHERE replica_path = {path:String})`

type ReplicaOptions = { folder: string; password: string; frontPort: number; member: Member }

const createReplica = (replicaOptions: ReplicaOptions, xml: string, ddl: () => DistributedDdl) => {
  const { folder, password, frontPort, member } = replicaOptions
  let engine: EmbeddedClickHouse | undefined
  let store: Store | undefined
  const dataDir = join(folder, member.name)
  mkdirSync(join(dataDir, 'config.d'), { recursive: true })
  writeFileSync(join(dataDir, 'config.d', 'cluster.xml'), xml)

  const select = async <Row>(sql: string, params = {}): Promise<Row[]> => {
    if (!store) throw new Error(`${member.name} is unreachable`)
    return store.select<Row>(sql, params)
  }
  const exchange = createPartExchange(async (path) => {
    const [row] = await select<{ path: string }>(TABLE_OF_REPLICA, { path })
    return row?.path
  })
  const apply = async (sql: string): Promise<DdlResult | undefined> => {
    if (!engine) return undefined
    const headers = { 'x-clickhouse-user': ENGINE_USER, 'x-clickhouse-key': password }
    try {
      const response = await fetch(engine.url, { method: 'POST', headers, body: sql })
      return { status: response.status, text: await response.text() }
    } catch {
      return undefined
    }
  }
  const front = (...[request, response]: Parameters<ReturnType<typeof createFront>>) =>
    createFront({ engineUrl: () => engine?.url, ddl: ddl() })(request, response)
  const servers = [
    createSwitchedServer(frontPort, (request, response) => void front(request, response)),
    createSwitchedServer(member.exchangePort, exchange.handle),
  ]
  const replica: Replica = {
    name: member.name,
    url: `http://127.0.0.1:${frontPort}`,
    start: async () => {
      // Other replicas request parts as soon as it is in the coordination service.
      const [clients, replicas] = servers
      await replicas?.open()
      const options = { dataDir, password, logger: silentLogger() }
      const configFile = join(dataDir, 'config.xml')
      const [started] = await Promise.all([
        startEmbeddedClickHouse(options),
        announceAddress(configFile, member.exchangePort),
      ])
      engine = started
      store = createStore({ ...engine, cluster: undefined })
      await clients?.open()
    },
    kill: async () => {
      const running = engine
      engine = undefined
      await running?.kill()
      await Promise.all(servers.map((server) => server.cut()))
      await store?.close()
      store = undefined
    },
    select,
    partsSent: exchange.sent,
  }
  return { replica, ddlReplica: { apply, isRunning: () => engine !== undefined } }
}

/** Starts all replicas; needs Java, and Maven for the first start. */
export const startLocalCluster = async (count = 3): Promise<LocalCluster> => {
  const directory = createTemporaryDirectory('cluster')
  const zooKeeper = await startZooKeeper(directory.path).catch((error: unknown) => {
    directory.remove()
    throw error
  })
  const ports = await findFreePorts(2 * count)
  const password = randomBytes(12).toString('hex')
  const members = Array.from(
    { length: count },
    (_, at): Member => ({
      name: `r${at + 1}`,
      host: `127.0.0.${at + 1}`,
      exchangePort: ports[2 * at] ?? 0,
    }),
  )
  const made = members.map((member, at) =>
    createReplica(
      { folder: directory.path, password, frontPort: ports[2 * at + 1] ?? 0, member },
      clusterXml(member, members, zooKeeper.port),
      () => ddl,
    ),
  )
  const replicas = made.map(({ replica }) => replica)
  const ddl = createDistributedDdl(
    Object.fromEntries(made.map(({ replica, ddlReplica }) => [replica.name, ddlReplica])),
  )
  const stop = async () => {
    ddl.stop()
    await Promise.all(replicas.map((replica) => replica.kill()))
    await zooKeeper.stop()
    directory.remove()
  }
  try {
    for (const replica of replicas) await replica.start()
  } catch (error) {
    await stop()
    throw error
  }
  const access = (first = 0) => ({
    url: [...replicas.slice(first), ...replicas.slice(0, first)].map(({ url }) => url).join(','),
    username: ENGINE_USER,
    password,
    cluster: CLUSTER,
  })
  return { replicas, access, ddl, stop }
}
