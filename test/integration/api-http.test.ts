// Tests of the HTTP behavior of the API: caching, negotiation, limits, and operation without the store.
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readApiConfig } from '../../api/config.ts'
import { startApi } from '../../api/main.ts'
import { createMetrics } from '../../infra/base/runtime/metrics.ts'
import { createApiRig, expectProblem, switchable } from '../support/api/api-rig.ts'
import {
  CLOSED_VOTE,
  OPEN_VOTE,
  RESTARTED_VOTE,
  STORY_HEIGHT,
  seedStory,
} from '../support/api/api-story.ts'
import { silentLogger } from '../support/process/log-lines.ts'
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

  it('serves repeated requests from memory', async () => {
    const { ask, store } = await setup()
    await ask(OPEN)
    const { selects } = store
    for (let n = 0; n < 5; n++) await ask(OPEN)
    expect(store.selects).toBe(selects)
  })

  it('reads once for concurrent requests', async () => {
    const alone = await setup()
    const before = alone.store.selects
    await alone.ask(OPEN)
    const needed = alone.store.selects - before
    const { ask, store } = await setup()
    const start = store.selects
    await Promise.all(Array.from({ length: 20 }, () => ask(OPEN)))
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
    expect((await ask(OPEN, { remoteAddress: '10.1.2.3' })).status).toBe(200)
  })

  it('uses X-Forwarded-For only if a proxy is trusted', async () => {
    const forwarded = (address: string) => ({ headers: { 'x-forwarded-for': address } })
    const direct = await setup({ rateLimitPerMinute: 1 })
    await direct.ask(OPEN, forwarded('10.0.0.1'))
    expect((await direct.ask(OPEN, forwarded('10.0.0.2'))).status).toBe(429)
    const proxied = await setup({ rateLimitPerMinute: 1, trustProxy: true })
    await proxied.ask(OPEN, forwarded('10.0.0.1'))
    expect((await proxied.ask(OPEN, forwarded('10.0.0.2'))).status).toBe(200)
    expect((await proxied.ask(OPEN, forwarded('10.0.0.1'))).status).toBe(429)
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

  it('starts anyway: health is degraded with nulls, and data is 503 until the store is up', async () => {
    const config = { ...readApiConfig({}), port: 0, pollMs: 20 }
    const time = new Date().toISOString().replace('T', ' ').replace('Z', '')
    await seedMarks(testStore.store, { height: STORY_HEIGHT + 51, checkpoint: { time } })
    const store = switchable(testStore.store)
    store.isAway = true
    const metrics = createMetrics('api')
    const api = await startApi({ config, store, logger: silentLogger(), metrics })
    try {
      const get = async (path: string) => fetch(`${api.url}${path}`)
      const health = await get('/api/health')
      expect([health.status, await health.json()]).toMatchObject([
        200,
        { status: 'degraded', chain: null, tip: null, lagEvents: null, freshnessSeconds: null },
      ])
      const data = await get('/api/proposals')
      expect([data.status, data.headers.get('retry-after')]).toEqual([503, '1'])
      expect(api.ready().ready).toBe(false)
      store.isAway = false
      await expect.poll(async () => (await get('/api/proposals')).status).toBe(200)
      expect(api.ready()).toEqual({ ready: true, reasons: [] })
    } finally {
      await api.close()
    }
  })
})
