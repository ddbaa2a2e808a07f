// What is refused before the SDK reads a message, such as a foreign web origin or a long batch, and the JSON-RPC errors of methods.
import { isIP } from 'node:net'
import { type ApiProblem, PROBLEMS } from '../read/problems.ts'

export const RPC = {
  invalidRequest: -32600,
  invalidParams: -32602,
  internalError: -32603,
  resourceNotFound: -32002,
  /** From the range for servers: the request was refused before the method was read. */
  refused: -32000,
} as const

export class McpRefusal extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.name = 'McpRefusal'
    this.code = code
    this.data = data
  }
}

export const invalidRequest = (message: string): McpRefusal =>
  new McpRefusal(RPC.invalidRequest, message)

export const invalidParams = (message: string): McpRefusal =>
  new McpRefusal(RPC.invalidParams, message)

/** Lists all errors, not only the first. */
export const describeProblem = (problem: ApiProblem): string => {
  const { errors, code, message } = problem
  const details = errors?.map(({ parameter, detail }) => `${parameter} ${detail}`).join('; ')
  return `${PROBLEMS[code].title}: ${details ?? message}`
}

/** For methods whose results cannot contain an error. */
export const toRefusal = (problem: ApiProblem, data: object = {}): McpRefusal => {
  const { status } = PROBLEMS[problem.code]
  const message = describeProblem(problem)
  if (status === 404) return new McpRefusal(RPC.resourceNotFound, message, data)
  // With `uri` as the only member of `data`, clients would assume a missing resource.
  const code = status < 500 ? RPC.invalidParams : RPC.internalError
  return new McpRefusal(code, message, { ...data, code: problem.code })
}

/** The only revision with batches, and the one of a client that sends no version. */
const WITH_BATCHES = '2025-03-26'
const MAX_BATCH = 20

const collectIds = (messages: readonly unknown[]): unknown[] =>
  messages
    .map((message) => (message as { id?: unknown } | null)?.id)
    .filter((id) => id !== undefined)

/** The number of messages in a parsed body. Throws `McpRefusal`. */
export const countMessages = (body: unknown, version: string = WITH_BATCHES): number => {
  if (!Array.isArray(body)) return 1
  if (version !== WITH_BATCHES) {
    throw invalidRequest(
      `Revision ${version.slice(0, 32)} has no batches: send one message per request.`,
    )
  }
  if (body.length > MAX_BATCH) {
    throw invalidRequest(`A batch has at most ${MAX_BATCH} messages.`)
  }
  const ids = collectIds(body)
  if (new Set(ids).size < ids.length) {
    throw invalidRequest('Each message of a batch must have a different id.')
  }
  return body.length
}

const getHostname = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

/**
 * Without a base URL, an origin is our own if it equals the requested host, and if this host is localhost or an IP address.
 * Other names can be pointed at this service (DNS rebinding).
 */
const isAtOwnAddress = (origin: string, host: string | undefined): boolean => {
  if (!URL.canParse(origin) || host === undefined) return false
  const url = new URL(origin)
  const name = getHostname(url)
  return url.host === host.toLowerCase() && (name === 'localhost' || isIP(name) !== 0)
}

export type OriginRules = { baseUrl: string; allowed: readonly string[] }

export const isOriginAllowed = (
  { origin, host }: { origin?: string | undefined; host?: string | undefined },
  { baseUrl, allowed }: OriginRules,
): boolean => {
  if (origin === undefined || allowed.includes(origin)) return true
  return baseUrl === '' ? isAtOwnAddress(origin, host) : origin === new URL(baseUrl).origin
}
