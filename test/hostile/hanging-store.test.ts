// A ClickHouse that is stopped by a signal accepts connections and answers nothing: pages get 503, and later recover.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { readApiConfig } from '../../api/config.ts'
import { startApi } from '../../api/main.ts'
import { createStore } from '../../infra/base/clickhouse/client.ts'
import { startEmbeddedClickHouse } from '../../infra/base/clickhouse/embedded-server.ts'
import { createMetrics } from '../../infra/base/runtime/metrics.ts'
import { createTables } from '../../projections/read-model/prepare.ts'
import { CLOSED_VOTE, OPEN_VOTE, seedStory } from '../support/api/api-story.ts'
import { silentLogger } from '../support/process/log-lines.ts'
import { until } from '../support/process/rollcall-process.ts'
import { createTemporaryDirectory } from '../support/process/temporary-directory.ts'
import { activateGeneration } from '../support/store/read-model-seed.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** An engine of its own, because no other test may use one that is stopped. */
const setup = async () => {
  const directory = createTemporaryDirectory('hanging-store')
  ends.push(directory.remove)
  const engine = await startEmbeddedClickHouse({
    dataDir: join(directory.path, 'clickhouse'),
    password: randomBytes(12).toString('hex'),
    logger: silentLogger(),
  })
  ends.push(() => engine.close())
  const store = createStore(engine)
  ends.push(() => store.close())
  await createTables(store, { control: 'rollcall', generation: 1 })
  await activateGeneration(store)
  await seedStory(store)
  const config = readApiConfig({ PORT: '0' })
  const metrics = createMetrics('api')
  const api = await startApi({ config, store, logger: silentLogger(), metrics })
  ends.push(() => api.close())
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => process.kill(engine.pid, name)
  // A stopped process ignores the request to end.
  ends.push(() => signal('SIGCONT'))
  return { url: api.url, signal }
}

/** The longest time of a response, with a reserve for a busy machine. A read alone would fail after 5 s. */
const LONGEST_MS = 4_000

const ask = async (url: string, headers: Record<string, string> = {}) => {
  const startedMs = performance.now()
  const response = await fetch(url, { headers })
  await response.text()
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    isInTime: performance.now() - startedMs < LONGEST_MS,
  }
}

const UNAVAILABLE = { status: 503, retryAfter: '1', isInTime: true }

describe('while the engine hangs', () => {
  it('an uncached page gets 503 in time, a cached page is served, and both are served afterwards', {
    tags: 'api:outage-of-the-store',
  }, async () => {
    const { url, signal } = await setup()
    const cached = `${url}/api/proposals/${CLOSED_VOTE}/votes`
    const uncached = [
      `${url}/api/pools`,
      `${url}/proposals/${OPEN_VOTE}`,
      `${url}/feed.atom`,
      // More than the reads of one client at a time.
      ...Array.from({ length: 12 }, (_, n) => `${url}/api/proposals?q=${n}`),
    ]
    expect((await ask(cached)).status).toBe(200)
    signal('SIGSTOP')
    const first = await Promise.all(uncached.map((page) => ask(page)))
    expect(first).toEqual(uncached.map(() => UNAVAILABLE))
    expect((await ask(cached)).status).toBe(200)
    expect(await ask(`${url}/api/pools`)).toEqual(UNAVAILABLE)
    signal('SIGCONT')
    await until('every page again', 30_000, async () => {
      const answers = await Promise.all(uncached.map((page) => ask(page)))
      return answers.every(({ status }) => status === 200) || undefined
    })
  })
})
