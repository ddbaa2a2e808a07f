// Tests of the HTTP behavior of the API: caching, negotiation, limits, operation without the store, and real sockets.
import { once } from 'node:events'
import { connect } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createApiRig, expectProblem, startTestApi, switchable } from '../support/api/api-rig.ts'
import {
  CLOSED_VOTE,
  OPEN_VOTE,
  RESTARTED_VOTE,
  STORY_HEIGHT,
  seedStory,
} from '../support/api/api-story.ts'
import { seedMarks } from '../support/store/read-model-seed.ts'
import { useTestStore } from '../support/store/test-store.ts'

const testStore = useTestStore(seedStory)

type Changes = Parameters<typeof createApiRig>[1]
const setup = (changes: Changes = {}) => createApiRig(testStore.store, changes)

const OPEN = `/api/proposals/${OPEN_VOTE}/votes`
const CLOSED = `/api/proposals/${CLOSED_VOTE}/votes`
const FAR = `/api/proposals/${RESTARTED_VOTE}/votes`

describe('HTTP caching', () => {
  it('has a strong ETag, and 304 without a body for a matching tag', {
    tags: 'api:caches-can-trust',
  }, async () => {
    const { ask } = await setup()
    const first = await ask(OPEN)
    const etag = first.headers['etag'] ?? ''
    expect(etag).toMatch(/^"[^"]+"$/)
    for (const tag of [etag, `"other", ${etag}`, `W/${etag}`, '*']) {
      const again = await ask(OPEN, { headers: { 'if-none-match': tag } })
      expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', etag])
      expect(again.headers['cache-control']).toBe(first.headers['cache-control'])
    }
    expect((await ask(OPEN, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
  })

  it('keeps pages of open proposals for a second, of closed ones for a day', {
    tags: 'api:caches-can-trust',
  }, async () => {
    const { ask } = await setup()
    const control = async (url: string) => (await ask(url)).headers['cache-control']
    expect(await control(OPEN)).toBe('public, max-age=1, stale-while-revalidate=30')
    expect(await control('/api/proposals')).toBe('public, max-age=1, stale-while-revalidate=30')
    expect(await control(CLOSED)).toBe('public, max-age=86400, immutable')
    expect(await control(`/api/proposals/${CLOSED_VOTE}`)).toBe('public, max-age=86400, immutable')
  })

  it('keeps the bytes of a closed page while the chain grows, unlike those of an open page', {
    tags: 'api:final-answers-stay',
  }, async () => {
    const readTags = async ({ ask }: Awaited<ReturnType<typeof setup>>) => {
      const answers = [OPEN, CLOSED, `/api/proposals/${CLOSED_VOTE}`].map((url) => ask(url))
      return (await Promise.all(answers)).map(({ headers }) => headers['etag'])
    }
    const rig = await setup()
    const [openBefore, ...before] = await readTags(rig)
    await seedMarks(testStore.store, { height: STORY_HEIGHT + 50 })
    await rig.state.refresh()
    // Also in a process that has nothing in memory.
    for (const each of [rig, await setup()]) {
      const [open, ...closed] = await readTags(each)
      expect(open).not.toBe(openBefore)
      expect(closed).toEqual(before)
    }
  })

  it('reads once for concurrent requests, and serves later ones from memory', async () => {
    const alone = await setup()
    const before = alone.store.selects
    await alone.ask(OPEN)
    const needed = alone.store.selects - before
    const { ask, store } = await setup()
    const start = store.selects
    await Promise.all(Array.from({ length: 20 }, () => ask(OPEN)))
    for (let n = 0; n < 5; n++) await ask(OPEN)
    expect(store.selects - start).toBe(needed)
  })
})

describe('HTTP negotiation', () => {
  it('compresses with br or gzip on request, each with its own ETag', {
    tags: 'api:caches-can-trust',
  }, async () => {
    const { ask } = await setup()
    const coded = (value: string) => ask(OPEN, { headers: { 'accept-encoding': value } })
    const plain = await coded('identity')
    const br = await coded('gzip, br')
    const gzip = await coded('br;q=0.1, gzip;q=0.9')
    expect(br.headers['content-encoding']).toBe('br')
    expect(gzip.headers['content-encoding']).toBe('gzip')
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(brotliDecompressSync(br.bytes)).toEqual(plain.bytes)
    expect(gunzipSync(gzip.bytes)).toEqual(plain.bytes)
    expect(new Set([plain, br, gzip].map(({ headers }) => headers['etag'])).size).toBe(3)
    expect((await coded('br;q=0')).headers['content-encoding']).toBeUndefined()
    for (const answer of [plain, br, gzip]) {
      expect(answer.headers['vary']).toBe('Accept, Accept-Encoding, Authorization')
    }
  })

  it('supports HEAD for every GET, with the same fields and no body', {
    tags: 'api:caches-can-trust',
  }, async () => {
    const { ask } = await setup()
    for (const url of ['/api/health', '/api/proposals', OPEN, CLOSED, '/']) {
      const [get, head] = [await ask(url), await ask(url, { method: 'HEAD' })]
      expect([head.status, head.text]).toEqual([200, ''])
      for (const name of ['etag', 'content-length', 'content-type', 'cache-control']) {
        if (url !== '/api/health') expect(head.headers[name]).toBe(get.headers[name])
      }
    }
    expect((await ask('/api/proposals/999', { method: 'HEAD' })).status).toBe(404)
  })

  it('allows every origin, and supports preflight requests', {
    tags: 'api:caches-can-trust',
  }, async () => {
    const { ask } = await setup()
    expect((await ask(OPEN)).headers['access-control-allow-origin']).toBe('*')
    const headers = { origin: 'https://example.org', 'access-control-request-method': 'GET' }
    const preflight = await ask(OPEN, { method: 'OPTIONS', headers })
    expect(preflight.status).toBe(204)
    expect(preflight.headers['access-control-allow-methods']).toBe('GET, HEAD, OPTIONS')
    expect(preflight.headers['access-control-allow-headers']).toMatch(/Authorization/)
  })
})

describe('the rate limit', () => {
  it('is in the header fields of every response, and returns 429 with Retry-After beyond the quota', {
    tags: 'api:quotas-are-told',
  }, async () => {
    const { ask } = await setup({ rateLimitPerMinute: 4 })
    const remaining: (string | undefined)[] = []
    for (const url of ['/api/health', '/api/nothing', '/api/proposals/%zz', OPEN]) {
      const { status, headers } = await ask(url)
      expect([status === 429, headers['ratelimit-policy']]).toEqual([false, '"default";q=4;w=60'])
      remaining.push(/r=(\d+)/.exec(headers['ratelimit'] ?? '')?.[1])
    }
    expect(remaining).toEqual(['3', '2', '1', '0'])
    const refused = await ask(OPEN)
    expectProblem(refused, 429, 'rate-limited')
    const resetSeconds = /t=(\d+)/.exec(refused.headers['ratelimit'] ?? '')?.[1]
    expect(Number(refused.headers['retry-after'])).toBe(Number(resetSeconds))
    expect((await ask('/proposals')).status).toBe(429)
    expect((await ask(OPEN, { remoteAddress: '10.1.2.3' })).status).toBe(200)
  })
})

describe('the API without its store', () => {
  it('serves cached pages, returns 503 for the rest, and reports degraded with 200', {
    tags: 'api:outage-of-the-store',
  }, async () => {
    const { ask, store, state } = await setup()
    await ask(OPEN)
    store.isAway = true
    await expect(state.refresh()).rejects.toThrow()
    expect((await ask(OPEN)).status).toBe(200)
    const missing = await ask(FAR)
    expectProblem(missing, 503, 'store-unavailable')
    expect(missing.headers['retry-after']).toBe('1')
    expect((await ask('/api/health')).status).toBe(200)
    store.isAway = false
    await state.refresh()
    expect((await ask(FAR)).status).toBe(200)
  })
})

describe('the API on real sockets', () => {
  const start = async (changes: Changes = {}, isAway = false) => {
    const store = switchable(testStore.store)
    store.isAway = isAway
    return { ...(await startTestApi(store, changes)), store }
  }

  it('starts without its store: health is degraded with nulls, and data is 503 until the store is up', async () => {
    const time = new Date().toISOString().replace('T', ' ').replace('Z', '')
    await seedMarks(testStore.store, { height: STORY_HEIGHT + 51, checkpoint: { time } })
    const { url, ready, store } = await start({ pollMs: 20 }, true)
    const health = await (await fetch(`${url}/api/health`)).json()
    const nothing = { chain: null, tip: null, lagEvents: null, freshnessSeconds: null }
    expect(health).toMatchObject({ status: 'degraded', ...nothing })
    const data = await fetch(`${url}/api/proposals`)
    expect([data.status, data.headers.get('retry-after')]).toEqual([503, '1'])
    expect(ready().ready).toBe(false)
    store.isAway = false
    await expect.poll(async () => (await fetch(`${url}/api/proposals`)).status).toBe(200)
    expect(ready()).toEqual({ ready: true, reasons: [] })
  })

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

  it.each([
    ['not without a trusted proxy', {}, [200, 200, 429, 429]],
    ['with one', { trustProxy: 1 }, [200, 200, 429, 200]],
  ])('counts a request for the client that a proxy names: %s', async (_, changes, expected) => {
    const { url } = await start({ ...changes, rateLimitPerMinute: 2 })
    const statuses: number[] = []
    for (const client of ['203.0.113.7', '203.0.113.7', '203.0.113.7', '2001:db8::7']) {
      const headers = { 'x-forwarded-for': `198.51.100.1, ${client}` }
      statuses.push((await fetch(`${url}${CLOSED}`, { headers })).status)
    }
    expect(statuses).toEqual(expected)
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
    const port = Number(new URL(url).port)
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
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
})
