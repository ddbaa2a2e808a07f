// Tests of the gateway of `npm run services`: routes, and instances that do not respond.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listeningUrl } from '../../../../infra/base/http/listening-url.ts'
import { startGateway } from '../../../services/gateway.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

const startInstance = async (handle: Handler) => {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  onTestFinished(close)
  return { url: listeningUrl(server) ?? '', requests, close }
}

const answer =
  (name: string): Handler =>
  async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    response.end(`${name} ${request.method} ${request.url} ${body}`.trim())
  }
const hangUp: Handler = (request) => void request.socket.destroy()

const startWith = async (api: Handler[], auth: Handler[] = [answer('auth'), answer('auth')]) => {
  const apis = await Promise.all(api.map(startInstance))
  const auths = await Promise.all(auth.map(startInstance))
  const toUrls = (instances: { url: string }[]) => instances.map(({ url }) => url)
  const gateway = await startGateway({ port: 0, api: toUrls(apis), auth: toUrls(auths) })
  onTestFinished(() => gateway.close())
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(new URL(path, gateway.url), init)
    return { status: response.status, text: await response.text() }
  }
  return { apis, auths, ask }
}

const post = (body: string) => ({ method: 'POST', body, headers: { 'content-type': 'text/x' } })

describe('the gateway of services on one machine', () => {
  it('sends the paths of agents and tokens to auth and all others to both instances of api', async () => {
    const { ask } = await startWith([answer('api-1'), answer('api-2')])
    for (const path of [
      '/agent/identity',
      '/oauth2/token',
      '/.well-known/oauth-a',
      '/delegation',
    ]) {
      expect(await ask(path, post('{"a":1}'))).toEqual({
        status: 200,
        text: `auth POST ${path} {"a":1}`,
      })
    }
    const texts = await Promise.all(Array.from({ length: 8 }, () => ask('/api/pools?page=1')))
    expect(new Set(texts.map(({ text }) => text))).toEqual(
      new Set(['api-1 GET /api/pools?page=1', 'api-2 GET /api/pools?page=1']),
    )
  })

  it('overwrites the client address that a client claims', async () => {
    const { ask, apis } = await startWith([answer('api-1'), answer('api-2')])
    await ask('/', { headers: { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9' } })
    const [request] = apis.flatMap(({ requests }) => requests)
    expect(request?.headers).toMatchObject({ 'x-forwarded-for': '127.0.0.1' })
    expect(request?.headers.forwarded).toBeUndefined()
  })

  it('answers every read while one instance fails or is stopped', async () => {
    const { ask, apis } = await startWith([hangUp, answer('api-2')])
    const read = () => Promise.all(Array.from({ length: 12 }, () => ask('/api/pools')))
    const expected = { status: 200, text: 'api-2 GET /api/pools' }
    expect(await read()).toEqual(Array(12).fill(expected))
    expect(apis[0]?.requests.length).toBeGreaterThan(0)
    apis[0]?.close()
    expect(await read()).toEqual(Array(12).fill(expected))
  })

  it('never repeats a write that an instance has received', async () => {
    const { ask, auths } = await startWith([answer('api'), answer('api')], [hangUp, hangUp])
    expect(await ask('/oauth2/token', post('once'))).toMatchObject({ status: 503 })
    expect(auths.flatMap(({ requests }) => requests)).toHaveLength(1)
  })

  it('sends a write to the other instance if one does not accept the connection', async () => {
    const { ask, auths } = await startWith([answer('api'), answer('api')])
    auths[0]?.close()
    for (let at = 0; at < 4; at++) {
      expect(await ask('/oauth2/token', post('kept'))).toEqual({
        status: 200,
        text: 'auth POST /oauth2/token kept',
      })
    }
  })
})
