// Clients and networks with thousands of connections, slow reads, unread or ambiguous requests do not affect other clients.

import { EventEmitter, once } from 'node:events'
import { get, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { afterEach, describe, expect, it } from 'vitest'
import { readApiConfig } from '../../api/config.ts'
import { type Api, startApi } from '../../api/main.ts'
import { MAX_STORE_CONNECTIONS } from '../../infra/base/clickhouse/client.ts'
import { limitConnections, UNREAD_CHECKS } from '../../infra/base/http/limits/connections.ts'
import type { Clock } from '../../infra/base/runtime/clock.ts'
import { createMetrics } from '../../infra/base/runtime/metrics.ts'
import { createApiRig } from '../support/api/api-rig.ts'
import { CLOSED_VOTE, OPEN_VOTE, seedStory } from '../support/api/api-story.ts'
import { createFakeClock } from '../support/process/fake-clock.ts'
import { silentLogger } from '../support/process/log-lines.ts'
import { until } from '../support/process/rollcall-process.ts'
import { useTestStore } from '../support/store/test-store.ts'
import { watchStore } from '../support/store/watched-store.ts'

const testStore = useTestStore(seedStory)

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const startedApi = async (env: Record<string, string> = {}, clock?: Clock): Promise<Api> => {
  const api = await startApi({
    config: readApiConfig({ PORT: '0', ...env }),
    store: testStore.store,
    logger: silentLogger(),
    metrics: createMetrics('api'),
    ...(clock ? { clock } : {}),
  })
  ends.push(() => api.close())
  return api
}

const open = ({ url }: Api, localAddress = '127.0.0.1'): Socket => {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress })
  socket.on('error', () => undefined)
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
    const sockets = Array.from({ length: 400 }, () => open(api, '127.0.0.45').resume())
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

describe('a service with many connections', () => {
  /** Connections come from addresses that this machine does not have. */
  const limited = (maxConnections: number, maxPerClient: number) => {
    const server = new EventEmitter() as Server
    const accepted = new Set<Duplex>()
    server.on('connection', (socket: Duplex) => accepted.add(socket))
    const times = { keepAliveMs: 65_000, busyKeepAliveMs: 5_000 }
    limitConnections(server, { maxConnections, maxPerClient, ...times })
    const isAccepted = (remoteAddress: string): boolean => {
      const socket = new Duplex({ read: () => undefined, write: (_, __, done) => done() })
      const destroySoon = () => socket.destroy()
      server.emit('connection', Object.assign(socket, { remoteAddress, destroySoon }))
      return accepted.has(socket)
    }
    return { server, accepted, isAccepted }
  }

  it('keeps some for new clients, and closes idle ones earlier', async () => {
    const { server, accepted, isAccepted } = limited(100, 40)
    for (let n = 0; n < 200; n++) isAccepted(`192.0.2.${n % 5}`)
    expect(accepted.size).toBeLessThan(100)
    expect(server.keepAliveTimeout).toBe(5_000)
    expect(isAccepted('192.0.2.99')).toBe(true)
    for (const socket of accepted) socket.destroy()
    await until('room', 10_000, () => server.keepAliveTimeout === 65_000 || undefined)
  })

  it('gives a network those of four clients and at most a quarter of all, and other networks connect', {
    tags: 'api:clients-are-isolated',
  }, () => {
    const { isAccepted } = limited(10_000, 256)
    const connectAll = (site: number) =>
      Array.from({ length: 8 * 1_260 }, (_, n) =>
        isAccepted(`2001:db8:${site}:${(n >> 3).toString(16)}::1`),
      ).filter(Boolean).length
    expect(connectAll(1)).toBe(1_024)
    expect(connectAll(2)).toBe(1_024)
    for (const other of ['2001:db8:3::1', '192.0.2.1']) expect(isAccepted(other)).toBe(true)
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
    await until('the readings', 60_000, () => store.running >= 4 * QUERIES_AT_ONCE || undefined)
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
    await until('the readings', 60_000, () => store.running >= 7 * QUERIES_AT_ONCE || undefined)
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
    await until('the readings', 60_000, () => store.running >= 20 || undefined)
    expect(store.running).toBeLessThan(MAX_STORE_CONNECTIONS)
    await rig.state.refresh()
    store.release()
    const statuses = (await Promise.all(clients)).map(({ status }) => status)
    expect(statuses).toEqual(statuses.map(() => 200))
  })
})

const LIST_TOOLS = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
const FIELDS = 'Host: a\r\n'
const read = (path: string, accept: string): string =>
  `GET ${path} HTTP/1.1\r\n${FIELDS}Accept: ${accept}\r\n\r\n`
const post = (path: string, body: string): string => {
  const media = 'Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n'
  return `POST ${path} HTTP/1.1\r\n${FIELDS}${media}Content-Length: ${body.length}\r\n\r\n${body}`
}

const REQUESTS = {
  JSON: read('/api/proposals', 'application/json'),
  CSV: read('/api/proposals', 'text/csv'),
  HTML: read(`/proposals/${CLOSED_VOTE}`, 'text/html'),
  'a document': read('/openapi.json', '*/*'),
  MCP: post('/mcp', LIST_TOOLS),
}

/** More than the operating system accepts for a client that reads nothing. */
const UNREAD_BYTES = 8 * 1024 * 1024

/** Sends a request until its responses are too large to be accepted, and reads only the first one. */
const flood = async (api: Api, request: string): Promise<Socket> => {
  const socket = open(api)
  socket.write(request)
  const [first] = (await once(socket, 'data')) as [Buffer]
  socket.pause()
  socket.write(request.repeat(Math.ceil(UNREAD_BYTES / first.length)))
  return socket
}

describe('clients that request and never read', () => {
  it('lose their connections on every route, and another client is answered', {
    tags: 'api:unread-responses-end',
  }, async () => {
    const clock = createFakeClock({ autoAdvance: false })
    const api = await startedApi({ RATE_LIMIT_PER_MINUTE: '1000000' }, clock)
    const sockets = await Promise.all(Object.values(REQUESTS).map((request) => flood(api, request)))
    expect(UNREAD_CHECKS.everyMs * UNREAD_CHECKS.limit).toBe(30_000)
    await until('the end of every connection', 120_000, () => {
      clock.advance(UNREAD_CHECKS.everyMs)
      // Bytes between two requests keep no connection open, and show the client that it has none.
      for (const socket of sockets) if (!socket.destroyed) socket.write('\r\n')
      return sockets.every(({ destroyed }) => destroyed) || undefined
    })
    expect((await fetch(`${api.url}/api/proposals`)).status).toBe(200)
  })
})

describe('an ambiguous request', () => {
  const exchange = async (api: Api, lines: readonly string[]): Promise<string> => {
    const socket = open(api)
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    let answer = ''
    for await (const part of socket) answer += String(part)
    return answer
  }

  it.each([
    ['two hosts', ['Host: a', 'Host: b']],
    ['the same host twice', ['Host: a', 'host: a']],
    ['an unknown transfer coding', ['Host: a', 'Transfer-Encoding: xchunked']],
  ])(
    'with %s gets 400 and the end of its connection, also for a cached page',
    async (_what, fields) => {
      const api = await startedApi()
      for (const path of ['/api/proposals', '/api/proposals', '/api/health']) {
        const warm = await exchange(api, [`GET ${path} HTTP/1.1`, 'Host: a', 'Connection: close'])
        expect(warm).toMatch(/^HTTP\/1\.1 200 /)
        const answer = await exchange(api, [`GET ${path} HTTP/1.1`, ...fields])
        expect(answer).toMatch(
          /^HTTP\/1\.1 400 [\s\S]*connection: close[\s\S]*"code":"bad-request"/i,
        )
        expect(answer).not.toMatch(/HTTP\/1\.1 200/)
      }
    },
  )
})
