// What can be wrong with a request, whatever its route is. Each edge renders it in its own format.
import type { IncomingMessage } from 'node:http'

const STATUS = {
  malformed: 400,
  notFound: 404,
  methodNotAllowed: 405,
  timeout: 408,
  bodyTooLarge: 413,
  uriTooLong: 414,
  unsupportedType: 415,
  rateLimited: 429,
  headersTooLarge: 431,
} as const

export type Fault = keyof typeof STATUS

/** `headers` are those of its response. */
export class HttpError extends Error {
  readonly fault: Fault
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(fault: Fault, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.name = 'HttpError'
    this.fault = fault
    this.status = STATUS[fault]
    this.headers = headers
  }
}

export const methodNotAllowed = (method: string, allow: string): HttpError =>
  new HttpError('methodNotAllowed', `${method} is not allowed. Allowed are ${allow}.`, { allow })

/** The quota is renewed after `seconds`. */
export const rateLimited = (seconds: number): HttpError =>
  new HttpError('rateLimited', `The quota is used up. It is renewed in ${seconds} s.`, {
    'retry-after': String(seconds),
  })

/** The quota has room, but the work of one network has not. */
export const tooManyWaiting = (): HttpError =>
  new HttpError('rateLimited', 'Too many requests of this network wait for their answers.', {
    'retry-after': '1',
  })

const MALFORMED: [Fault, string] = [
  'malformed',
  'The URL or another part of the request is malformed.',
]
const BODY_FAULTS: Readonly<Record<number, [Fault, string]>> = {
  413: ['bodyTooLarge', 'The body is too large.'],
  415: ['unsupportedType', 'The media type of the body is not supported.'],
}

/** Converts the refusals of the framework. Other errors stay what they are. */
export const toHttpError = (error: unknown): unknown => {
  const { statusCode } = error as { statusCode?: number }
  if (statusCode === undefined || statusCode < 400 || statusCode >= 500) return error
  return new HttpError(...(BODY_FAULTS[statusCode] ?? MALFORMED))
}

/** By the error code of the parser of Node. */
const PARSER_FAULTS: Readonly<Record<string, [Fault, string]>> = {
  HPE_HEADER_OVERFLOW: ['headersTooLarge', 'The header fields are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['timeout', 'The request did not arrive in time.'],
}

/** For bytes that are no request. */
export const toParserError = (code = ''): HttpError =>
  new HttpError(
    ...(PARSER_FAULTS[code] ?? ['malformed', 'The bytes are not a valid HTTP request.']),
  )

/** Without what all responses of its service have. */
export type RenderedResponse = {
  status: number
  mediaType: string
  headers?: Readonly<Record<string, string>> | undefined
  body: string
}

const MAX_TARGET_BYTES = 4_096

/** Later bytes on this connection may belong to the ambiguous request. */
const CLOSING = { connection: 'close' } as const

/** Why a request is ambiguous (RFC 9112, 3.2 and 6.1), which Node does not refuse; undefined if it is not. */
export const findAmbiguity = ({ rawHeaders, headers }: IncomingMessage): string | undefined => {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  if (hosts > 1) return 'The request must have one Host field.'
  const coding = headers['transfer-encoding']
  if (coding === undefined || coding.trim().toLowerCase() === 'chunked') return undefined
  return 'The only supported transfer coding is chunked.'
}

export const findRefusal = (request: IncomingMessage): HttpError | undefined => {
  if ((request.url ?? '').length > MAX_TARGET_BYTES) {
    return new HttpError('uriTooLong', `The URL has more than ${MAX_TARGET_BYTES} bytes.`)
  }
  const ambiguity = findAmbiguity(request)
  return ambiguity === undefined ? undefined : new HttpError('malformed', ambiguity, CLOSING)
}
