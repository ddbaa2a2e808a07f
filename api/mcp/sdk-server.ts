// The revisions of the protocol that begin with a handshake, spoken by the MCP SDK: a new server for every exchange, so that
// none remembers another. What is answered is decided in `methods.ts`. The only importer of the SDK.
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { withDeadline } from '../../infra/runtime/retry.ts'
import { MCP_PROTOCOL_VERSIONS, type McpIdentity } from './identity.ts'
import type { McpMethods } from './methods.ts'
import { invalidParams } from './refusal.ts'

export type ExchangeParts = { identity: McpIdentity; instructions: string; methods: McpMethods }

/** One POST: its headers, and its body as parsed. */
export type Exchange = {
  url: string
  headers: Readonly<Record<string, string>>
  body: object | object[]
}
export type ExchangeAnswer = { status: number; text: string }

/** Above the deadline of each method. */
const EXCHANGE_DEADLINE_MS = 25_000

const CAPABILITIES = { tools: {}, resources: {}, prompts: {}, completions: {} }

/** The SDK makes a costly one for every server otherwise; only elicitation asks for it, and nothing is elicited here. */
const NO_VALIDATOR = {
  getValidator: () => {
    throw new Error('no answer of a client is validated')
  },
}

const versionFor = (params: unknown): string => {
  const asked = (params as { protocolVersion?: unknown } | undefined)?.protocolVersion
  if (typeof asked !== 'string') throw invalidParams('protocolVersion must be a string.')
  return MCP_PROTOCOL_VERSIONS.find((version) => version === asked) ?? MCP_PROTOCOL_VERSIONS[0]
}

type Message = { params?: { task?: unknown } }

/** No tasks are offered: a request for one is answered as any other, where the SDK would call it an internal error. */
const withoutTask = (message: Message): Message => {
  if (message.params?.task === undefined) return message
  const { task: _task, ...params } = message.params
  return { ...message, params }
}

const createServer = ({ identity, instructions, methods }: ExchangeParts): Server => {
  const options = { capabilities: CAPABILITIES, instructions, jsonSchemaValidator: NO_VALIDATOR }
  const server = new Server(identity, options)
  // The SDK's own handlers would answer wrong parameters with an internal error, and agree to older revisions.
  server.removeRequestHandler('initialize')
  // Only a message of the same batch could cancel one, and the batch would then wait for an answer that never comes.
  server.removeNotificationHandler('notifications/cancelled')
  server.fallbackRequestHandler = async ({ method, params }, { signal }) => {
    if (method !== 'initialize') return { ...(await methods.answer(method, params, signal)) }
    const protocolVersion = versionFor(params)
    return { protocolVersion, capabilities: CAPABILITIES, serverInfo: identity, instructions }
  }
  return server
}

/** Rejects with `ABORTED` where the client has left. */
export const exchange = async (
  parts: ExchangeParts,
  { url, headers, body }: Exchange,
  signal: AbortSignal,
): Promise<ExchangeAnswer> => {
  const server = createServer(parts)
  // Without a session id the transport is stateless.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    const request = new Request(url, { method: 'POST', headers })
    const parsedBody = Array.isArray(body) ? body.map(withoutTask) : withoutTask(body)
    const answer = () => transport.handleRequest(request, { parsedBody })
    const response = await withDeadline(EXCHANGE_DEADLINE_MS, signal, answer)
    const text = await response.text()
    // A batch is answered by a batch, of one answer too (JSON-RPC 2.0, section 6), which the SDK unwraps.
    const isAlone = Array.isArray(body) && text.startsWith('{')
    return { status: response.status, text: isAlone ? `[${text}]` : text }
  } finally {
    // Also ends what is still being answered.
    await server.close()
  }
}
