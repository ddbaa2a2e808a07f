// The route `/mcp`: checks origin, body size and quota, sets CORS headers, and passes the request to the SDK. It has no sessions.
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { PAGE_HEADERS } from '../../../infra/base/html/page-frame.tsx'
import { getBody } from '../../../infra/base/http/bodies.ts'
import { type Fault, HttpError } from '../../../infra/base/http/errors.ts'
import { allowOrigins, type Headers, NO_SNIFF, NO_STORE } from '../../../infra/base/http/headers.ts'
import { countRequest, createRequestHeaders } from '../../../infra/base/http/limits/rate-limit.ts'
import { createNegotiation } from '../../../infra/base/http/negotiate.ts'
import { addRoutes, type Edge, type Request, type Route } from '../../../infra/base/http/routes.ts'
import { hasCode } from '../../../infra/base/runtime/errors.ts'
import { parseStrictJson } from '../../../infra/base/runtime/strict-json.ts'
import { JSON_MEDIA_TYPE } from '../../formats/rows.ts'
import { createMcp, type Mcp } from '../../mcp/mcp.ts'
import {
  countMessages,
  describeProblem,
  invalidRequest,
  isOriginAllowed,
  McpRefusal,
  type OriginRules,
  RPC,
} from '../../mcp/requests.ts'
import { writeMcp } from '../../pages/mcp.tsx'
import { toProblem } from '../../read/problems.ts'
import { renderHtml } from '../../view/page.tsx'
import type { Service } from '../service.ts'

const MCP_PATH = '/mcp'
/** Some clients add the slash themselves. */
const MCP_PATHS = [MCP_PATH, `${MCP_PATH}/`]
/** What a client of the protocol accepts. */
const MCP_ACCEPT = 'application/json, text/event-stream'

type McpHttp = Mcp & { origins: OriginRules }

/** About a hundred times the longest valid message. */
const MAX_BODY_BYTES = 64 * 1024

const MCP_HEADERS = { ...NO_STORE, vary: 'Origin, Authorization', ...NO_SNIFF } as const
const CORS_NAMES = { allowed: ['Last-Event-ID', 'Mcp-Method', 'Mcp-Name', 'Mcp-Session-Id'] }

type Refused = { status: number; code: number; message: string; headers?: Headers }

const CODES: Readonly<Record<number, number>> = {
  400: RPC.invalidRequest,
  500: RPC.internalError,
}

/** What a client of MCP does instead. */
const REMEDIES: Partial<Record<Fault, string>> = {
  methodNotAllowed: 'Method not allowed. Clients of MCP send their messages with POST.',
  bodyTooLarge: `The body is larger than ${MAX_BODY_BYTES} bytes.`,
  unsupportedType: 'Send Content-Type: application/json.',
}

const toRefused = (error: unknown): Refused => {
  if (error instanceof McpRefusal) {
    const { code, message } = error
    // Only a refused origin throws an `McpRefusal` with this code.
    return { status: code === RPC.refused ? 403 : 400, code, message }
  }
  const remedy = error instanceof HttpError ? REMEDIES[error.fault] : undefined
  const problem = toProblem(error)
  const { status, headers } = problem
  if (remedy !== undefined) return { status, code: RPC.refused, message: remedy, headers }
  const code = CODES[status] ?? RPC.refused
  return { status, code, message: describeProblem(problem), headers }
}

const choosePage = createNegotiation(['application/json', 'text/event-stream', 'text/html'])

const isBrowser = ({ method, headers }: Request): boolean =>
  method === 'GET' && choosePage(headers.accept) === 'text/html'

/** A browser gets a page. The status stays 405, as the protocol requires for GET without a stream. */
const renderPage = ({ headers }: HttpError, { identity, origins: { baseUrl } }: McpHttp) => {
  const at = { baseUrl, serviceUrl: identity().websiteUrl, params: {} }
  return {
    status: 405,
    headers: { ...headers, ...PAGE_HEADERS, vary: 'Accept' },
    mediaType: 'text/html; charset=utf-8',
    body: renderHtml(writeMcp(at), at),
  }
}

const createMcpEdge = (options: McpHttp): Edge => {
  const { origins } = options
  const isAllowed = (headers: IncomingHttpHeaders) => isOriginAllowed(headers, origins)
  return {
    headers: MCP_HEADERS,
    cors: allowOrigins(isAllowed, CORS_NAMES),
    // The SDK checks the media type.
    bodies: { types: ['*'], maxBytes: MAX_BODY_BYTES },
    findRefusal: ({ headers }) =>
      isAllowed(headers)
        ? undefined
        : new McpRefusal(
            RPC.refused,
            'Web pages of this origin are not allowed to use this server.',
          ),
    renderError: (error, request) => {
      const { status, code, message, headers } = toRefused(error)
      if (error instanceof HttpError && status === 405 && request && isBrowser(request)) {
        return renderPage(error, options)
      }
      const body = { jsonrpc: '2.0', error: { code, message }, id: null }
      return { status, headers, mediaType: JSON_MEDIA_TYPE, body: JSON.stringify(body) }
    },
  }
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
const takeQuota = (request: Request, reply: FastifyReply, more: number): void => {
  for (let n = 0; n < more && request.limiter; n++) {
    const exceeded = countRequest(request, request.limiter)
    reply.headers(createRequestHeaders(request))
    if (exceeded) throw exceeded
  }
}

/** Request headers that the SDK reads. */
const READ_HEADERS = ['content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name']
const acceptsJson = createNegotiation(['application/json'])

/** The SDK searches `Accept` for both media types as text. It refuses a request without the field. */
const pickHeaders = ({ headers }: Request): Record<string, string> => {
  const picked = READ_HEADERS.flatMap((name) => {
    const value = headers[name]
    return value === undefined ? [] : [[name, String(value)]]
  })
  const accept = acceptsJson(headers.accept) ? [['accept', MCP_ACCEPT]] : []
  return Object.fromEntries([...picked, ...accept])
}

/** Undefined if it is not JSON: the SDK then refuses it. */
const parseBody = (request: Request): unknown => {
  const parsed = parseStrictJson(getBody(request, '*') ?? '')
  if (parsed.ok) return parsed.value
  if (parsed.isJson) throw invalidRequest(`The body ${parsed.reason}`)
  return undefined
}

const answer = async (request: Request, reply: FastifyReply, options: McpHttp) => {
  const { partsFor, instructions } = options
  const headers = pickHeaders(request)
  const body = parseBody(request)
  takeQuota(request, reply, countMessages(body, headers['mcp-protocol-version']) - 1)
  const identity = options.identity()
  // The SDK is large, so the first request loads it.
  const { exchange } = await import('../../mcp/server.ts')
  const url = `${identity.websiteUrl}${MCP_PATH}`
  const answered = await exchange(
    { ...partsFor(request.ip), identity, instructions: instructions() },
    { url, headers, body },
    createDisconnectSignal(reply),
  )
  const { status, text } = answered
  const type = answered.headers.get('content-type')
  if (type !== null) reply.header('content-type', type)
  reply.code(status)
  return text === '' ? reply.send() : reply.send(text)
}

const handle = async (request: Request, reply: FastifyReply, options: McpHttp) => {
  try {
    return await answer(request, reply, options)
  } catch (error) {
    if (!hasCode(error, 'ABORTED')) throw error
    // The client has disconnected.
    return reply.hijack()
  }
}

export const addMcp = (app: FastifyInstance, options: Service): void => {
  const { baseUrl, getServiceUrl, mcpAllowedOrigins: allowed } = options
  const mcp = createMcp(options, () => getServiceUrl() ?? 'http://localhost')
  const http = { ...mcp, origins: { baseUrl, allowed } }
  const createRoute = (path: string): Route => ({
    path,
    operation: 'mcp',
    credentials: 'mcp',
    handlers: { POST: (request, reply) => handle(request, reply, http) },
  })
  addRoutes(app, createMcpEdge(http), MCP_PATHS.map(createRoute))
}
