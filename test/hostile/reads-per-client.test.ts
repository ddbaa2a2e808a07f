// One client cannot block the store's readers for other clients or for the checkpoint query.
import { afterEach, describe, expect, it } from 'vitest'
import { MAX_STORE_CONNECTIONS } from '../../infra/base/clickhouse/client.ts'
import { createApiRig } from '../support/api/api-rig.ts'
import { CLOSED_VOTE, OPEN_VOTE, seedStory } from '../support/api/api-story.ts'
import { until } from '../support/process/rollcall-process.ts'
import { useTestStore } from '../support/store/test-store.ts'
import { type WatchedStore, watchStore } from '../support/store/watched-store.ts'

const testStore = useTestStore(seedStory)

type Rig = Awaited<ReturnType<typeof createApiRig>>
let rig: Rig | undefined
let store: WatchedStore | undefined
afterEach(async () => {
  store?.release()
  await rig?.close()
})

const isSearch = (sql: string) => sql.includes('multiSearchAllPositionsCaseInsensitiveUTF8')
/** Its rows and their tallies; the count query follows. */
const QUERIES_AT_ONCE = 2

const setup = async (isDelayed: (sql: string) => boolean) => {
  store = watchStore(testStore.store, isDelayed)
  rig = await createApiRig(store)
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
    await until('the readings', 5_000, () => store.running >= 4 * QUERIES_AT_ONCE || undefined)
    const url = `/api/proposals/${OPEN_VOTE}/votes`
    const waiting = rig.ask(url, { remoteAddress: '192.0.2.1' })
    expect((await rig.ask(url, { remoteAddress: '192.0.2.2' })).status).toBe(200)
    store.release()
    expect((await waiting).status).toBe(200)
    await Promise.all(searches)
  })

  it('gets 503 if hundreds of its requests wait, and other clients do not', async () => {
    const { rig, store } = await setup(isSearch)
    const searches = searchFrom(rig, '192.0.2.1', 200)
    await until(
      'the first readings',
      5_000,
      () => store.running >= 4 * QUERIES_AT_ONCE || undefined,
    )
    expect((await rig.ask('/api/pools', { remoteAddress: '192.0.2.2' })).status).toBe(200)
    store.release()
    const statuses = (await Promise.all(searches)).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200, 503]))
  })
})

describe('a network with many clients', () => {
  it('has a quarter of the connections to the store, and a client of another network is answered at once', {
    tags: 'api:clients-are-isolated',
  }, async () => {
    const { rig, store } = await setup(isSearch)
    const searches = Array.from({ length: 40 }, (_, n) =>
      searchFrom(rig, `2001:db8:1:${n.toString(16)}::1`, 4),
    ).flat()
    await until('the readings', 5_000, () => store.running >= 7 * QUERIES_AT_ONCE || undefined)
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
    await until('the readings', 5_000, () => store.running >= 20 || undefined)
    expect(store.running).toBeLessThan(MAX_STORE_CONNECTIONS)
    await rig.state.refresh()
    store.release()
    const statuses = (await Promise.all(clients)).map(({ status }) => status)
    expect(statuses).toEqual(statuses.map(() => 200))
  })
})
