// Tests of the port for operators: liveness, readiness with reasons, and metrics.
import { request } from 'node:http'
import { hostname } from 'node:os'
import { afterEach, describe, expect, it } from 'vitest'
import {
  type OperatorsServer,
  startOperatorsServer,
} from '../../../../../../infra/base/http/operators/server.ts'
import { createMetrics } from '../../../../../../infra/base/runtime/metrics.ts'
import { silentLogger } from '../../../../../support/process/log-lines.ts'

let server: OperatorsServer | undefined
afterEach(() => server?.close())

type Options = {
  isStarting?: boolean
  details?: object
  actions?: ReadonlyMap<string, () => void>
}

const setup = async (
  reasons: string[] = [],
  { isStarting = false, details, actions }: Options = {},
) => {
  const ingest = createMetrics('ingest')
  const api = createMetrics('api')
  ingest.counter({ name: 'heights_total', help: 'Heights appended' }).inc(3)
  api.gauge({ name: 'pages', help: 'Cached pages', labels: ['kind'] }).set({ kind: 'list' }, 2)
  api.histogram({ name: 'answer_seconds', help: 'Time', buckets: [0.1, 1] }).observe(0.5)
  server = await startOperatorsServer({
    port: 0,
    host: '127.0.0.1',
    metrics: isStarting ? [] : [ingest, api],
    ready: () => ({ ready: reasons.length === 0, reasons, details: { ...details } }),
    ...(actions ? { actions } : {}),
    logger: silentLogger(),
  })
  const { url } = server
  return (path: string, init?: RequestInit) => fetch(`${url}${path}`, init)
}

/** The status of a request that names this host. */
const askAs = (host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    request(`${server?.url}/metrics`, { headers: { host } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })

describe('the operators server', () => {
  it('answers its addresses and names, and no name that a web page can point at it', async () => {
    await setup()
    const { port } = new URL(server?.url ?? '')
    for (const own of [
      `127.0.0.1:${port}`,
      `localhost:${port}`,
      '[::1]:1',
      '10.0.0.7',
      hostname(),
    ]) {
      expect(await askAs(own), own).toBe(200)
    }
    for (const other of [
      'evil.example',
      `evil.example:${port}`,
      'localhost.evil.example',
      'ingest',
    ]) {
      expect(await askAs(other), other).toBe(421)
    }
  })

  it('reports liveness', async () => {
    const get = await setup()
    expect((await get('/livez')).status).toBe(200)
  })

  it('reports readiness, or 503 with every reason', async () => {
    const ready = await (await setup())('/readyz')
    expect([ready.status, await ready.json()]).toEqual([200, { ready: true, reasons: [] }])
    await server?.close()
    const unready = await (await setup(['no checkpoint', 'store is down']))('/readyz')
    expect(unready.status).toBe(503)
    expect(await unready.json()).toEqual({
      ready: false,
      reasons: ['no checkpoint', 'store is down'],
    })
  })

  it('has the details of readiness beside its reasons', async () => {
    const get = await setup(['no checkpoint'], { details: { endpoints: [{ endpoint: 'a' }] } })
    expect(await (await get('/readyz')).json()).toEqual({
      ready: false,
      reasons: ['no checkpoint'],
      endpoints: [{ endpoint: 'a' }],
    })
  })

  it('does what a POST asks for, and refuses any other method there', async () => {
    let done = 0
    const ask = await setup([], { actions: new Map([['/wake', () => void done++]]) })
    expect((await ask('/wake', { method: 'POST' })).status).toBe(202)
    const read = await ask('/wake')
    expect([read.status, read.headers.get('allow'), done]).toEqual([405, 'POST', 1])
    const write = await ask('/readyz', { method: 'POST' })
    expect([write.status, write.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  it('has a status page with the reasons and the lists of the details, as text', async () => {
    const endpoints = [
      { endpoint: 'a.example', limitPerSecond: null, refusedShare: 0.02, earliestState: 17 },
    ]
    const get = await setup(['<b>refused</b>'], { details: { endpoints } })
    const answer = await get('/')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ])
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    const page = await answer.text()
    expect(page).toContain('<h1>Not ready</h1>')
    expect(page).toContain('<li>&lt;b>refused&lt;/b></li>')
    expect(page).toContain('<th scope="col">earliest state</th>')
    expect(page).toContain('<td>a.example</td><td>not known</td><td>0.02</td><td>17</td>')
  })

  it('serves the metrics of every service under their full names', async () => {
    const get = await setup()
    const response = await get('/metrics')
    const body = await response.text()
    expect(response.headers.get('content-type')).toContain('text/plain')
    expect(body).toContain('rollcall_ingest_heights_total 3')
    expect(body).toContain('rollcall_api_pages{kind="list"} 2')
    expect(body).toContain('rollcall_api_answer_seconds_bucket{le="1"} 1')
  })

  it('serves an empty response before there are metrics', async () => {
    const response = await (await setup([], { isStarting: true }))('/metrics')
    expect([response.status, (await response.text()).trim()]).toEqual([200, ''])
    expect(response.headers.get('content-type')).toContain('text/plain')
  })

  it('refuses other paths and methods', async () => {
    const get = await setup()
    expect((await get('/api/proposals')).status).toBe(404)
    const posted = await get('/livez', { method: 'POST' })
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  it('refuses to start on a taken port', async () => {
    await setup()
    const port = Number(new URL(server?.url ?? '').port)
    const second = startOperatorsServer({
      port,
      host: '127.0.0.1',
      metrics: [],
      ready: () => ({ ready: true, reasons: [] }),
      logger: silentLogger(),
    })
    await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })
})
