// 404, 405, OPTIONS and errors follow from the routes and their edges, for every method that Node accepts.
import { METHODS } from 'node:http'
import { describe, expect, it } from 'vitest'
import { allowEveryOrigin, OWN_PAGES_ONLY } from '../../../../../infra/base/http/headers.ts'
import { createRateLimiter } from '../../../../../infra/base/http/limits/rate-limit.ts'
import { addRoutes, type Edge, type Route } from '../../../../../infra/base/http/routes.ts'
import { createPlainServer, PLAIN_EDGE } from '../../../../support/http/plain-server.ts'
import { recordingLogger } from '../../../../support/process/log-lines.ts'

const handler = async () => 'ok'

const PUBLIC: Edge = { ...PLAIN_EDGE, headers: { 'x-edge': 'public' }, cors: allowEveryOrigin({}) }
/** With another format of errors, and bodies of at most 8 bytes. */
const INNER: Edge = {
  headers: { 'x-edge': 'inner' },
  cors: OWN_PAGES_ONLY,
  bodies: { types: ['application/json'], maxBytes: 8 },
  findRefusal: ({ headers }) => (headers.origin === 'http://bad' ? new Error('bad') : undefined),
  renderError: (error, request) => {
    const { status, headers } = PLAIN_EDGE.renderError(error, request)
    return { status, headers, mediaType: 'application/json', body: '{"inner":true}' }
  },
}

const setup = (routes: readonly Route[], edge = PUBLIC) => {
  const app = createPlainServer()
  addRoutes(app, edge, routes)
  const inject = (method: string, url: string, options: object = {}) =>
    app.inject({ method: method as 'GET', url, payload: '', ...options })
  const ask = async (method: string, url: string, payload?: string) => {
    const answer = await inject(method, url, { payload: payload ?? '' })
    return [answer.statusCode, answer.headers['allow']]
  }
  return { ask, inject }
}

const OWN = ['GET', 'HEAD', 'OPTIONS', 'CONNECT']

describe('a path', () => {
  it('answers 405 with the methods of its handlers to all others', async () => {
    const { ask } = setup([{ path: '/list/:id', handlers: { GET: handler } }])
    for (const method of METHODS.filter((each) => !OWN.includes(each))) {
      expect([method, ...(await ask(method, '/list/7'))]).toEqual([
        method,
        405,
        'GET, HEAD, OPTIONS',
      ])
    }
    expect(await ask('GET', '/list/7')).toEqual([200, undefined])
    expect(await ask('HEAD', '/list/7')).toEqual([200, undefined])
    for (const method of ['POST', 'PROPFIND', 'TRACE', 'OPTIONS']) {
      expect(await ask(method, '/nothing')).toEqual([404, undefined])
      expect(await ask(method, '/list/7/8')).toEqual([404, undefined])
    }
  })

  it('with several handlers allows the methods of all of them', async () => {
    const { ask } = setup([
      { path: '/both', handlers: { POST: handler, GET: handler } },
      { path: '/one', handlers: { POST: handler } },
    ])
    expect(await ask('SEARCH', '/both')).toEqual([405, 'GET, HEAD, POST, OPTIONS'])
    expect(await ask('PUT', '/both')).toEqual([405, 'GET, HEAD, POST, OPTIONS'])
    expect(await ask('OPTIONS', '/both')).toEqual([204, 'GET, HEAD, POST, OPTIONS'])
    expect(await ask('GET', '/one')).toEqual([405, 'POST, OPTIONS'])
    expect(await ask('HEAD', '/one')).toEqual([405, 'POST, OPTIONS'])
  })

  it('is the same in all its encodings', async () => {
    const { ask } = setup([{ path: '/list/:id', handlers: { GET: handler } }])
    for (const url of ['/%6cist/7', '/list/7?page=1', 'http://elsewhere.example/list/%2f']) {
      expect(await ask('GET', url)).toEqual([200, undefined])
      expect(await ask('PUT', url)).toEqual([405, 'GET, HEAD, OPTIONS'])
    }
  })

  it('refuses a method before it reads the body', async () => {
    const { ask } = setup([{ path: '/', handlers: { GET: handler } }])
    expect(await ask('POST', '/', '{ not JSON')).toEqual([405, 'GET, HEAD, OPTIONS'])
  })

  it('has the preflight of its own CORS policy, or that of its edge', async () => {
    const { inject } = setup([
      { path: '/open', handlers: { GET: handler } },
      { path: '/own', handlers: { GET: handler }, cors: OWN_PAGES_ONLY },
    ])
    const open = await inject('OPTIONS', '/open')
    expect(open.headers['access-control-allow-methods']).toBe('GET, HEAD, OPTIONS')
    expect(open.headers['access-control-allow-origin']).toBe('*')
    const own = await inject('OPTIONS', '/own')
    expect(own.headers['access-control-allow-methods']).toBeUndefined()
    expect(own.headers['access-control-allow-origin']).toBeUndefined()
  })
})

describe('an edge', () => {
  it('renders every error of its routes, with its header fields', async () => {
    const fail = async () => {
      throw new Error('no')
    }
    const { inject } = setup([{ path: '/inner', handlers: { GET: fail, POST: handler } }], INNER)
    const json = { 'content-type': 'application/json' }
    const requests: [number, string, object][] = [
      [500, 'GET', {}],
      [405, 'DELETE', {}],
      [405, 'PROPFIND', {}],
      [413, 'POST', { payload: '{"a":"long"}', headers: json }],
      [415, 'POST', { payload: '{}', headers: { 'content-type': 'no type' } }],
      [414, 'GET', { url: `/inner?${'x'.repeat(5_000)}` }],
      [500, 'OPTIONS', { headers: { origin: 'http://bad' } }],
    ]
    for (const [status, method, options] of requests) {
      const answer = await inject(method, '/inner', options)
      expect([method, answer.statusCode, answer.body]).toEqual([method, status, '{"inner":true}'])
      expect(answer.headers['x-edge']).toBe('inner')
      expect(answer.headers['cache-control']).toBe('no-store')
      expect(answer.headers['x-request-id']).toMatch(/^[\w-]+$/)
    }
    expect((await inject('GET', '/nothing')).body).toBe('This service has no resource at /nothing.')
    expect((await inject('GET', '/inner%')).statusCode, 'a malformed URL').toBe(400)
  })

  it('logs a defect with its request, and no refusal', async () => {
    const { logger, lines } = recordingLogger()
    const app = createPlainServer({ logger })
    const fail = async () => {
      throw new TypeError('x is undefined')
    }
    addRoutes(app, PUBLIC, [{ path: '/', handlers: { GET: fail } }])
    const { headers } = await app.inject('/')
    await app.inject('/nothing')
    const requestId = headers['x-request-id']
    expect(lines).toMatchObject([{ level: 'error', method: 'GET', requestId }])
  })
})

it('a request above the quota is refused with its header fields, also if its URL is malformed', async () => {
  const app = createPlainServer({ limiter: createRateLimiter(2, () => 0) })
  addRoutes(app, PUBLIC, [{ path: '/', handlers: { GET: handler } }])
  const statuses: unknown[] = []
  for (const url of ['/', '/%', '/', '/nothing']) {
    const { statusCode, headers } = await app.inject(url)
    statuses.push([statusCode, headers['ratelimit'], headers['retry-after']])
  }
  expect(statuses).toEqual([
    [200, '"default";r=1;t=60', undefined],
    [400, '"default";r=0;t=60', undefined],
    [429, '"default";r=0;t=60', '60'],
    [429, '"default";r=0;t=60', '60'],
  ])
})
