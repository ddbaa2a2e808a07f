// Tests of the change stream with a real ClickHouse and real sockets: each change once, in order, also for many and slow listeners.
import { describe, expect, it, onTestFinished } from 'vitest'
import { startTestApi, switchable } from '../support/api/api-rig.ts'
import { connect, listen } from '../support/api/stream-clients.ts'
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

const OF_ONE_ADDRESS = { maxListenersPerAddress: 2_000, maxConnectionsPerAddress: 5_000 }

type ProposalPage = { page: { nextCursor: string }; items: { proposalId: string }[] }

const setup = async () => {
  await clearReadModel(testStore.store)
  const store = switchable(testStore.store)
  const start = async (changes: Parameters<typeof startTestApi>[1] = {}) => {
    const { metrics, ...api } = await startTestApi(store, { ...OF_ONE_ADDRESS, ...changes })
    const readMetric = async (name: string): Promise<number> => {
      const metric = await metrics.registry.getSingleMetric(`rollcall_api_${name}`)?.get()
      return metric?.values[0]?.value ?? 0
    }
    return { ...api, readMetric }
  }
  const change = (height: number, ...ids: number[]) =>
    seed(testStore.store, {
      height,
      proposals: ids.map((id) => proposalRow(id, height)),
      marks: ids.map((id) => ({ id })),
    })
  await change(1, 1)
  return { start, change, store }
}

const toStreamUrl = ({ url }: { url: string }, query = '') => `${url}/api/stream${query}`

const follow = async (api: { url: string }, options: { lastEventId?: string }, query?: string) => {
  const client = await connect(toStreamUrl(api, query), options)
  onTestFinished(client.close)
  return client
}

/** After the first event, which names the position. */
const begin = async (api: { url: string }, query?: string) => {
  const client = await follow(api, {}, query)
  await expect.poll(() => client.changes.length).toBe(1)
  return client
}

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
    const elsewhere = await follow(other, {
      lastEventId: client.changes.at(-1)?.id ?? '',
    })
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
    const whole = await begin(api)
    await change(2, 30, 10, 20)
    await expect.poll(() => whole.changes.length).toBe(4)
    const seen = whole.changes.map(({ id }) => id)
    for (const [n, lastEventId] of seen.entries()) {
      const resumed = await follow(api, { lastEventId })
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
    const issued = await begin(api)
    const [chain] = `${issued.changes[0]?.id}`.split('.')
    const ahead = `${chain}.${10n ** 18n}`
    const ids = ['nonsense', '17', 'AAAAAAAA.4294967297', ahead, 'x'.repeat(5_000)]
    for (const [n, lastEventId] of ids.entries()) {
      const client = await follow(api, { lastEventId })
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
    const client = await begin(api)
    const { id: lastEventId = '' } = client.changes[0] ?? {}
    await change(2, ...Array.from({ length: 1_001 }, (_, n) => n + 1))
    const late = await follow(api, { lastEventId })
    for (const { changes } of [client, late]) {
      await expect.poll(() => changes.at(-1)?.event).toBe('reset')
    }
    await change(3, 5)
    await expect.poll(() => late.changes.at(-1)?.data['proposalId']).toBe('5')
  })

  it('reports one proposal only, on request', async () => {
    const { start, change } = await setup()
    const api = await start()
    const client = await begin(api, '?proposalId=007')
    await change(2, 6, 7, 8)
    await change(3, 6)
    await change(4, 7)
    await expect.poll(() => client.changes.length).toBe(3)
    expect(client.changes.map(({ data }) => data['proposalId'])).toEqual([undefined, '7', '7'])
  })

  it('waits with rows of an incomplete commit, and loses nothing after a store outage', async () => {
    const { start, change, store } = await setup()
    const api = await start()
    const client = await begin(api)
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

  it('serves a thousand listeners with one read', async () => {
    const { start, change, store } = await setup()
    const { readMetric, ...api } = await start()
    const url = toStreamUrl(api)
    const clients = await Promise.all(Array.from({ length: 1_000 }, () => connect(url)))
    onTestFinished(() => {
      for (const client of clients) client.close()
    })
    await expect.poll(() => clients.every(({ changes }) => changes.length === 1)).toBe(true)
    expect(await readMetric('stream_listeners')).toBe(1_000)
    const aboutProposals: string[] = []
    const select = store.select
    store.select = (sql, ...rest) => {
      if (sql.includes('.proposals ')) aboutProposals.push(sql)
      return select(sql, ...rest)
    }
    await change(2, 1, 2, 3)
    await expect.poll(() => clients.every(({ changes }) => changes.length === 4)).toBe(true)
    expect(aboutProposals).toHaveLength(1)
    expect(await readMetric('stream_events_total')).toBe(3_000)
    const lastEventId = clients[0]?.changes[0]?.id ?? ''
    const back = await Promise.all(Array.from({ length: 200 }, () => connect(url, { lastEventId })))
    onTestFinished(() => {
      for (const client of back) client.close()
    })
    await expect.poll(() => back.every(({ changes }) => changes.length === 3)).toBe(true)
    expect(aboutProposals, 'a client that resumes causes no second read').toHaveLength(1)
    for (const client of clients) client.close()
    await expect.poll(() => readMetric('stream_listeners')).toBe(200)
  })

  it('disconnects a slow listener, which loses nothing after it resumes; others are not affected', async () => {
    const { start, change } = await setup()
    const { readMetric, ...api } = await start()
    const url = toStreamUrl(api)
    const slow = await connect(url, { isPaused: true })
    const quick = await connect(url)
    onTestFinished(quick.close)
    const ids = Array.from({ length: 1_000 }, (_, n) => n + 1)
    let height = 1
    while ((await readMetric('stream_slow_listeners_total')) === 0 && height < 200) {
      height += 1
      await change(height, ...ids)
      await expect.poll(() => quick.changes.length).toBe(1 + (height - 1) * 1_000)
    }
    expect(await readMetric('stream_slow_listeners_total')).toBe(1)
    slow.resume()
    await expect.poll(slow.hasEnded).toBe(true)
    const received = slow.changes.filter(({ event }) => event === 'proposal')
    expect(received.length).toBeLessThan((height - 1) * 1_000)
    const back = await connect(url, { lastEventId: slow.changes.at(-1)?.id ?? '' })
    onTestFinished(back.close)
    await change(height + 1, 1)
    for (const { changes } of [back, quick]) {
      const latest = () => changes.at(-1)?.data['updatedAt']
      await expect.poll(latest).toEqual({ height: height + 1 })
    }
    const allReceived = [...received, ...back.changes].map(({ data }): [string, unknown] => [
      `${data['proposalId']}`,
      data['updatedAt'],
    ])
    const expected = ids.map((id): [string, unknown] => [
      `${id}`,
      { height: id === 1 ? height + 1 : height },
    ])
    expect(Object.fromEntries(allReceived)).toEqual(Object.fromEntries(expected))
  })

  it('refuses listeners beyond its limits with Retry-After, and accepts new ones after a disconnect', async () => {
    const { start } = await setup()
    const url = toStreamUrl(await start({ maxListeners: 3, maxListenersPerAddress: 2 }))
    const readError = async () => {
      const answer = await fetch(url)
      const { code } = (await answer.json()) as { code: string }
      return [answer.status, code, answer.headers.get('retry-after')]
    }
    const first = await connect(url)
    const second = await connect(url)
    expect(await readError()).toEqual([429, 'too-many-streams', '30'])
    const other = await connect(url, { localAddress: '127.0.0.2' })
    expect(other.status).toBe(200)
    expect(await readError()).toEqual([503, 'streams-exhausted', '30'])
    first.close()
    await expect.poll(async () => (await connect(url)).status).toBe(200)
    for (const client of [second, other]) client.close()
    // The networks of one IPv6 /48 have the streams of four clients.
    const proxied = await start({ maxListeners: 40, maxListenersPerAddress: 2, trustProxy: 1 })
    const from = (forwardedFor: string) => connect(toStreamUrl(proxied), { forwardedFor })
    const sites = Array.from({ length: 60 }, (_, n) => `2001:db8:1:${n.toString(16)}::1`)
    const clients = await Promise.all(sites.map(from))
    expect(clients.filter(({ status }) => status === 200)).toHaveLength(8)
    for (const address of ['2001:db8:2::1', '192.0.2.1']) clients.push(await from(address))
    expect(clients.slice(-2).map(({ status }) => status)).toEqual([200, 200])
    for (const client of clients) client.close()
  })

  it('has fields that stop proxies from buffering it, and its own time to reconnect', async () => {
    const { start } = await setup()
    const client = await connect(toStreamUrl(await start()))
    onTestFinished(client.close)
    expect(client.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'access-control-allow-origin': '*',
      'ratelimit-policy': expect.any(String),
    })
    expect(client.headers['content-encoding']).toBeUndefined()
    await expect.poll(client.text).toMatch(/^retry: [1-4]\d{3}\n\n/)
  })
})
