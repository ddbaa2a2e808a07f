// Handles all revisions of the protocol with the MCP SDK: 2026-07-28 without a handshake, earlier revisions with one.
// Each exchange has its own server, on which the tools, resources and prompts are registered. Only this file imports the SDK.
import {
  createMcpHandler,
  isLegacyRequest,
  McpServer,
  ResourceTemplate,
  type StandardSchemaWithJSON,
  UriTemplate,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { TObject } from 'typebox'
import { Compile } from 'typebox/compile'
import { withDeadline } from '../../infra/base/runtime/retry.ts'
import { isJsonObject } from '../../ingest/contract/json.ts'
import { isAbsent } from './arguments.ts'
import { HANDSHAKE_VERSIONS, type McpIdentity } from './identity.ts'
import { RPC } from './requests.ts'
import { listResources, PROMPTS, RESOURCE_TEMPLATES, readResource } from './resources.ts'
import { callTool, type McpParts, refuseUnlessExpected } from './tool-results.ts'
import { TOOLS } from './tools.ts'

export type ExchangeParts = McpParts & { identity: McpIdentity; instructions: string }

export type Exchange = {
  url: string
  headers: Readonly<Record<string, string>>
  /** Parsed; undefined if it is not JSON. */
  body: unknown
}
export type ExchangeAnswer = { status: number; headers: Headers; text: string }

/** Above the deadline of a tool. */
const EXCHANGE_DEADLINE_MS = 25_000

const LISTS = { listChanged: false }
const CAPABILITIES = { tools: LISTS, resources: LISTS, prompts: LISTS }

/** These lists change with a release only. */
const LIST_CACHE = { ttlMs: 300_000, cacheScope: 'public' } as const
const CACHE_HINTS = {
  'server/discover': LIST_CACHE,
  'tools/list': LIST_CACHE,
  'resources/templates/list': LIST_CACHE,
  'prompts/list': LIST_CACHE,
}

type Given = Readonly<Record<string, unknown>>

const withoutEmpty = (value: Given, isIt: (name: string) => boolean): Given =>
  Object.fromEntries(Object.entries(value).filter(([name, each]) => !isIt(name) || !isAbsent(each)))

type Check = (value: Given) => { value: Given } | { issues: { message: string }[] }

const toSchema = (schema: TObject, validate: Check): StandardSchemaWithJSON<Given> => {
  const json = () => schema as unknown as Record<string, unknown>
  const check = (value: unknown) => validate(value as Given)
  const jsonSchema = { input: json, output: json }
  return { '~standard': { version: 1, vendor: 'rollcall', validate: check, jsonSchema } }
}

/** A tool checks its arguments itself, because its errors say how to correct them. */
const unchecked = (schema: TObject) => toSchema(schema, (value) => ({ value }))

const checked = (schema: TObject) => {
  const compiled = Compile(schema)
  return toSchema(schema, (sent) => {
    const value = withoutEmpty(sent, () => true)
    if (compiled.Check(value)) return { value }
    return {
      issues: compiled.Errors(value).map(({ instancePath, message }) => ({
        message: `${instancePath.slice(1)} ${message}`.trim(),
      })),
    }
  })
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

/** Also without its query, and with one that is refused with a reason. */
class AddressTemplate extends UriTemplate {
  override match(uri: string): ReturnType<UriTemplate['match']> {
    const [path = ''] = uri.split('?', 1)
    return super.match(path) ?? super.match(`${path}?page=0`)
  }
}

const OFFERED_TOOLS = TOOLS.map((tool) => {
  const { title, description, annotations } = tool
  const schemas = {
    inputSchema: unchecked(tool.inputSchema),
    outputSchema: unchecked(tool.outputSchema),
  }
  return { tool, shown: { title, description, annotations, ...schemas } }
})

const OFFERED_TEMPLATES = RESOURCE_TEMPLATES.map(({ name, uriTemplate, ...shown }) => {
  const address = new AddressTemplate(uriTemplate)
  return { name, shown, template: new ResourceTemplate(address, { list: undefined }) }
})

const OFFERED_PROMPTS = PROMPTS.map(({ name, argsSchema, write, ...shown }) => ({
  name,
  write,
  shown: { ...shown, argsSchema: checked(argsSchema) },
}))

const createServer = (parts: ExchangeParts): McpServer => {
  const { identity, instructions } = parts
  const mcp = new McpServer(identity, {
    capabilities: CAPABILITIES,
    instructions,
    cacheHints: CACHE_HINTS,
    supportedProtocolVersions: [...HANDSHAKE_VERSIONS],
  })
  for (const { tool, shown } of OFFERED_TOOLS) {
    mcp.registerTool(tool.name, shown, (given, { mcpReq }) =>
      callTool(tool, given, parts, mcpReq.signal),
    )
  }
  for (const { name, shown, template } of OFFERED_TEMPLATES) {
    mcp.registerResource(name, template, shown, ({ href }) =>
      refuseUnlessExpected('resources/read', parts, () => readResource(parts.sources, href)),
    )
  }
  for (const { name, shown, write } of OFFERED_PROMPTS) {
    mcp.registerPrompt(name, shown, (given) => {
      const text = write(given as Readonly<Record<string, string>>)
      return { messages: [{ role: 'user', content: { type: 'text', text } }] }
    })
  }
  // The SDK lists all resources on one page.
  mcp.server.setRequestHandler('resources/list', ({ params }) =>
    refuseUnlessExpected('resources/list', parts, () =>
      listResources(parts.sources, params?.cursor || undefined),
    ),
  )
  // Only a message of the same batch could cancel another, and the batch would then never be complete.
  mcp.server.removeNotificationHandler('notifications/cancelled')
  return mcp
}

/** Some clients send null or an empty list for what they leave out. The SDK accepts only its absence. */
const EMPTY_MEMBERS = ['_meta', 'arguments', 'cursor']

const withoutEmptyParams = (message: unknown): unknown => {
  if (!isJsonObject(message)) return message
  const given = withoutEmpty(message, (name) => name === 'params')
  const { params } = given
  if (!isJsonObject(params)) return given
  return { ...given, params: withoutEmpty(params, (name) => EMPTY_MEMBERS.includes(name)) }
}

/** Responds with JSON; the SDK's own handler for these revisions responds with event streams only. */
const respondWithHandshake = async (
  server: McpServer,
  request: Request,
  options: { parsedBody?: unknown },
): Promise<Response> => {
  // Without a session id the transport is stateless.
  const transport = new HandshakeTransport({ enableJsonResponse: true })
  await server.connect(transport)
  return transport.handleRequest(request, options)
}

const UNKNOWN_TOOL = /^Tool .* not found$/s
const TOOL_LIST = `The tools are ${TOOLS.map(({ name }) => name).join(', ')}.`

/** The SDK calls parameters of a wrong type an internal error, whose message is the JSON of its issues. */
const correctError = (answer: unknown): unknown => {
  const { error } = answer as { error?: { code: number; message: string } }
  if (!error) return answer
  if (UNKNOWN_TOOL.test(error.message)) {
    return { ...(answer as object), error: { ...error, message: `${error.message}. ${TOOL_LIST}` } }
  }
  if (error.code !== RPC.internalError || !/^\[\s*\{.*\}\s*\]$/s.test(error.message)) return answer
  const issues = JSON.parse(error.message) as { path: readonly string[]; message: string }[]
  const message = issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')
  return { ...(answer as object), error: { code: RPC.invalidParams, message } }
}

const readAnswer = async (response: Response): Promise<{ status: number; text: string }> => {
  const { status } = response
  const text = await response.text()
  if (!text.includes('"error":')) return { status, text }
  const sent = JSON.parse(text) as unknown
  if (Array.isArray(sent)) return { status, text: JSON.stringify(sent.map(correctError)) }
  const corrected = correctError(sent)
  if (corrected === sent) return { status, text }
  return { status: status === 500 ? 400 : status, text: JSON.stringify(corrected) }
}

const toAnswer = async (response: Response, isBatch: boolean): Promise<ExchangeAnswer> => {
  const { headers } = response
  const { status, text } = await readAnswer(response)
  // The response to a batch is a batch, also with one entry (JSON-RPC 2.0, section 6). The SDK unwraps this entry.
  const isUnwrapped = status === 200 && isBatch && !text.startsWith('[')
  return { status, headers, text: isUnwrapped ? `[${text}]` : text }
}

/** Rejects with `ABORTED` if the client has disconnected. */
export async function exchange(
  parts: ExchangeParts,
  { url, headers, body: sent }: Exchange,
  signal: AbortSignal,
): Promise<ExchangeAnswer> {
  const server = createServer(parts)
  const request = new Request(url, { method: 'POST', headers, signal })
  const body = Array.isArray(sent) ? sent.map(withoutEmptyParams) : withoutEmptyParams(sent)
  const options = body === undefined ? {} : { parsedBody: body }
  const respond = async (): Promise<ExchangeAnswer> => {
    const hasHandshake = await isLegacyRequest(request, body)
    const response = await (hasHandshake
      ? respondWithHandshake(server, request, options)
      : createMcpHandler(() => server, { legacy: 'reject' }).fetch(request, options))
    return toAnswer(response, Array.isArray(body))
  }
  try {
    return await withDeadline(EXCHANGE_DEADLINE_MS, signal, respond)
  } finally {
    // Also ends methods that are still running.
    await server.close()
  }
}
