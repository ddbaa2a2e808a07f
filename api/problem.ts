// Every problem the read API answers with (RFC 9457): its code, status and title, in one list.

import { hasCode } from '../infra/runtime/errors.ts'
import type { ParameterError, ProblemBody } from './schemas/problem.ts'

export const PROBLEMS = {
  'invalid-parameter': {
    status: 400,
    title: 'A parameter is not valid',
    meaning: 'Each entry of `errors` names a parameter and says what would be right.',
  },
  'token-not-in-header': {
    status: 400,
    title: 'A token belongs into the Authorization header',
    meaning: 'Tokens in addresses end up in logs and histories, so they are refused there.',
  },
  'bad-request': {
    status: 400,
    title: 'The request cannot be read',
    meaning: 'The address or the request itself is malformed.',
  },
  'invalid-token': {
    status: 401,
    title: 'The bearer token is not valid',
    meaning: 'Send a valid token, or none: reading needs none.',
  },
  'proposal-not-found': {
    status: 404,
    title: 'There is no such proposal',
    meaning: 'No proposal with this id is known at the height that is served.',
  },
  'message-bytes-not-found': {
    status: 404,
    title: 'There are no such bytes',
    meaning:
      'No field of this message has bytes of its own at this path. A field that has them is `{ sha256, size, href }` in `messages`; `href` is their address.',
  },
  'pool-not-found': {
    status: 404,
    title: 'There is no such pool',
    meaning: 'No pool with this operator address is known at the height that is served.',
  },
  'round-not-found': {
    status: 404,
    title: 'There is no such round of this vote',
    meaning: 'The proposal has had fewer voting rounds than the one asked for.',
  },
  'proof-not-found': {
    status: 404,
    title: 'There is no such proof',
    meaning:
      'A proof is there two heights after a submission and after the end of each round of voting; `detail` says when it comes, or why there is none.',
  },
  'light-block-not-found': {
    status: 404,
    title: 'There is no light block of this height',
    meaning: '`detail` names the nearest heights that have one; `/api/light-blocks` lists all.',
  },
  'validators-not-found': {
    status: 404,
    title: 'There is no such validator set',
    meaning: 'No light block at the height that is served was signed by a set with this hash.',
  },
  'route-not-found': {
    status: 404,
    title: 'There is nothing at this path',
    meaning: 'The path names no resource of this service.',
  },
  'not-acceptable': {
    status: 406,
    title: 'There is no such representation',
    meaning: '`detail` names the media types there are; without Accept the answer is JSON.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'This path is read only',
    meaning: 'The `Allow` header names the methods there are.',
  },
  'cursor-expired': {
    status: 410,
    title: 'This cursor leads nowhere any more',
    meaning:
      'The tables it points into were rebuilt and are gone. Start again from the first page; a walk begun before a rebuild has 15 minutes to end.',
  },
  'uri-too-long': {
    status: 414,
    title: 'The address is too long',
    meaning: 'No address of this service needs more than 4,096 bytes.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    meaning: 'The quota in `RateLimit-Policy` is used up; `Retry-After` says when it is renewed.',
  },
  'too-many-streams': {
    status: 429,
    title: 'Too many streams of one address',
    meaning:
      'One stream carries the changes of all proposals: listen once and share what it tells.',
  },
  'internal-error': {
    status: 500,
    title: 'Something went wrong here',
    meaning: 'Not the fault of the request; operators find it under its `requestId`.',
  },
  'store-unavailable': {
    status: 503,
    title: 'The data cannot be read at the moment',
    meaning: 'The read store does not answer. Try again after `Retry-After`.',
  },
  'tokens-uncheckable': {
    status: 503,
    title: 'Tokens cannot be checked at the moment',
    meaning: 'Which tokens were revoked is not known. Reading needs none: leave Authorization out.',
  },
  'nothing-projected': {
    status: 503,
    title: 'No height was indexed yet',
    meaning: 'The service has just begun to index this chain. Try again after `Retry-After`.',
  },
  settling: {
    status: 503,
    title: 'Facts of a later height are being written',
    meaning: 'No answer would be of one height. Try again after `Retry-After`.',
  },
  'streams-exhausted': {
    status: 503,
    title: 'Too many listeners',
    meaning: 'No more clients can listen here. Try again after `Retry-After`; pages are answered.',
  },
  overloaded: {
    status: 503,
    title: 'Too many readings at a time',
    meaning: 'The service is at its limit for everyone. Try again after `Retry-After`.',
  },
} as const satisfies Record<string, { status: number; title: string; meaning: string }>

export type ProblemCode = keyof typeof PROBLEMS

export const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(PROBLEMS, code)

export type ProblemOptions = {
  errors?: readonly ParameterError[]
  headers?: Readonly<Record<string, string>>
}

/** An answer that is a problem: thrown or returned, shaped in one place only. */
export class ApiProblem extends Error {
  readonly code: ProblemCode
  readonly errors: readonly ParameterError[] | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ProblemCode, detail: string, options: ProblemOptions = {}) {
    super(detail)
    this.name = 'ApiProblem'
    this.code = code
    this.errors = options.errors
    // What a 503 tells of passes within moments.
    const retryAfter: Record<string, string> =
      PROBLEMS[code].status === 503 ? { 'retry-after': '1' } : {}
    this.headers = { ...retryAfter, ...options.headers }
  }
}

/** The body: `type` resolves to a page that explains the code. */
export const createProblemBody = (
  problem: ApiProblem,
  at: { baseUrl: string; requestId: string },
): ProblemBody => ({
  type: `${at.baseUrl}/problems/${problem.code}`,
  title: PROBLEMS[problem.code].title,
  status: PROBLEMS[problem.code].status,
  detail: problem.message,
  code: problem.code,
  requestId: at.requestId,
  ...(problem.errors ? { errors: [...problem.errors] } : {}),
})

export const tokenNotInHeader = (): ApiProblem =>
  new ApiProblem(
    'token-not-in-header',
    'A token in the address ends up in logs. Send it as Authorization: Bearer <token>.',
  )

/** The problem that an error of any kind is answered with. */
export const toProblem = (error: unknown): ApiProblem => {
  if (error instanceof ApiProblem) return error
  if (hasCode(error, 'STORE_UNAVAILABLE') || hasCode(error, 'DEADLINE_EXCEEDED')) {
    return new ApiProblem(
      'store-unavailable',
      'The read store does not answer. Try again in a moment.',
    )
  }
  const { statusCode } = error as { statusCode?: number }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new ApiProblem('bad-request', 'The address or the request itself is malformed.')
  }
  return new ApiProblem('internal-error', 'The request was right; answering it failed.')
}
