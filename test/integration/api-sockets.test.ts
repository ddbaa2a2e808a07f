// Tests of the API with real sockets: the response cache, malformed requests and shutdown.
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { readApiConfig } from '../../api/config.ts'
import { type Api, startApi } from '../../api/main.ts'
import { KEEP_ALIVE_MS } from '../../infra/base/http/server.ts'
import { createMetrics } from '../../infra/base/runtime/metrics.ts'
import { CLOSED_VOTE, seedStory } from '../support/api/api-story.ts'
import { silentLogger } from '../support/process/log-lines.ts'
import { useTestStore } from '../support/store/test-store.ts'

const testStore = useTestStore(seedStory)

const CLOSED = `/api/proposals/${CLOSED_VOTE}/votes`

describe('the API on real sockets', () => {
  let api: Api | undefined
  afterEach(() => api?.close())
  const start = async (changes: Partial<ReturnType<typeof readApiConfig>> = {}) => {
    const config = { ...readApiConfig({}), port: 0, ...changes }
    const metrics = createMetrics('api')
    api = await startApi({ config, store: testStore.store, logger: silentLogger(), metrics })
    return { url: api.url, close: api.close, metrics }
  }
  const readStableFields = ({ headers, status }: Response) => {
    const volatile = ['ratelimit', 'x-request-id', 'date']
    return { status, fields: [...headers].filter(([name]) => !volatile.includes(name)).sort() }
  }

  it.each([
    ['direct', {}],
    ['behind a proxy', { trustProxy: 1 }],
  ])('sends a cached page with the same bytes and fields as a new one: %s', async (_, changes) => {
    const { url } = await start(changes)
    const cases = [
      {},
      { headers: { 'accept-encoding': 'gzip' } },
      { headers: { 'if-none-match': '*' } },
      { method: 'HEAD' },
    ]
    for (const path of [CLOSED, `${CLOSED}?page=0`, '/api/proposals'])
      for (const request of cases) {
        const answers = []
        for (let n = 0; n < 4; n++) {
          const answer = await fetch(`${url}${path}`, request)
          expect(answer.headers.get('ratelimit')).toMatch(/^"default";r=\d+;t=\d+$/)
          expect(answer.headers.get('x-request-id')).toBeTruthy()
          answers.push({ ...readStableFields(answer), body: await answer.text() })
        }
        for (const answer of answers) expect(answer).toEqual(answers[0])
      }
  })

  it('counts the request for a cached page for the client behind the proxy', async () => {
    const { url } = await start({ trustProxy: 1, rateLimitPerMinute: 2 })
    const statuses: number[] = []
    for (const client of ['203.0.113.7', '203.0.113.7', '203.0.113.7', '2001:db8::7']) {
      const headers = { 'x-forwarded-for': `198.51.100.1, ${client}` }
      statuses.push((await fetch(`${url}${CLOSED}`, { headers })).status)
    }
    expect(statuses).toEqual([200, 200, 429, 200])
  })

  it('limits, refuses credentials and counts in the response cache too', async () => {
    const { url, metrics } = await start({ rateLimitPerMinute: 6 })
    const statuses: number[] = []
    for (let n = 0; n < 4; n++) statuses.push((await fetch(`${url}${CLOSED}`)).status)
    const headers = { authorization: 'Bearer no' }
    statuses.push((await fetch(`${url}${CLOSED}`, { headers })).status)
    for (let n = 0; n < 2; n++) statuses.push((await fetch(`${url}${CLOSED}`)).status)
    expect(statuses).toEqual([200, 200, 200, 200, 401, 200, 429])
    const text = await metrics.registry.metrics()
    expect(text).toMatch(/answers_total\{operation="listProposalVotes",status="200"\} 5/)
    expect(text).toMatch(/answers_total\{operation="listProposalVotes",status="429"\} 1/)
  })

  /** The whole response until the server closes. */
  const send = async (url: string, bytes: string): Promise<string> => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.write(bytes)
    let text = ''
    socket.on('data', (chunk) => {
      text += String(chunk)
    })
    await once(socket, 'close')
    return text
  }

  it('responds to bytes that are not HTTP with a problem, and to too large fields with 431', async () => {
    const { url } = await start()
    expect(await send(url, 'HELLO\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400 [\s\S]*problem\+json[\s\S]*"code":"bad-request"/,
    )
    const large = `GET / HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(40_000)}\r\n\r\n`
    expect(await send(url, large)).toMatch(/^HTTP\/1\.1 431 /)
  })

  it('closes a connection that sent bytes that are not HTTP, though the client keeps its half open', async () => {
    const { url } = await start()
    const socket = connect({
      port: Number(new URL(url).port),
      host: '127.0.0.1',
      allowHalfOpen: true,
    })
    socket.on('error', () => {})
    socket.write('HELLO\r\n\r\n')
    socket.resume()
    await once(socket, 'end')
    // A write to a connection that the server closed is answered with a reset.
    const closed = new Promise((resolve) => socket.once('close', resolve))
    const timer = setInterval(() => socket.write('x'), 20)
    await closed.finally(() => clearInterval(timer))
    expect((await fetch(`${url}/api/health`)).status).toBe(200)
  })

  it('returns 408 if fields or body do not arrive in time, and closes the connection', async () => {
    const { url } = await start()
    const fields = 'GET /api/health HTTP/1.1\r\nHost: x\r\n'
    const media = 'Content-Type: application/json\r\nAccept: application/json, text/event-stream'
    const body = `POST /mcp HTTP/1.1\r\nHost: x\r\n${media}\r\nContent-Length: 9\r\n\r\n{`
    for (const answer of await Promise.all([send(url, fields), send(url, body)])) {
      expect(answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*problem\+json[\s\S]*did not arrive in time/)
    }
  })

  it('shuts down while connections stay open, long before their time limits', async () => {
    const { url, close } = await start()
    const { port } = new URL(url)
    const idle = connect(Number(port), '127.0.0.1')
    idle.on('error', () => {})
    idle.write('GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(idle, 'data')
    const unfinished = connect(Number(port), '127.0.0.1')
    unfinished.on('error', () => {})
    unfinished.write('GET /api/health HTTP/1.1\r\nHo')
    await once(unfinished, 'connect')
    const startedMs = performance.now()
    await close()
    expect(performance.now() - startedMs).toBeLessThan(KEEP_ALIVE_MS / 2)
    await expect(fetch(`${url}/api/health`)).rejects.toThrow()
  })
})
