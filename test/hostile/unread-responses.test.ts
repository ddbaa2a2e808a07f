// Clients that request and never read lose their connections on every route, and other clients are answered.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { readApiConfig } from '../../api/config.ts'
import { startApi } from '../../api/main.ts'
import { UNREAD_CHECKS } from '../../infra/base/http/limits/connections.ts'
import { createMetrics } from '../../infra/base/runtime/metrics.ts'
import { CLOSED_VOTE, seedStory } from '../support/api/api-story.ts'
import { createFakeClock } from '../support/process/fake-clock.ts'
import { silentLogger } from '../support/process/log-lines.ts'
import { until } from '../support/process/rollcall-process.ts'
import { useTestStore } from '../support/store/test-store.ts'

const testStore = useTestStore(seedStory)

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const setup = async () => {
  const clock = createFakeClock({ autoAdvance: false })
  const config = readApiConfig({ PORT: '0', RATE_LIMIT_PER_MINUTE: '1000000' })
  const metrics = createMetrics('api')
  const { store } = testStore
  const api = await startApi({ config, store, logger: silentLogger(), metrics, clock })
  ends.push(() => api.close())
  return { clock, url: api.url }
}

const LIST_TOOLS = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
const FIELDS = 'Host: a\r\n'
const get = (path: string, accept: string): string =>
  `GET ${path} HTTP/1.1\r\n${FIELDS}Accept: ${accept}\r\n\r\n`
const post = (path: string, body: string): string => {
  const media = 'Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n'
  return `POST ${path} HTTP/1.1\r\n${FIELDS}${media}Content-Length: ${body.length}\r\n\r\n${body}`
}

const REQUESTS = {
  JSON: get('/api/proposals', 'application/json'),
  CSV: get('/api/proposals', 'text/csv'),
  HTML: get(`/proposals/${CLOSED_VOTE}`, 'text/html'),
  'a document': get('/openapi.json', '*/*'),
  MCP: post('/mcp', LIST_TOOLS),
}

/** More than the operating system accepts for a client that reads nothing. */
const UNREAD_BYTES = 8 * 1024 * 1024

const open = async (url: string): Promise<Socket> => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  ends.push(() => socket.destroy())
  await once(socket, 'connect')
  return socket
}

/** Sends a request until its responses are too large to be accepted, and reads only the first one. */
const flood = async (url: string, request: string): Promise<Socket> => {
  const socket = await open(url)
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
    const { clock, url } = await setup()
    const sockets = await Promise.all(Object.values(REQUESTS).map((request) => flood(url, request)))
    expect(UNREAD_CHECKS.everyMs * UNREAD_CHECKS.limit).toBe(30_000)
    await until('the end of every connection', 120_000, () => {
      clock.advance(UNREAD_CHECKS.everyMs)
      // Bytes between two requests keep no connection open, and show the client that it has none.
      for (const socket of sockets) if (!socket.destroyed) socket.write('\r\n')
      return sockets.every(({ destroyed }) => destroyed) || undefined
    })
    expect((await fetch(`${url}/api/proposals`)).status).toBe(200)
  })
})
