// The operator port: liveness, readiness, metrics, and actions for other processes. Serves no user requests.
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { Registry } from 'prom-client'
import { Type } from 'typebox'
import type { Logger } from '../runtime/logger.ts'
import type { Metrics } from '../runtime/metrics.ts'
import { listeningUrl } from '../runtime/ports.ts'
import type { RenderedResponse } from './errors.ts'
import { NO_SNIFF, NO_STORE } from './headers.ts'
import { splitTarget } from './routes.ts'

export const operatorsSettings = Type.Object({
  operatorsHost: Type.String({
    env: 'OPERATORS_HOST',
    default: '127.0.0.1',
    description: 'Listening address of /livez, /readyz and /metrics',
  }),
  operatorsPort: Type.Integer({
    env: 'OPERATORS_PORT',
    default: 9090,
    minimum: 0,
    maximum: 65_535,
    description: 'Port of /livez, /readyz and /metrics; 0 for any free one',
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

const HEADERS = {
  ...NO_STORE,
  ...NO_SNIFF,
  'content-security-policy': "default-src 'none'",
} as const

const json = (status: number, body: unknown): RenderedResponse => ({
  status,
  mediaType: 'application/json',
  body: `${JSON.stringify(body)}\n`,
})

const renderMetrics = async (options: OperatorsServerOptions): Promise<RenderedResponse> => {
  // An empty registry first: there may be no other one yet, and an empty merge has no content type.
  const merged = Registry.merge([new Registry(), ...options.metrics.map((each) => each.registry)])
  const body = (await merged.metrics()) + ((await options.moreMetrics?.()) ?? '')
  return { status: 200, mediaType: merged.contentType, body }
}

const renderReadiness = async (options: OperatorsServerOptions): Promise<RenderedResponse> => {
  const { ready, reasons, details } = await options.ready()
  return json(ready ? 200 : 503, { ready, reasons, ...details })
}

type Render = (options: OperatorsServerOptions) => RenderedResponse | Promise<RenderedResponse>

/** What GET reads. Everything else is an action. */
const PAGES: ReadonlyMap<string, Render> = new Map<string, Render>([
  ['/livez', () => json(200, { alive: true })],
  ['/readyz', renderReadiness],
  ['/metrics', renderMetrics],
])

const LOOPBACK = /^(?:127\.|::1$|localhost$)/

/**
 * A web page can point a name of its own at this address (DNS rebinding), and then reads the port as its own origin. It cannot
 * do that with an address, with the name of this machine, or with a name without a dot, which containers have.
 */
const isOwnHost = (header: string | undefined, listening: string): boolean => {
  if (header === undefined) return true
  const name = header
    .toLowerCase()
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1')
  if (isIP(name) > 0 || name === 'localhost') return true
  if (name === listening.toLowerCase() || name === hostname().toLowerCase()) return true
  return !LOOPBACK.test(listening) && /^[\w-]+$/.test(name)
}

/** Without OPTIONS: no page of another origin may use the port. */
const answer = async (
  { method = 'GET', url = '/', headers }: IncomingMessage,
  options: OperatorsServerOptions,
): Promise<RenderedResponse> => {
  if (!isOwnHost(headers.host, options.host)) {
    return json(421, { error: 'not a name of this server: use its address' })
  }
  const { path } = splitTarget(url)
  // Services add actions while they start.
  const act = options.actions?.get(path)
  const render = PAGES.get(path)
  if (!act && !render) return json(404, { error: 'not found', paths: [...PAGES.keys()] })
  const allow = act ? 'POST' : 'GET, HEAD'
  if (!allow.split(', ').includes(method)) {
    return { ...json(405, { error: 'method not allowed' }), headers: { allow } }
  }
  if (render) return render(options)
  act?.()
  return json(202, { accepted: true })
}

const createListener =
  (options: OperatorsServerOptions): RequestListener =>
  (request, response) => {
    answer(request, options)
      .catch((error: unknown): RenderedResponse => {
        options.logger.error({ error, path: request.url }, 'failed to handle an operator request')
        return json(500, { error: 'internal error' })
      })
      .then(({ status, mediaType, headers, body }) => {
        response.writeHead(status, {
          ...HEADERS,
          ...headers,
          'content-type': mediaType,
          'content-length': Buffer.byteLength(body),
        })
        response.end(body)
      })
      .catch(() => response.destroy())
  }

/** Resolves once it listens. */
export const startOperatorsServer = async (
  options: OperatorsServerOptions,
): Promise<OperatorsServer> => {
  const server = createServer(createListener(options))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  })
  return {
    url: listeningUrl(server) ?? '',
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
