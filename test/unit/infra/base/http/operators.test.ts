// Tests of the port for operators: liveness, readiness with reasons, and metrics.
import { request } from 'node:http'
import { hostname } from 'node:os'
import { afterEach, describe, expect, it } from 'vitest'
import {
  type OperatorsServer,
  startOperatorsServer,
} from '../../../../../infra/base/http/operators.ts'
import { createMetrics } from '../../../../../infra/base/runtime/metrics.ts'
import { silentLogger } from '../../../../support/process/log-lines.ts'

let server: OperatorsServer | undefined
afterEach(() => server?.close())

const setup = async (reasons: string[] = [], actions = new Map<string, () => void>()) => {
  const metrics = createMetrics('ingest')
  metrics.counter({ name: 'heights_total', help: 'Heights appended' }).inc(3)
  server = await startOperatorsServer({
    port: 0,
    host: '127.0.0.1',
    metrics: [metrics, createMetrics('api')],
    ready: () => ({ ready: reasons.length === 0, reasons, details: {} }),
    actions,
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
  it('answers its addresses and names, and no name that a web page can point at it', {
    tags: 'infra:operators-have-a-port',
  }, async () => {
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

  it('reports readiness, or 503 with every reason', {
    tags: 'infra:operators-have-a-port',
  }, async () => {
    const get = await setup()
    const ready = await get('/readyz')
    expect([ready.status, await ready.json()]).toEqual([200, { ready: true, reasons: [] }])
    expect(await (await get('/metrics')).text()).toContain('rollcall_ingest_heights_total 3')
    await server?.close()
    const unready = await (await setup(['no checkpoint', 'store is down']))('/readyz')
    expect(unready.status).toBe(503)
    expect(await unready.json()).toEqual({
      ready: false,
      reasons: ['no checkpoint', 'store is down'],
    })
  })

  it('does what a POST asks for, and refuses any other method there', async () => {
    let done = 0
    const ask = await setup([], new Map([['/wake', () => void done++]]))
    expect((await ask('/wake', { method: 'POST' })).status).toBe(202)
    const read = await ask('/wake')
    expect([read.status, read.headers.get('allow'), done]).toEqual([405, 'POST', 1])
    const write = await ask('/readyz', { method: 'POST' })
    expect([write.status, write.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })
})
