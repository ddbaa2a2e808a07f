// Handles all revisions of the protocol with the MCP SDK: 2026-07-28 without a handshake, earlier revisions with one.
// Each exchange has its own server. `methods.ts` has the methods. Only this file imports the SDK.
import {
  createMcpHandler,
  isLegacyRequest,
  type JSONRPCRequest,
  type Result,
  Server,
  type ServerContext,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { withDeadline } from '../../infra/base/runtime/retry.ts'
import { HANDSHAKE_VERSIONS, type McpIdentity } from './identity.ts'
import type { McpMethods } from './methods.ts'
import { invalidParams, RPC } from './refusal.ts'

export type ExchangeParts = { identity: McpIdentity; instructions: string; methods: McpMethods }

export type Exchange = {
  url: string
  headers: Readonly<Record<string, string>>
  /** Parsed; undefined if it is not JSON. */
  body: unknown
}
export type ExchangeAnswer = { status: number; headers: Headers; text: string }

/** Above the deadline of each method. */
const EXCHANGE_DEADLINE_MS = 25_000

const CAPABILITIES = { tools: {}, resources: {}, prompts: {}, completions: {} }

/** These lists change with a release only. */
const LIST_CACHE = { ttlMs: 300_000, cacheScope: 'public' } as const
const CACHE_HINTS = {
  'server/discover': LIST_CACHE,
  'tools/list': LIST_CACHE,
  'resources/templates/list': LIST_CACHE,
  'prompts/list': LIST_CACHE,
}

/** Each method checks its own parameters, and its errors say what is expected. */
const UNCHECKED = {
  '~standard': { version: 1, vendor: 'rollcall', validate: (value: unknown) => ({ value }) },
} as const

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>

class MethodServer extends Server {
  /** The SDK would turn invalid arguments into a protocol error. An agent needs a result that says how to correct them. */
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    return method === 'tools/call' ? handler : super._wrapHandler(method, handler)
  }
}

const isMissingResource = (error: { code: number; data?: unknown }): boolean =>
  error.code === RPC.invalidParams && Object.keys(error.data ?? {}).join() === 'uri'

type Sent = Parameters<WebStandardStreamableHTTPServerTransport['send']>

class HandshakeTransport extends WebStandardStreamableHTTPServerTransport {
  /** Before 2026-07-28 a missing resource had its own code; the SDK sends the new one in every revision. */
  override send(...[message, options]: Sent): Promise<void> {
    const isMissing = 'error' in message && isMissingResource(message.error)
    return super.send(
      isMissing ? { ...message, error: { ...message.error, code: RPC.resourceNotFound } } : message,
      options,
    )
  }
}

const handshakeVersion = (requested: unknown): string => {
  if (typeof requested !== 'string') throw invalidParams('protocolVersion must be a string.')
  return HANDSHAKE_VERSIONS.find((version) => version === requested) ?? HANDSHAKE_VERSIONS[0]
}

const createServer = ({ identity, instructions, methods }: ExchangeParts): Server => {
  const server = new MethodServer(identity, {
    capabilities: CAPABILITIES,
    instructions,
    cacheHints: CACHE_HINTS,
    supportedProtocolVersions: [...HANDSHAKE_VERSIONS],
  })
  for (const [name, answer] of methods) {
    server.setRequestHandler(name, { params: UNCHECKED }, async (params, { mcpReq }) => ({
      ...(await answer(params as Readonly<Record<string, unknown>>, mcpReq.signal)),
    }))
  }
  // The handler of the SDK would turn invalid parameters into an internal error.
  server.setRequestHandler('initialize', { params: UNCHECKED }, (params) => ({
    protocolVersion: handshakeVersion((params as { protocolVersion?: unknown }).protocolVersion),
    capabilities: CAPABILITIES,
    serverInfo: identity,
    instructions,
  }))
  // Only a message of the same batch could cancel another, and the batch would then never be complete.
  server.removeNotificationHandler('notifications/cancelled')
  return server
}

/** Responds with JSON; the SDK's own handler for these revisions responds with event streams only. */
const respondWithHandshake = async (
  server: Server,
  request: Request,
  options: { parsedBody?: unknown },
): Promise<Response> => {
  // Without a session id the transport is stateless.
  const transport = new HandshakeTransport({ enableJsonResponse: true })
  await server.connect(transport)
  return transport.handleRequest(request, options)
}

/** Rejects with `ABORTED` if the client has disconnected. */
export const exchange = async (
  parts: ExchangeParts,
  { url, headers, body }: Exchange,
  signal: AbortSignal,
): Promise<ExchangeAnswer> => {
  const server = createServer(parts)
  const request = new Request(url, { method: 'POST', headers, signal })
  const options = body === undefined ? {} : { parsedBody: body }
  const respond = async (): Promise<Response> => {
    const hasHandshake = await isLegacyRequest(request, body)
    return hasHandshake
      ? respondWithHandshake(server, request, options)
      : createMcpHandler(() => server, { legacy: 'reject' }).fetch(request, options)
  }
  try {
    const response = await withDeadline(EXCHANGE_DEADLINE_MS, signal, respond)
    const text = await response.text()
    // The response to a batch is a batch, also with one entry (JSON-RPC 2.0, section 6). The SDK unwraps this entry.
    const isUnwrapped = response.status === 200 && Array.isArray(body) && !text.startsWith('[')
    return {
      status: response.status,
      headers: response.headers,
      text: isUnwrapped ? `[${text}]` : text,
    }
  } finally {
    // Also ends methods that are still running.
    await server.close()
  }
}
