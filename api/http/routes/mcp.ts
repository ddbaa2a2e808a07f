// The route `/mcp`: checks origin, body size and quota, sets CORS headers, and passes the request to the SDK. It has no sessions.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PAGE_FIELDS } from '../../../infra/base/html/page-frame.ts'
import { listeningUrl } from '../../../infra/base/http/listening-url.ts'
import { createNegotiation } from '../../../infra/base/http/negotiate.ts'
import { answerOtherMethods, type OtherMethods } from '../../../infra/base/http/other-methods.ts'
import { hasCode } from '../../../infra/base/runtime/errors.ts'
import type { Logger } from '../../../infra/base/runtime/logger.ts'
import { parseStrictJson } from '../../../infra/base/runtime/strict-json.ts'
import { mcpHtml } from '../../html/mcp.ts'
import { countMessages } from '../../mcp/batches.ts'
import { createMcp, type Mcp, type McpOptions } from '../../mcp/mcp.ts'
import { isOriginAllowed, type OriginRules } from '../../mcp/origins.ts'
import { describeProblem, invalidRequest, McpRefusal, RPC } from '../../mcp/refusal.ts'
import { PROBLEMS, toProblem } from '../../problem.ts'
import { requestHeaders } from '../headers.ts'
import { countRequest } from '../rate-limit-hook.ts'
import { setFields } from '../send.ts'

const MCP_PATH = '/mcp'
/** Some clients add the slash themselves. */
const MCP_PATHS = [MCP_PATH, `${MCP_PATH}/`]
/** What a client of the protocol accepts. */
const MCP_ACCEPT = 'application/json, text/event-stream'

type McpHttp = Mcp & { origins: OriginRules; count: (status: number) => void; logger: Logger }

/** About a hundred times the longest valid message. */
const MAX_BODY_BYTES = 64 * 1024

const CORS_HEADERS = {
  'access-control-allow-headers':
    'Accept, Authorization, Content-Type, Last-Event-ID, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id',
  'access-control-max-age': '86400',
} as const
const EXPOSED = 'RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id'

type ErrorResponse = { status: number; code: number; message: string; headers?: object }

const CODES: Readonly<Record<number, number>> = {
  400: RPC.invalidRequest,
  500: RPC.internalError,
}

/** By the status with which Fastify rejects a body. */
const REJECTED_BODIES: Readonly<Record<number, string>> = {
  413: `The body is larger than ${MAX_BODY_BYTES} bytes.`,
  415: 'Send Content-Type: application/json.',
}

class MethodRefusal extends Error {
  readonly headers: Readonly<Record<string, string>>

  constructor(allow: string) {
    super('Method not allowed. Clients of MCP send their messages with POST.')
    this.headers = { allow }
  }
}

const toErrorResponse = (error: unknown): ErrorResponse => {
  if (error instanceof MethodRefusal) {
    const { message, headers } = error
    return { status: 405, code: RPC.refused, message, headers }
  }
  if (error instanceof McpRefusal) {
    const { code, message } = error
    // Only a refused origin throws an `McpRefusal` with this code.
    return { status: code === RPC.refused ? 403 : 400, code, message }
  }
  const { statusCode = 0 } = error as { statusCode?: number }
  const rejection = REJECTED_BODIES[statusCode]
  if (rejection !== undefined) return { status: statusCode, code: RPC.refused, message: rejection }
  const problem = toProblem(error)
  const { status } = PROBLEMS[problem.code]
  const code = CODES[status] ?? RPC.refused
  return { status, code, message: describeProblem(problem), headers: problem.headers }
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

const choosePage = createNegotiation(['application/json', 'text/event-stream', 'text/html'])

/** A browser gets a page. The status stays 405, as the protocol requires for GET without a stream. */
const sendPage = (
  error: MethodRefusal,
  request: FastifyRequest,
  reply: FastifyReply,
  options: McpHttp,
) => {
  const { websiteUrl } = options.identity()
  options.count(405)
  reply.code(405).headers({ ...answerHeaders(request, options), ...error.headers, vary: 'Accept' })
  setFields(reply, PAGE_FIELDS)
  const at = { baseUrl: options.origins.baseUrl, serviceUrl: websiteUrl, params: {} }
  return reply.header('content-type', 'text/html; charset=utf-8').send(mcpHtml(at))
}

const addErrors = (scope: FastifyInstance, options: McpHttp): void => {
  scope.setErrorHandler((error, request, reply) => {
    const isPage = request.method === 'GET' && choosePage(request.headers.accept) === 'text/html'
    if (isPage && error instanceof MethodRefusal) return sendPage(error, request, reply, options)
    const { status, code, message, headers = {} } = toErrorResponse(error)
    if (status === 500) options.logger.error({ error, requestId: request.id }, 'failed to answer')
    options.count(status)
    const body = { jsonrpc: '2.0', error: { code, message }, id: null }
    return reply
      .code(status)
      .headers({ ...answerHeaders(request, options), ...headers })
      .header('content-type', 'application/json; charset=utf-8')
      .send(JSON.stringify(body))
  })
}

/** Aborts when the client disconnects before its response. */
const createDisconnectSignal = (reply: FastifyReply): AbortSignal => {
  const controller = new AbortController()
  if (reply.raw.destroyed) controller.abort()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort()
  })
  return controller.signal
}

/** Every message of a batch counts. The request itself was the first. */
const takeQuota = (request: FastifyRequest, more: number): void => {
  for (let n = 0; n < more && request.limiter; n++) {
    const exceeded = countRequest(request, request.limiter)
    if (exceeded) throw exceeded
  }
}

/** Request headers that the SDK reads. */
const READ_HEADERS = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name']
/** Headers of the SDK that the response keeps. */
const KEPT_HEADERS = ['content-type']

/** Omits names without a value. */
const pickHeaders = (
  names: readonly string[],
  read: (name: string) => string | string[] | null | undefined,
): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = read(name) ?? undefined
      return value === undefined ? [] : [[name, String(value)]]
    }),
  )

const acceptsJson = createNegotiation(['application/json'])

/** The SDK searches the field for both media types as text. It refuses a request without the field. */
const negotiated = (headers: Record<string, string>): Record<string, string> => {
  const { accept, ...others } = headers
  return acceptsJson(accept) ? { ...others, accept: MCP_ACCEPT } : others
}

/** Undefined if it is not JSON: the SDK then refuses it. */
const parseBody = (request: FastifyRequest): unknown => {
  const parsed = parseStrictJson(String(request.body ?? ''))
  if (parsed.ok) return parsed.value
  if (parsed.isJson) throw invalidRequest(`The body ${parsed.reason}`)
  return undefined
}

const answer = async (request: FastifyRequest, reply: FastifyReply, options: McpHttp) => {
  const { methodsFor, instructions } = options
  const headers = negotiated(pickHeaders(READ_HEADERS, (name) => request.headers[name]))
  const body = parseBody(request)
  takeQuota(request, countMessages(body, headers['mcp-protocol-version']) - 1)
  const identity = options.identity()
  // The SDK is large, so the first request loads it.
  const { exchange } = await import('../../mcp/sdk-server.ts')
  const url = `${identity.websiteUrl}${MCP_PATH}`
  const answered = await exchange(
    { identity, instructions: instructions(), methods: methodsFor(request.ip) },
    { url, headers, body },
    createDisconnectSignal(reply),
  )
  const { status, text } = answered
  options.count(status)
  const kept = pickHeaders(KEPT_HEADERS, (name) => answered.headers.get(name))
  reply.code(status).headers({ ...answerHeaders(request, options), ...kept })
  return text === '' ? reply.send() : reply.send(text)
}

const handle = async (request: FastifyRequest, reply: FastifyReply, options: McpHttp) => {
  try {
    return await answer(request, reply, options)
  } catch (error) {
    if (!hasCode(error, 'ABORTED')) throw error
    // The client has disconnected.
    return reply.hijack()
  }
}

const createOtherMethods = (options: McpHttp): OtherMethods => ({
  optionsHeaders: (request, allow) => ({
    ...answerHeaders(request, options),
    ...CORS_HEADERS,
    'access-control-allow-methods': allow,
  }),
  createError: (_method, allow) => new MethodRefusal(allow),
})

/** In its own scope, because it has its own body parser and error format. */
const addMcpRoute = (app: FastifyInstance, options: McpHttp): void => {
  void app.register(async (scope) => {
    addErrors(scope, options)
    scope.removeAllContentTypeParsers()
    const parsing = { parseAs: 'string', bodyLimit: MAX_BODY_BYTES } as const
    scope.addContentTypeParser('*', parsing, (_request, text, done) => done(null, text))
    scope.addHook('onRequest', async (request) => {
      if (isOriginAllowed(request.headers, options.origins)) return
      throw new McpRefusal(
        RPC.refused,
        'Web pages of this origin are not allowed to use this server.',
      )
    })
    const config = { operation: 'mcp', credentials: 'mcp' } as const
    answerOtherMethods(scope, createOtherMethods(options), () => {
      for (const path of MCP_PATHS) {
        scope.post(path, { config }, (request, reply) => handle(request, reply, options))
      }
    })
  })
}

export const addMcp = (
  app: FastifyInstance,
  options: McpOptions & {
    /** Origins of web pages that may use the server besides its own. */
    mcpAllowedOrigins: readonly string[]
  },
): void => {
  const { baseUrl, logger, metrics } = options
  const origin = () => baseUrl || listeningUrl(app.server) || 'http://localhost'
  addMcpRoute(app, {
    ...createMcp(options, origin),
    origins: { baseUrl, allowed: options.mcpAllowedOrigins },
    count: metrics.answers('mcp'),
    logger,
  })
}
