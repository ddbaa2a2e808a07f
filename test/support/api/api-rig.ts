// An API over a real store: called without a socket, with a switch that makes the store unreachable; or with a socket.

import { expect, onTestFinished } from 'vitest'
import { type ApiConfig, readApiConfig } from '../../../api/config.ts'
import { createApi, startApi } from '../../../api/main.ts'
import type { Store } from '../../../infra/base/clickhouse/client.ts'
import { type Clock, systemClock } from '../../../infra/base/runtime/clock.ts'
import { AppError } from '../../../infra/base/runtime/errors.ts'
import { createMetrics } from '../../../infra/base/runtime/metrics.ts'
import { type Answer, createSend, type Sent } from '../http/inject.ts'
import { silentLogger } from '../process/log-lines.ts'
import { type Commit, seed } from '../store/read-model-seed.ts'

export type SwitchedStore = Store & { isAway: boolean; selects: number }

/** Counts queries, and fails like an unreachable store while `isAway`. */
export const switchable = (store: Store): SwitchedStore => {
  const countSelect = <Found>(ask: () => Promise<Found>): Promise<Found> => {
    switched.selects += 1
    if (!switched.isAway) return ask()
    return Promise.reject(new AppError('STORE_UNAVAILABLE', 'gone', { retryable: true }))
  }
  const switched: SwitchedStore = {
    ...store,
    isAway: false,
    selects: 0,
    select: (...question) => countSelect(() => store.select(...question)),
    selectBytes: (...question) => countSelect(() => store.selectBytes(...question)),
    stream: (...question) => countSelect(() => store.stream(...question)),
  }
  return switched
}

export const createApiRig = async (
  store: Store,
  changes: Partial<ApiConfig> = {},
  clock: Clock = systemClock,
) => {
  const switched = switchable(store)
  const config = { ...readApiConfig({}), rateLimitPerMinute: 100_000, ...changes }
  const metrics = createMetrics('api')
  const { app, snapshots: state } = createApi({
    config,
    metrics,
    clock,
    store: switched,
    logger: silentLogger(),
  })
  await state.refresh().catch(() => undefined)
  const send = createSend(app)
  const ask = (url: string, { method = 'GET', ...sent }: Sent & { method?: string } = {}) =>
    send(method, url, sent)
  const get = async (url: string) => (await ask(url)).json()
  /** Writes rows, and serves them. */
  const commit = async (rows: Commit) => {
    await seed(store, rows)
    await state.refresh()
  }
  return { app, state, store: switched, metrics, ask, get, commit, close: () => app.close() }
}

/** All pages of a list, by following `links.next`, or the cursor of each. */
export const walkPages = async (
  // biome-ignore lint/suspicious/noExplicitAny: pages of every list
  get: (url: string) => Promise<any>,
  first: string,
  { byCursor = false } = {},
) => {
  const pages = []
  for (let url: string | null = first; url !== null; ) {
    const list = await get(url)
    pages.push(list)
    const { nextCursor } = list.page
    url = byCursor ? nextCursor && `${first}?cursor=${nextCursor}` : list.links.next
  }
  return pages
}

/** An API with a socket of its own, until the test finishes. */
export const startTestApi = async (store: Store, changes: Partial<ApiConfig> = {}) => {
  const quick = { port: 0, pollMs: 20, rateLimitPerMinute: 1_000_000 }
  const config = { ...readApiConfig({}), ...quick, ...changes }
  const metrics = createMetrics('api')
  const api = await startApi({ config, store, logger: silentLogger(), metrics })
  onTestFinished(() => api.close())
  return { ...api, metrics }
}

/** A complete problem document without other members. */
export const expectProblem = (answer: Answer, status: number, code: string) => {
  expect([answer.status, answer.json().code]).toEqual([status, code])
  expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/)
  expect(answer.json()).toMatchObject({
    status,
    type: `/problems/${code}`,
    requestId: answer.headers['x-request-id'],
    title: expect.any(String),
    detail: expect.any(String),
  })
  expect(answer.headers['access-control-allow-origin']).toBe('*')
}
