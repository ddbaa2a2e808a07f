// Tests of the change stream with a real ClickHouse and real sockets: each change once, in order.
import { describe, expect, it, onTestFinished } from 'vitest'
import { readApiConfig } from '../../api/config.ts'
import { type Api, startApi } from '../../api/main.ts'
import { createMetrics } from '../../infra/base/runtime/metrics.ts'
import { switchable } from '../support/api/api-rig.ts'
import { connect, listen } from '../support/api/stream-clients.ts'
import { silentLogger } from '../support/process/log-lines.ts'
import { getJson } from '../support/process/rollcall-process.ts'
import {
  clearReadModel,
  proposalRow,
  replaceRows,
  seed,
  seedMarks,
  seedRows,
  timestampAt,
} from '../support/store/read-model-seed.ts'
import { useTestStore } from '../support/store/test-store.ts'

const testStore = useTestStore()

const QUICK = { pollMs: 20, rateLimitPerMinute: 1_000_000 }

type ProposalPage = { page: { nextCursor: string }; items: { proposalId: string }[] }

type Changes = Partial<ReturnType<typeof readApiConfig>>

const setup = async (changes: Changes = {}) => {
  await clearReadModel(testStore.store)
  const store = switchable(testStore.store)
  const apis: Api[] = []
  const start = async (more: Changes = {}): Promise<Api> => {
    const config = { ...readApiConfig({}), port: 0, ...QUICK, ...changes, ...more }
    const parts = { config, store, logger: silentLogger(), metrics: createMetrics('api') }
    const api = await startApi(parts)
    apis.push(api)
    return api
  }
  onTestFinished(async () => {
    for (const api of apis) await api.close()
  })
  const change = (height: number, ...ids: number[]) =>
    seed(testStore.store, {
      height,
      proposals: ids.map((id) => proposalRow(id, height)),
      marks: ids.map((id) => ({ id })),
    })
  await change(1, 1)
  return { start, change, store }
}

const toStreamUrl = (api: Api, query = '') => `${api.url}/api/stream${query}`

describe('the change stream', () => {
  it('starts with a position, then reports each change with the new state', async () => {
    const { start, change } = await setup()
    const api = await start()
    const client = listen(toStreamUrl(api))
    onTestFinished(client.close)
    await expect.poll(() => client.changes.length).toBe(1)
    expect(client.changes[0]).toMatchObject({
      event: 'start',
      data: {
        asOf: { chainId: 'test-1', height: 1 },
        // Its block is old: the chain may have any number of later ones.
        behind: { heights: null, seconds: null },
      },
    })
    await change(2, 7)
    await expect.poll(() => client.changes.length).toBe(2)
    expect(client.changes[1]).toEqual({
      event: 'proposal',
      id: expect.stringMatching(/^[\w-]{8}\.8589938688\.7$/),
      data: {
        proposalId: '7',
        status: 'voting_period',
        round: 1,
        final: false,
        updatedAt: { height: 2 },
        links: { self: '/api/proposals/7' },
      },
    })
    await seed(testStore.store, {
      height: 3,
      proposals: [proposalRow(7, 3, { status: 'passed', closed_time: timestampAt(3) })],
      marks: [{ id: 7, final: true }],
    })
    await expect.poll(() => client.changes.length).toBe(3)
    expect(client.changes[2]?.data).toMatchObject({ status: 'passed', final: true })
  })

  it('is complete across restarts and instances: each change once, in order, also changes during a downtime', {
    tags: ['api:any-instance', 'api:stream-loses-nothing'],
  }, async () => {
    const { start, change } = await setup()
    await change(1, ...Array.from({ length: 20 }, (_, at) => 20 + at))
    const first = await start()
    const { page } = await getJson<ProposalPage>(first.url, '/api/proposals')
    const port = Number(new URL(first.url).port)
    const client = listen(toStreamUrl(first))
    onTestFinished(client.close)
    await expect.poll(() => client.changes.length).toBe(1)
    await change(2, 2)
    await expect.poll(client.ids).toEqual(['2'])
    await first.close()
    await change(3, 5, 3)
    await change(4, 4)
    const second = await start({ port })
    await expect.poll(client.ids).toEqual(['2', '3', '5', '4'])
    await change(5, 2)
    await expect.poll(client.ids).toEqual(['2', '3', '5', '4', '2'])
    await second.close()
    const other = await start()
    await change(6, 6)
    const elsewhere = await connect(toStreamUrl(other), {
      lastEventId: client.changes.at(-1)?.id ?? '',
    })
    onTestFinished(elsewhere.close)
    await expect.poll(() => elsewhere.changes.map(({ data }) => data['proposalId'])).toEqual(['6'])
    const next = `/api/proposals?cursor=${page.nextCursor}`
    const { items } = await getJson<ProposalPage>(other.url, next)
    expect(items.map(({ proposalId }) => proposalId)).toEqual(['6', '5', '4', '3', '2', '1'])
  })

  it('resumes between two changes of one event, and neither loses nor repeats a change', {
    tags: 'api:stream-loses-nothing',
  }, async () => {
    const { start, change } = await setup()
    const api = await start()
    const whole = await connect(toStreamUrl(api))
    onTestFinished(whole.close)
    await expect.poll(() => whole.changes.length).toBe(1)
    await change(2, 30, 10, 20)
    await expect.poll(() => whole.changes.length).toBe(4)
    const seen = whole.changes.map(({ id }) => id)
    for (const [n, lastEventId] of seen.entries()) {
      const resumed = await connect(toStreamUrl(api), { lastEventId })
      onTestFinished(resumed.close)
      await change(10 + n, 99)
      await expect.poll(() => resumed.changes.at(-1)?.data['proposalId']).toBe('99')
      const ids = resumed.changes.map(({ data }) => data['proposalId'])
      expect(ids.filter((id) => id !== '99')).toEqual(['10', '20', '30'].slice(n))
    }
  })

  it('sends reset for a position that it never issued, and continues from there', {
    tags: 'api:stream-loses-nothing',
  }, async () => {
    const { start, change } = await setup()
    const api = await start()
    const issued = await connect(toStreamUrl(api))
    onTestFinished(issued.close)
    await expect.poll(() => issued.changes.length).toBe(1)
    const [chain] = `${issued.changes[0]?.id}`.split('.')
    const ahead = `${chain}.${10n ** 18n}`
    const ids = ['nonsense', '17', 'AAAAAAAA.4294967297', ahead, 'x'.repeat(5_000)]
    for (const [n, lastEventId] of ids.entries()) {
      const client = await connect(toStreamUrl(api), { lastEventId })
      onTestFinished(client.close)
      await expect.poll(() => client.changes.map(({ event }) => event)).toEqual(['reset'])
      expect(client.changes[0]?.data['links']).toEqual({ list: '/api/proposals' })
      await change(20 + n, 1)
      await expect
        .poll(() => client.changes.map(({ event }) => event))
        .toEqual(['reset', 'proposal'])
    }
  })

  it('sends reset if there are too many changes to send one by one', {
    tags: 'api:stream-loses-nothing',
  }, async () => {
    const { start, change } = await setup()
    const api = await start()
    const client = await connect(toStreamUrl(api))
    onTestFinished(client.close)
    await expect.poll(() => client.changes.length).toBe(1)
    const { id: lastEventId = '' } = client.changes[0] ?? {}
    await change(2, ...Array.from({ length: 1_001 }, (_, n) => n + 1))
    const late = await connect(toStreamUrl(api), { lastEventId })
    onTestFinished(late.close)
    for (const { changes } of [client, late]) {
      await expect.poll(() => changes.at(-1)?.event).toBe('reset')
    }
    await change(3, 5)
    await expect.poll(() => late.changes.at(-1)?.data['proposalId']).toBe('5')
  })

  it('reports one proposal only, on request', async () => {
    const { start, change } = await setup()
    const api = await start()
    const client = await connect(toStreamUrl(api, '?proposalId=007'))
    onTestFinished(client.close)
    await expect.poll(() => client.changes.length).toBe(1)
    await change(2, 6, 7, 8)
    await change(3, 6)
    await change(4, 7)
    await expect.poll(() => client.changes.length).toBe(3)
    expect(client.changes.map(({ data }) => data['proposalId'])).toEqual([undefined, '7', '7'])
  })

  it('waits with rows of an incomplete commit, and loses nothing after a store outage', async () => {
    const { start, change, store } = await setup()
    const api = await start()
    const client = await connect(toStreamUrl(api))
    onTestFinished(client.close)
    await expect.poll(() => client.changes.length).toBe(1)
    store.isAway = true
    await change(2, 2)
    await change(3, 3)
    store.isAway = false
    await expect.poll(() => client.changes.length).toBe(3)
    const ahead = { height: 4, proposals: [proposalRow(2, 5)], marks: [{ id: 2 }, { id: 3 }] }
    await seedRows(testStore.store, ahead)
    // A row that was replaced by a later row cannot be reported any more.
    await replaceRows(testStore.store)
    await seedMarks(testStore.store, ahead)
    await expect.poll(() => client.changes.length).toBe(4)
    await change(5, 2)
    await expect.poll(() => client.changes.length).toBe(5)
    const heights = client.changes.slice(1).map(({ data }) => data['updatedAt'])
    expect(heights).toEqual([2, 3, 4, 5].map((height) => ({ height })))
    expect(client.changes.slice(1).map(({ data }) => data['proposalId'])).toEqual([
      '2',
      '3',
      '3',
      '2',
    ])
  })
})
