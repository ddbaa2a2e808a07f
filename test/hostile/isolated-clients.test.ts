// A client or a network with thousands of connections or slow reads does not affect other clients or the checkpoint query.

import { EventEmitter, once } from 'node:events'
import { createServer, get, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { afterEach, describe, expect, it } from 'vitest'
import { readApiConfig } from '../../api/config.ts'
import { type Api, startApi } from '../../api/main.ts'
import { MAX_STORE_CONNECTIONS } from '../../infra/base/clickhouse/client.ts'
import { limitConnections } from '../../infra/base/http/limits/connections.ts'
import { createMetrics } from '../../infra/base/runtime/metrics.ts'
import { createApiRig } from '../support/api/api-rig.ts'
import { CLOSED_VOTE, OPEN_VOTE, seedStory } from '../support/api/api-story.ts'
import { silentLogger } from '../support/process/log-lines.ts'
import { until } from '../support/process/rollcall-process.ts'
import { useTestStore } from '../support/store/test-store.ts'
import { watchStore } from '../support/store/watched-store.ts'

const testStore = useTestStore(seedStory)

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const startedApi = async (env: Record<string, string> = {}): Promise<Api> => {
  const config = readApiConfig({ PORT: '0', ...env })
  const metrics = createMetrics('api')
  const api = await startApi({ config, store: testStore.store, logger: silentLogger(), metrics })
  ends.push(() => api.close())
  return api
}

const open = (port: number, localAddress: string): Socket => {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.on('error', () => undefined)
  socket.resume()
  ends.push(() => socket.destroy())
  return socket
}

const statusFor = (url: string, localAddress: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    const clientRequest = get(url, { localAddress }, (answer) => {
      answer.resume()
      answer.once('end', () => resolve(answer.statusCode))
    })
    clientRequest.once('error', reject)
  })

describe('a client that opens connections without limit', () => {
  it('gets the maximum number of one client, and every other client is answered', {
    tags: 'api:clients-are-isolated',
  }, async () => {
    const api = await startedApi({ MAX_CONNECTIONS_PER_ADDRESS: '50' })
    const port = Number(new URL(api.url).port)
    const sockets = Array.from({ length: 400 }, () => open(port, '127.0.0.45'))
    await Promise.all(sockets.map((socket) => once(socket, 'connect').catch(() => undefined)))
    await until('the refusals', 10_000, () =>
      sockets.filter((socket) => !socket.closed).length <= 50 ? true : undefined,
    )
    for (let n = 1; n <= 20; n++) {
      expect(await statusFor(`${api.url}/api/health`, `127.0.0.${n}`)).toBe(200)
    }
    for (const socket of sockets) socket.destroy()
    await until('a free connection for the same client', 10_000, async () => {
      const answered = await statusFor(`${api.url}/api/health`, '127.0.0.45').catch(() => undefined)
      return answered === 200 || undefined
    })
  })
})

describe('a service that fills up', () => {
  const limited = async (maxConnections: number): Promise<{ server: Server; port: number }> => {
    const server = createServer((_request, response) => response.end('ok'))
    server.maxConnections = maxConnections
    limitConnections(server, {
      maxConnections,
      maxPerClient: 40,
      keepAliveMs: 65_000,
      busyKeepAliveMs: 5_000,
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    ends.push(
      () => server.close(),
      () => server.closeAllConnections(),
    )
    return { server, port: (server.address() as AddressInfo).port }
  }

  it('keeps connections for new clients, and closes idle connections earlier', async () => {
    const { server, port } = await limited(100)
    const opened: Socket[] = []
    for (let client = 1; client <= 5; client++) {
      for (let n = 0; n < 40; n++) opened.push(open(port, `127.0.0.${client}`))
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    expect(opened.filter((socket) => !socket.closed).length).toBeLessThan(100)
    expect(server.keepAliveTimeout).toBe(5_000)
    expect(await statusFor(`http://127.0.0.1:${port}/`, '127.0.0.99')).toBe(200)
    for (const socket of opened) socket.destroy()
    await until('room', 10_000, () => server.keepAliveTimeout === 65_000 || undefined)
  })
})

describe('a network that opens connections', () => {
  /** Connections from addresses that this machine does not have. */
  const arrive = (server: Server, remoteAddress: string): Duplex => {
    const socket = new Duplex({ read: () => undefined, write: (_bytes, _encoding, done) => done() })
    server.emit(
      'connection',
      Object.assign(socket, { remoteAddress, destroySoon: () => socket.destroy() }),
    )
    return socket
  }

  it('has the connections of four clients and at most a quarter of all, and other networks connect', {
    tags: 'api:clients-are-isolated',
  }, () => {
    const server = new EventEmitter() as Server
    const accepted = new Set<Duplex>()
    server.on('connection', (socket: Duplex) => accepted.add(socket))
    const times = { keepAliveMs: 65_000, busyKeepAliveMs: 5_000 }
    limitConnections(server, { maxConnections: 10_000, maxPerClient: 256, ...times })
    const connectAll = (site: number) =>
      Array.from({ length: 8 * 1_260 }, (_, n) =>
        arrive(server, `2001:db8:${site}:${(n >> 3).toString(16)}::1`),
      ).filter((socket) => accepted.has(socket)).length
    expect(connectAll(1)).toBe(1_024)
    expect(connectAll(2)).toBe(1_024)
    for (const other of ['2001:db8:3::1', '192.0.2.1']) {
      expect(accepted.has(arrive(server, other))).toBe(true)
    }
  })
})

type Rig = Awaited<ReturnType<typeof createApiRig>>

const isSearch = (sql: string) => sql.includes('multiSearchAllPositionsCaseInsensitiveUTF8')
/** Its rows and their tallies; the count query follows. */
const QUERIES_AT_ONCE = 2

const setup = async (isDelayed: (sql: string) => boolean) => {
  const store = watchStore(testStore.store, isDelayed)
  const rig = await createApiRig(store)
  ends.push(rig.close, store.release)
  store.hold()
  return { rig, store }
}

const searchFrom = (rig: Rig, remoteAddress: string, count: number) =>
  Array.from({ length: count }, (_, n) =>
    rig.ask(`/api/proposals?q=${remoteAddress}-${n}`, { remoteAddress }),
  )

describe('a client with many slow reads', () => {
  it('has four of them at a time and gets every response, and another client is answered at once', {
    tags: 'api:clients-are-isolated',
  }, async () => {
    const { rig, store } = await setup(isSearch)
    const searches = searchFrom(rig, '192.0.2.1', 40)
    await until(
      'the first readings',
      5_000,
      () => store.running >= 4 * QUERIES_AT_ONCE || undefined,
    )
    for (const path of ['/api/pools', `/api/proposals/${CLOSED_VOTE}/votes`]) {
      expect((await rig.ask(path, { remoteAddress: '192.0.2.2' })).status).toBe(200)
    }
    expect(store.running).toBe(4 * QUERIES_AT_ONCE)
    store.release()
    const statuses = (await Promise.all(searches)).map(({ status }) => status)
    expect(statuses).toEqual(statuses.map(() => 200))
  })

  it('does not make another client wait for a page that both request', {
    tags: 'api:clients-are-isolated',
  }, async () => {
    const { rig, store } = await setup(isSearch)
    const searches = searchFrom(rig, '192.0.2.1', 4)
    await until('the readings', 5_000, () => store.running >= 4 * QUERIES_AT_ONCE || undefined)
    const url = `/api/proposals/${OPEN_VOTE}/votes`
    const waiting = rig.ask(url, { remoteAddress: '192.0.2.1' })
    expect((await rig.ask(url, { remoteAddress: '192.0.2.2' })).status).toBe(200)
    store.release()
    expect((await waiting).status).toBe(200)
    await Promise.all(searches)
  })
})

describe('a network with many slow reads', () => {
  it('has a quarter of the connections to the store, and a client of another network is answered at once', {
    tags: 'api:clients-are-isolated',
  }, async () => {
    const { rig, store } = await setup(isSearch)
    const searches = Array.from({ length: 40 }, (_, n) =>
      searchFrom(rig, `2001:db8:1:${n.toString(16)}::1`, 4),
    ).flat()
    await until('the readings', 5_000, () => store.running >= 7 * QUERIES_AT_ONCE || undefined)
    for (const remoteAddress of ['2001:db8:2::1', '192.0.2.2']) {
      expect((await rig.ask('/api/pools', { remoteAddress })).status).toBe(200)
    }
    expect(store.running).toBe(7 * QUERIES_AT_ONCE)
    store.release()
    const statuses = (await Promise.all(searches)).map(({ status }) => status)
    expect(statuses).toEqual(statuses.map(() => 200))
  })
})

describe('the query of the checkpoint', () => {
  it('always has a connection to the store, with any number of concurrent reads', async () => {
    const isPageQuery = (sql: string) => !/checkpoints|watermarks|generations/.test(sql)
    const { rig, store } = await setup(isPageQuery)
    const clients = Array.from({ length: 16 }, (_, n) => searchFrom(rig, `192.0.2.${n}`, 4)).flat()
    await until('the readings', 5_000, () => store.running >= 20 || undefined)
    expect(store.running).toBeLessThan(MAX_STORE_CONNECTIONS)
    await rig.state.refresh()
    store.release()
    const statuses = (await Promise.all(clients)).map(({ status }) => status)
    expect(statuses).toEqual(statuses.map(() => 200))
  })
})
