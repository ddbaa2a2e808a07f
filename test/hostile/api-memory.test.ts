// Any number of invented URLs and header values fits into a heap of 256 MiB.
import { Agent, request } from 'node:http'
import pLimit from 'p-limit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTables } from '../../projections/read-model/prepare.ts'
import { OPEN_VOTE, seedStory } from '../support/api/api-story.ts'
import { type Child, startChild } from '../support/process/child.ts'
import { startTestClickHouse, type TestClickHouse } from '../support/store/clickhouse.ts'
import { activateGeneration } from '../support/store/read-model-seed.ts'

const HEAP_MIB = 256
const REQUESTS = 18_000
const ACCEPTS = 3_000
const LONG = 15_000
const SHORT = 3_900

let clickhouse: TestClickHouse
let child: Child
let url: string
const agent = new Agent({ keepAlive: true, maxSockets: 32 })

beforeAll(async () => {
  clickhouse = await startTestClickHouse()
  await createTables(clickhouse.store, { control: 'rollcall', generation: 1 })
  await activateGeneration(clickhouse.store)
  await seedStory(clickhouse.store)
  const access = [clickhouse.url, clickhouse.username, clickhouse.password]
  const execArgv = [`--max-old-space-size=${HEAP_MIB}`]
  child = startChild(import.meta.resolve('../support/api/api-process.ts'), access, { execArgv })
  url = `${(await child.line((line) => 'url' in line))['url']}`
})
afterAll(async () => {
  agent.destroy()
  await child?.kill()
  await clickhouse?.stop()
})

const send = (path: string, headers: Record<string, string> = {}): Promise<number> =>
  new Promise((resolve, reject) => {
    const clientRequest = request(`${url}${path}`, { method: 'HEAD', agent, headers }, (answer) => {
      answer.resume()
      answer.once('end', () => resolve(answer.statusCode ?? 0))
    })
    clientRequest.once('error', reject)
    clientRequest.end()
  })

/** Each text is a different URL of the same pages. */
const hostilePath = (n: number): string => {
  const length = n % 3 === 0 ? SHORT : LONG
  const vote = `/api/proposals/${OPEN_VOTE}/votes`
  const path = ['/api/proposals', vote, '/proposals', '/feed.atom', '/api/pools'][n % 5] ?? ''
  const kinds = [
    (count: number) => `${path}?page=${'0'.repeat(count)}`,
    (count: number) => `${path}?page=${'%30'.repeat(Math.floor(count / 3))}`,
    (count: number) => `${path}?${'&'.repeat(count)}page=0`,
  ]
  // Only the length distinguishes the URL.
  return kinds[Math.floor(n / 5) % 3]?.(length - Math.floor(n / 15)) ?? path
}

const countStatuses = async (requests: readonly (() => Promise<number>)[]) => {
  const turns = pLimit(64)
  const counts = new Map<number, number>()
  const note = (status: number) => counts.set(status, (counts.get(status) ?? 0) + 1)
  await Promise.all(requests.map((each) => turns(each).then(note)))
  return counts
}

const heapMiB = async (): Promise<number> => {
  const known = child.lines.length
  child.process.stdin?.write('\n')
  const line = await child.line((each) => child.lines.indexOf(each) >= known)
  return Number(line['heapMiB'])
}

it('the API answers ten thousands of invented URLs and header values within a heap of 256 MiB', {
  tags: 'api:memory-is-bounded',
}, async () => {
  const addresses = Array.from({ length: REQUESTS }, (_, n) => () => send(hostilePath(n)))
  const accepts = Array.from(
    { length: ACCEPTS },
    (_, n) => () =>
      send('/proposals', {
        accept: `text/html;x=${'y'.repeat(LONG - n)}`,
        'accept-encoding': `gzip;x=${n}`,
      }),
  )
  const counts = await countStatuses([...addresses, ...accepts])
  expect([...counts.keys()].sort()).toEqual([200, 414])
  // The figure includes unused memory before its collection.
  expect(await heapMiB()).toBeLessThan(HEAP_MIB * 0.75)
  expect(child.process.exitCode).toBeNull()
  expect(await send('/api/proposals')).toBe(200)
})
