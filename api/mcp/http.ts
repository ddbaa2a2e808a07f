// `/mcp`: what is refused before a message is looked at, each with its status; then one exchange per POST. Keeps no session.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasCode } from '../../infra/runtime/errors.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { requestHeaders } from '../http/headers.ts'
import { problemOf } from '../http/problem-details.ts'
import { PROBLEMS } from '../problem.ts'
import type { McpIdentity } from './identity.ts'
import { checkVersion, readMessages } from './message-checks.ts'
import type { McpMethods } from './methods.ts'
import { isOriginAllowed, type OriginRules } from './origins.ts'
import { McpRefusal, RPC, toldInFull } from './refusal.ts'

export const MCP_PATH = '/mcp'

export type McpHttp = {
  /** Of the client at an address. */
  methodsFor: (address: string) => McpMethods
  origins: OriginRules
  /** Asked for at every exchange: the address may not be known before. */
  identity: () => McpIdentity
  instructions: string
  answered: (status: number) => void
  log: Logger
}

/** The longest message a tool could need is a hundredth of it. */
const MAX_BODY_BYTES = 64 * 1024

const CORS_HEADERS = {
  'access-control-allow-methods': 'POST, OPTIONS',
  'access-control-allow-headers':
    'Accept, Authorization, Content-Type, Last-Event-ID, MCP-Protocol-Version, Mcp-Session-Id',
  'access-control-max-age': '86400',
} as const
const EXPOSED = 'RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id'

class HttpRefusal extends McpRefusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(RPC.refused, message)
    this.status = status
    this.headers = headers
  }
}

const versionOf = ({ headers }: FastifyRequest): string | undefined => {
  const version = headers['mcp-protocol-version']
  return Array.isArray(version) ? version.join() : version
}

const checkRequest = (request: FastifyRequest, origins: OriginRules): void => {
  const { headers, method } = request
  if (!isOriginAllowed(headers, origins)) {
    throw new HttpRefusal(403, 'Pages of this origin may not use this server.')
  }
  if (method === 'OPTIONS') return
  if (method !== 'POST') {
    const detail = `${method} is not possible here: this server keeps no session and opens no stream. Use POST.`
    throw new HttpRefusal(405, detail, { allow: 'POST' })
  }
  checkVersion(versionOf(request))
  const accept = headers.accept?.toLowerCase() ?? ''
  if (!accept.includes('application/json') || !accept.includes('text/event-stream')) {
    throw new HttpRefusal(406, 'Send Accept: application/json, text/event-stream.')
  }
  if (!/^application\/json *(;|$)/i.test(headers['content-type'] ?? '')) {
    throw new HttpRefusal(415, 'Send Content-Type: application/json.')
  }
}

type Shown = { status: number; code: number; message: string; data?: unknown; headers?: object }

const CODES: Readonly<Record<number, number>> = {
  400: RPC.invalidRequest,
  500: RPC.internalError,
}

const shown = (error: unknown): Shown => {
  if (error instanceof HttpRefusal) {
    const { status, code, message, headers } = error
    return { status, code, message, headers }
  }
  if (error instanceof McpRefusal) {
    const { code, message, data } = error
    return { status: 400, code, message, data }
  }
  if ((error as { statusCode?: number }).statusCode === 413) {
    const message = `The body is larger than ${MAX_BODY_BYTES} bytes.`
    return { status: 413, code: RPC.refused, message }
  }
  const problem = problemOf(error)
  const { status } = PROBLEMS[problem.code]
  const code = CODES[status] ?? RPC.refused
  return { status, code, message: toldInFull(problem), headers: problem.headers }
}

const answerHeaders = (request: FastifyRequest, { origins }: McpHttp): Record<string, string> => {
  const { origin } = request.headers
  const cors: Record<string, string> =
    origin !== undefined && isOriginAllowed(request.headers, origins)
      ? { 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED }
      : {}
  return {
    ...requestHeaders(request),
    ...cors,
    'cache-control': 'no-store',
    vary: 'Origin, Authorization',
    'x-content-type-options': 'nosniff',
  }
}

const addErrors = (scope: FastifyInstance, options: McpHttp): void => {
  scope.setErrorHandler((error, request, reply) => {
    const { status, code, message, data, headers = {} } = shown(error)
    if (status === 500) options.log.error({ error, requestId: request.id }, 'failed to answer')
    options.answered(status)
    const body = { jsonrpc: '2.0', error: { code, message, ...(data ? { data } : {}) }, id: null }
    return reply
      .code(status)
      .headers({ ...answerHeaders(request, options), ...headers })
      .header('content-type', 'application/json; charset=utf-8')
      .send(JSON.stringify(body))
  })
}

/** Fires when the client leaves before its answer. */
const departureOf = (reply: FastifyReply): AbortSignal => {
  const controller = new AbortController()
  if (reply.raw.destroyed) controller.abort()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort()
  })
  return controller.signal
}

/** Every message of a batch counts; the first has been counted with its request. */
const takeQuota = (request: FastifyRequest, more: number): void => {
  for (let n = 0; n < more && request.limiter; n++) {
    const quota = request.limiter.take(request.ip)
    request.quota = quota
    const { isExceeded, resetSeconds } = quota
    if (!isExceeded) continue
    throw new HttpRefusal(429, `The quota is used up; it is renewed in ${resetSeconds} s.`, {
      'retry-after': String(resetSeconds),
    })
  }
}

const singleHeaders = (request: FastifyRequest): Record<string, string> => {
  const version = versionOf(request)
  return {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    ...(version === undefined ? {} : { 'mcp-protocol-version': version }),
  }
}

const post = async (request: FastifyRequest, reply: FastifyReply, options: McpHttp) => {
  const { methodsFor, instructions } = options
  const { body, count } = readMessages(String(request.body ?? ''), versionOf(request))
  takeQuota(request, count - 1)
  const identity = options.identity()
  // The SDK is large: whoever never speaks MCP does not wait for it at the start.
  const { exchange } = await import('./sdk-server.ts')
  const url = `${identity.websiteUrl}${MCP_PATH}`
  const asked = { url, headers: singleHeaders(request), body }
  const { status, text } = await exchange(
    { identity, instructions, methods: methodsFor(request.ip) },
    asked,
    departureOf(reply),
  )
  options.answered(status)
  reply.code(status).headers(answerHeaders(request, options))
  if (text === '') return reply.send()
  return reply.header('content-type', 'application/json; charset=utf-8').send(text)
}

/** In a scope of its own: its bodies and errors are of its own kind. */
export const addMcpRoute = (app: FastifyInstance, options: McpHttp): void => {
  void app.register(async (scope) => {
    addErrors(scope, options)
    scope.removeAllContentTypeParsers()
    const parsing = { parseAs: 'string', bodyLimit: MAX_BODY_BYTES } as const
    scope.addContentTypeParser('*', parsing, (_request, text, done) => done(null, text))
    scope.addHook('onRequest', async (request) => {
      checkRequest(request, options.origins)
    })
    scope.all(
      MCP_PATH,
      { config: { operation: 'mcp', credentials: 'mcp' } },
      async (request, reply) => {
        if (request.method === 'OPTIONS') {
          const headers = { ...answerHeaders(request, options), ...CORS_HEADERS }
          return reply
            .code(204)
            .headers({ ...headers, allow: 'POST, OPTIONS' })
            .send()
        }
        try {
          return await post(request, reply, options)
        } catch (error) {
          if (!hasCode(error, 'ABORTED')) throw error
          // Nobody is there any more.
          return reply.hijack()
        }
      },
    )
  })
}
