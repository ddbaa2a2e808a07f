// The operator port: a status page, liveness, readiness, metrics, and actions for other processes. Serves no user requests.
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Registry } from 'prom-client'
import { Type } from 'typebox'
import type { Logger } from '../../runtime/logger.ts'
import type { Metrics } from '../../runtime/metrics.ts'
import { operatorsPage } from './page.ts'

export const operatorsSettings = Type.Object({
  operatorsHost: Type.String({
    env: 'OPERATORS_HOST',
    default: '127.0.0.1',
    description: 'Listening address of the status page, /livez, /readyz and /metrics',
  }),
  operatorsPort: Type.Integer({
    env: 'OPERATORS_PORT',
    default: 9090,
    minimum: 0,
    maximum: 65_535,
    description: 'Port of the status page, /livez, /readyz and /metrics; 0 for any free one',
  }),
})

export type Readiness = {
  ready: boolean
  reasons: string[]
  /** Further members of the response of `/readyz`. */
  details?: Readonly<Record<string, unknown>>
}

/** Merges the readiness of two services of one process. */
export const bothReady = (one: Readiness, other: Readiness): Readiness => ({
  ready: one.ready && other.ready,
  reasons: [...one.reasons, ...other.reasons],
  details: { ...one.details, ...other.details },
})

export type OperatorsServerOptions = {
  /** 0 for any free port. */
  port: number
  host: string
  metrics: readonly Metrics[]
  ready: () => Readiness | Promise<Readiness>
  /** Metrics of other processes in the text format; they follow the own metrics. */
  moreMetrics?: () => Promise<string>
  /** What a POST to a path does. It must be harmless to repeat. */
  actions?: ReadonlyMap<string, () => void>
  logger: Logger
}

export type OperatorsServer = { url: string; close(): Promise<void> }

type Answer = { status: number; type: string; body: string }

const json = (status: number, body: unknown): Answer => ({
  status,
  type: 'application/json',
  body: `${JSON.stringify(body)}\n`,
})

const readiness = async (ready: OperatorsServerOptions['ready']): Promise<Answer> => {
  const { details, ...state } = await ready()
  return json(state.ready ? 200 : 503, { ...state, ...details })
}

const statusPage = async (ready: OperatorsServerOptions['ready']): Promise<Answer> => ({
  status: 200,
  type: 'text/html; charset=utf-8',
  body: operatorsPage(await ready()),
})

const metricsText = async (options: OperatorsServerOptions): Promise<Answer> => {
  // An empty registry first: there may be no other one yet, and an empty merge has no content type.
  const merged = Registry.merge([new Registry(), ...options.metrics.map((each) => each.registry)])
  const body = (await merged.metrics()) + ((await options.moreMetrics?.()) ?? '')
  return { status: 200, type: merged.contentType, body }
}

const answerTo = async (path: string, options: OperatorsServerOptions): Promise<Answer> => {
  if (path === '/') return statusPage(options.ready)
  if (path === '/livez') return json(200, { alive: true })
  if (path === '/readyz') return readiness(options.ready)
  if (path === '/metrics') return metricsText(options)
  return json(404, { error: 'not found', paths: ['/', '/livez', '/readyz', '/metrics'] })
}

const send = (response: ServerResponse, { status, type, body }: Answer, withBody: boolean) => {
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'x-content-type-options': 'nosniff',
  })
  response.end(withBody ? body : undefined)
}

const listenerFor =
  (options: OperatorsServerOptions): RequestListener =>
  (request, response) => {
    const { method = 'GET' } = request
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
    const act = options.actions?.get(path)
    if (act && method === 'POST') {
      act()
      return send(response, json(202, { accepted: true }), true)
    }
    if (act || (method !== 'GET' && method !== 'HEAD')) {
      response.setHeader('allow', act ? 'POST' : 'GET, HEAD')
      return send(response, json(405, { error: 'method not allowed' }), true)
    }
    answerTo(path, options)
      .catch((error: unknown) => {
        options.logger.error({ error, path }, 'failed to handle an operator request')
        return json(500, { error: 'internal error' })
      })
      .then((answer) => send(response, answer, method === 'GET'))
      .catch(() => response.destroy())
  }

/** Resolves once it listens. */
export const startOperatorsServer = async (
  options: OperatorsServerOptions,
): Promise<OperatorsServer> => {
  const server = createServer(listenerFor(options))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  })
  const { port } = server.address() as AddressInfo
  const host = options.host.includes(':') ? `[${options.host}]` : options.host
  return {
    url: `http://${host}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
