// Tests of the change stream under load: many listeners, a slow one, too many, and a shutdown.
import { describe, expect, it, onTestFinished } from 'vitest'
import { readApiConfig } from '../../api/config.ts'
import { startApi } from '../../api/main.ts'
import { createMetrics } from '../../infra/base/runtime/metrics.ts'
import { switchable } from '../support/api/api-rig.ts'
import { connect } from '../support/api/stream-clients.ts'
import { silentLogger } from '../support/process/log-lines.ts'
import { clearReadModel, proposalRow, seed } from '../support/store/read-model-seed.ts'
import { useTestStore } from '../support/store/test-store.ts'

const testStore = useTestStore()

type Changes = Partial<ReturnType<typeof readApiConfig>>

const setup = async (changes: Changes = {}) => {
  await clearReadModel(testStore.store)
  const store = switchable(testStore.store)
  const change = (height: number, ...ids: number[]) =>
    seed(testStore.store, {
      height,
      proposals: ids.map((id) => proposalRow(id, height)),
      marks: ids.map((id) => ({ id })),
    })
  await change(1, 1)
  const ofOneAddress = { maxListenersPerAddress: 2_000, maxConnectionsPerAddress: 5_000 }
  const quick = { pollMs: 20, rateLimitPerMinute: 1_000_000, ...ofOneAddress }
  const config = { ...readApiConfig({}), port: 0, ...quick, ...changes }
  const metrics = createMetrics('api')
  const api = await startApi({ config, store, logger: silentLogger(), metrics })
  onTestFinished(() => api.close())
  const readMetric = async (name: string): Promise<number> => {
    const metric = await metrics.registry.getSingleMetric(`rollcall_api_${name}`)?.get()
    return metric?.values[0]?.value ?? 0
  }
  return { api, change, store, readMetric, url: `${api.url}/api/stream` }
}

describe('the change stream', () => {
  it('serves a thousand listeners with one read', async () => {
    const { url, change, store, readMetric } = await setup()
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
    const { url, change, readMetric } = await setup()
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
    const { url } = await setup({ maxListeners: 3, maxListenersPerAddress: 2 })
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
  })

  it('keeps streams for other networks if one IPv6 /48 asks for all of them', async () => {
    const { url } = await setup({ maxListeners: 40, maxListenersPerAddress: 2, trustProxy: 1 })
    const from = (forwardedFor: string) => connect(url, { forwardedFor })
    const clients = await Promise.all(
      Array.from({ length: 60 }, (_, n) => from(`2001:db8:1:${n.toString(16)}::1`)),
    )
    const opened = clients.filter(({ status }) => status === 200)
    expect(opened).toHaveLength(8)
    const others = await Promise.all(['2001:db8:2::1', '192.0.2.1'].map(from))
    expect(others.map(({ status }) => status)).toEqual([200, 200])
    opened[0]?.close()
    await expect.poll(async () => (await from('2001:db8:1:ffff::1')).status).toBe(200)
    for (const client of [...clients, ...others]) client.close()
  })

  it('has fields that stop proxies from buffering it, also for HEAD; invalid requests are problems', async () => {
    const { api, url } = await setup()
    const client = await connect(url)
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
    const head = await fetch(url, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ])
    const readStatus = async (path: string, init?: RequestInit) =>
      (await fetch(`${api.url}/api/stream${path}`, init)).status
    expect(await readStatus('?proposalId=x')).toBe(400)
    expect(await readStatus(`?proposalId=${2n ** 64n}`)).toBe(400)
    expect(await readStatus('?lastEventId=1')).toBe(400)
    expect(await readStatus('', { method: 'POST' })).toBe(405)
    expect(await readStatus('', { headers: { authorization: 'Bearer x' } })).toBe(401)
  })

  it('ends cleanly when the API shuts down', async () => {
    const { api, url } = await setup()
    const clients = await Promise.all(Array.from({ length: 20 }, () => connect(url)))
    await expect.poll(() => clients.every(({ changes }) => changes.length === 1)).toBe(true)
    await api.close()
    await expect.poll(() => clients.every(({ hasEnded }) => hasEnded())).toBe(true)
  })
})
