// All problems of the read API (RFC 9457) with code, status, title and meaning.

import { type Fault, HttpError } from '../../infra/base/http/errors.ts'
import { hasCode } from '../../infra/base/runtime/errors.ts'
import type { ParameterError, ProblemBody, ProblemLinks } from '../schemas/problem.ts'

/** A call of a tool that failed: its name, its arguments as they were sent, and the newest proposal, if there is one. */
export type FailedCall = {
  name: string
  given: Readonly<Record<string, unknown>>
  newestProposal: string | undefined
}

type Problem = {
  status: number
  title: string
  meaning: string
  /** What a model does next; null if no other call would have a result. By default it depends on the status. */
  remedy?: (call: FailedCall) => string | null
}

export const PROBLEMS = {
  'invalid-parameter': {
    status: 400,
    title: 'Invalid parameter',
    meaning: '`errors` lists each invalid parameter with the value that is expected.',
    remedy: ({ name }) => `Correct the arguments of ${name} and call it again.`,
  },
  'token-not-in-header': {
    status: 400,
    title: 'Token outside the Authorization header',
    meaning: 'A token in a URL ends up in logs. Send it in the `Authorization` header.',
  },
  'bad-request': {
    status: 400,
    title: 'Malformed request',
    meaning: 'The URL or another part of the request is malformed.',
  },
  'invalid-token': {
    status: 401,
    title: 'Invalid bearer token',
    meaning: 'Send a valid token or none. Reading needs no token.',
  },
  'proposal-not-found': {
    status: 404,
    title: 'Proposal not found',
    meaning: 'No proposal with this id exists at the indexed height.',
    remedy: ({ newestProposal }) =>
      newestProposal === undefined
        ? 'No proposal is indexed yet; get_service_status has the indexed height.'
        : `The newest proposal is ${newestProposal}; list_proposals lists all of them.`,
  },
  'message-bytes-not-found': {
    status: 404,
    title: 'Message bytes not found',
    meaning:
      'The message has no separate bytes at this path. A field with separate bytes is `{ sha256, size, href }` in `messages`; `href` is the URL of the bytes.',
  },
  'event-not-found': {
    status: 404,
    title: 'Event not found',
    meaning:
      'The proposal has no event with this height and index up to the indexed height. `height` and `index` are members of the event.',
  },
  'pool-not-found': {
    status: 404,
    title: 'Pool not found',
    meaning: 'No pool with this operator address exists at the indexed height.',
    remedy: () => 'list_pools lists all pools.',
  },
  'foreign-address': {
    status: 404,
    title: 'Not an address of this chain',
    meaning:
      '`detail` has the prefix of the addresses of this chain, and the address with the same bytes if there is one.',
    remedy: () => null,
  },
  'round-not-found': {
    status: 404,
    title: 'Voting round not found',
    meaning: 'The requested round is higher than the number of voting rounds of the proposal.',
    remedy: () => 'Omit round for the current round.',
  },
  'proof-not-found': {
    status: 404,
    title: 'Proof not found',
    meaning:
      'A proof is available two heights after the submission and after the end of each voting round. `detail` says when it becomes available, or why there is none.',
    remedy: ({ given }) =>
      (given['round'] ?? null) === null ? null : 'Omit round for the latest proof.',
  },
  'light-block-not-found': {
    status: 404,
    title: 'Light block not found',
    meaning: '`detail` has the nearest heights with a light block; `/api/light-blocks` lists all.',
  },
  'validators-not-found': {
    status: 404,
    title: 'Validator set not found',
    meaning: 'No validator set with this hash signed a light block up to the indexed height.',
  },
  'data-file-not-found': {
    status: 404,
    title: 'Data file not found',
    meaning: 'There is no file with this name, or no longer. `/api/data` lists all files.',
  },
  'route-not-found': {
    status: 404,
    title: 'Path not found',
    meaning: 'This service has no resource at this path.',
  },
  'not-acceptable': {
    status: 406,
    title: 'No acceptable media type',
    meaning: '`detail` lists the available media types. Without `Accept` the response is JSON.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    meaning: 'The path is read only. The `Allow` header lists the allowed methods.',
  },
  'cursor-expired': {
    status: 410,
    title: 'The cursor has expired',
    meaning:
      'The tables of this cursor were rebuilt and deleted. Start again from the first page. A cursor stays valid for 15 minutes after a rebuild.',
    remedy: ({ name }) => `Call ${name} without cursor.`,
  },
  'uri-too-long': {
    status: 414,
    title: 'URL too long',
    meaning: 'A URL of this service has at most 4,096 bytes.',
  },
  'range-not-satisfiable': {
    status: 416,
    title: 'Range not satisfiable',
    meaning: 'The file ends before the requested range. `Content-Range` has its size.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    meaning:
      'The quota in `RateLimit-Policy` is used up. It is renewed after `Retry-After` seconds.',
  },
  'too-many-streams': {
    status: 429,
    title: 'Too many streams from one address',
    meaning: 'One stream has the changes of all proposals: open one stream and share its events.',
  },
  'internal-error': {
    status: 500,
    title: 'Internal error',
    meaning: 'The request was valid. Operators find the error in the log by its `requestId`.',
  },
  'store-unavailable': {
    status: 503,
    title: 'Data temporarily unavailable',
    meaning: 'The database does not respond. Try again after `Retry-After` seconds.',
  },
  'tokens-uncheckable': {
    status: 503,
    title: 'Token check temporarily unavailable',
    meaning: 'The revoked tokens are not known. Reading needs no token: omit `Authorization`.',
  },
  'nothing-projected': {
    status: 503,
    title: 'No height is indexed yet',
    meaning:
      'The service has just started to index, or the chain has no block yet. Try again after `Retry-After` seconds.',
  },
  settling: {
    status: 503,
    title: 'A new height is being written',
    meaning: 'A response would mix two heights. Try again after `Retry-After` seconds.',
  },
  'streams-exhausted': {
    status: 503,
    title: 'Too many streams',
    meaning:
      'The service has reached its limit of open streams. Try again after `Retry-After` seconds. Other requests are not affected.',
  },
  overloaded: {
    status: 503,
    title: 'Too many concurrent reads',
    meaning: 'The service has reached its limit of reads. Try again after `Retry-After` seconds.',
  },
} as const satisfies Record<string, Problem>

export type ProblemCode = keyof typeof PROBLEMS

/** A sentence, or null. */
export const describeRemedy = (code: ProblemCode, call: FailedCall): string | null => {
  const { status, remedy }: Problem = PROBLEMS[code]
  if (remedy) return remedy(call)
  return status === 503
    ? 'The call is valid: repeat it after a second.'
    : 'get_service_status has the status of the service.'
}

export const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(PROBLEMS, code)

export type ProblemOptions = {
  errors?: readonly ParameterError[]
  /** The value with which the request is right. */
  instead?: { parameter: string; value: string } | undefined
  links?: ProblemLinks | undefined
  headers?: Readonly<Record<string, string>>
  /** For a code with several statuses. */
  status?: number
}

/** An error that becomes a problem response. */
export class ApiProblem extends Error {
  readonly code: ProblemCode
  readonly status: number
  readonly errors: readonly ParameterError[] | undefined
  readonly instead: ProblemOptions['instead']
  /** Paths. */
  readonly links: ProblemLinks | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ProblemCode, detail: string, options: ProblemOptions = {}) {
    super(detail)
    this.name = 'ApiProblem'
    this.code = code
    this.status = options.status ?? PROBLEMS[code].status
    this.errors = options.errors
    this.instead = options.instead
    this.links = options.links
    // The cause of a 503 usually ends within a second.
    const retryAfter: Record<string, string> = this.status === 503 ? { 'retry-after': '1' } : {}
    this.headers = { ...retryAfter, ...options.headers }
  }
}

const withBaseUrl = (links: ProblemLinks, baseUrl: string): ProblemLinks =>
  Object.fromEntries(Object.entries(links).map(([name, path]) => [name, baseUrl + path]))

/** The body of the response: `type` is the URL of a page that explains the code. */
export const createProblemBody = (
  problem: ApiProblem,
  at: { baseUrl: string; requestId: string },
): ProblemBody => ({
  type: `${at.baseUrl}/problems/${problem.code}`,
  title: PROBLEMS[problem.code].title,
  status: problem.status,
  detail: problem.message,
  code: problem.code,
  requestId: at.requestId,
  ...(problem.errors ? { errors: [...problem.errors] } : {}),
  ...(problem.links ? { links: withBaseUrl(problem.links, at.baseUrl) } : {}),
})

export const tokenNotInHeader = (): ApiProblem =>
  new ApiProblem(
    'token-not-in-header',
    'A token in the URL ends up in logs. Send it as Authorization: Bearer <token>.',
  )

/** Faults without a code of their own are malformed requests. */
const FAULT_CODES: Partial<Record<Fault, ProblemCode>> = {
  notFound: 'route-not-found',
  methodNotAllowed: 'method-not-allowed',
  uriTooLong: 'uri-too-long',
  rateLimited: 'rate-limited',
}

/** The problem for an error of any type. */
export const toProblem = (error: unknown): ApiProblem => {
  if (error instanceof ApiProblem) return error
  if (error instanceof HttpError) {
    const { fault, message, status, headers } = error
    return new ApiProblem(FAULT_CODES[fault] ?? 'bad-request', message, { status, headers })
  }
  if (hasCode(error, 'STORE_UNAVAILABLE') || hasCode(error, 'DEADLINE_EXCEEDED')) {
    return new ApiProblem(
      'store-unavailable',
      'The database does not respond. Try again in a moment.',
    )
  }
  return new ApiProblem('internal-error', 'The request was valid, but an error occurred.')
}
