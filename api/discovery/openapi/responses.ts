// Responses of each operation for OpenAPI: success, redirect, not modified, and problems by status. Pure.

import { readFileSync } from 'node:fs'
import { locateFile } from '../../../infra/base/runtime/product-files.ts'
import { ApiProblem, createProblemBody, PROBLEMS, type ProblemCode } from '../../read/problems.ts'
import type { Operation } from '../../resources/operation.ts'
import { OPERATIONS } from '../../resources/operations.ts'
import { PARAMETERS } from '../../resources/parameters.ts'
import { findPathNames, getPathParameter } from '../../resources/path-parameters.ts'
import { ProblemBody } from '../../schemas/problem.ts'
import { type JsonSchema, refTo } from './components.ts'

/** One example response per operation, recorded from the demo chain and shortened to one item. */
const EXAMPLES = JSON.parse(
  readFileSync(locateFile('api/discovery/assets/examples.json'), 'utf8'),
) as Readonly<Record<string, unknown>>

const text = (description: string, example: string) => ({
  description,
  schema: { type: 'string', examples: [example] },
})

const count = (description: string, example: number) => ({
  description,
  schema: { type: 'integer', minimum: 0, examples: [example] },
})

export const HEADERS = {
  ETag: text('Strong entity tag of these bytes in this coding', '"k6vRBlJhV3kqGpGv0cQ0lA"'),
  'Cache-Control': text(
    'One second for data that can change, one day for final data; `private` for requests with a token',
    'public, max-age=1, stale-while-revalidate=30',
  ),
  'Cache-Control-Never': text('Always `no-store`', 'no-store'),
  RateLimit: text('Remaining quota, and seconds until it is renewed', '"default";r=1198;t=42'),
  'RateLimit-Policy': text('The quota: requests per number of seconds', '"default";q=1200;w=60'),
  'Retry-After': count('Seconds to wait before the next request; sent with every 429 and 503', 1),
  'WWW-Authenticate': text(
    'The challenge of RFC 6750, with the URL of the resource metadata (RFC 9728)',
    'Bearer realm="rollcall", error="invalid_token"',
  ),
  'Content-Disposition': text(
    'Browsers save the bytes as a file',
    'attachment; filename="proposal-7-message-0-wasm_byte_code.bin"',
  ),
  Location: text('The canonical URL of the resource', '/api/proposals/7'),
  'X-Request-Id': text('The id of the request, also in the body of every problem', 'Zy3kQ2mZ-7'),
} as const
type HeaderName = keyof typeof HEADERS

const headers = (...names: readonly HeaderName[]) =>
  Object.fromEntries(
    names.map((name) => [
      name === 'Cache-Control-Never' ? 'Cache-Control' : name,
      { $ref: `#/components/headers/${name}` },
    ]),
  )

const ALWAYS: readonly HeaderName[] = ['RateLimit', 'RateLimit-Policy', 'X-Request-Id']
const CACHED: readonly HeaderName[] = ['Cache-Control', 'ETag']
const NEVER: readonly HeaderName[] = ['Cache-Control-Never']
/** What a kind of operation sends: its header fields, and its media type where it has no JSON. */
const KINDS: Record<
  Operation['kind'],
  { fields: readonly HeaderName[]; type?: string; schema?: JsonSchema }
> = {
  // The other formats of a list are not here, because generators of clients take all of them for one answer.
  list: { fields: CACHED },
  single: { fields: CACHED },
  bytes: {
    fields: [...CACHED, 'Content-Disposition'],
    type: 'application/octet-stream',
    schema: { type: 'string', format: 'binary' },
  },
  text: { fields: CACHED, type: 'text/plain', schema: { type: 'string' } },
  fresh: { fields: NEVER },
  stream: {
    fields: NEVER,
    type: 'text/event-stream',
    schema: { type: 'string', description: 'Server-sent events (HTML standard)' },
  },
}

const PROBLEM_STATUSES: Readonly<Record<number, { meaning: string; fields?: HeaderName[] }>> = {
  400: { meaning: 'The request is not valid' },
  401: {
    meaning: 'The bearer token is not valid: send a valid token or none',
    fields: ['WWW-Authenticate'],
  },
  404: { meaning: 'The resource does not exist at the indexed height' },
  406: { meaning: 'None of the accepted media types is available' },
  410: { meaning: 'The cursor has expired: start again from the first page' },
  414: { meaning: 'The URL is too long' },
  429: { meaning: 'Too many requests', fields: ['Retry-After'] },
  500: { meaning: 'Internal error' },
  503: { meaning: 'Temporarily unavailable', fields: ['Retry-After'] },
}

const problemExample = (code: ProblemCode, baseUrl: string) => {
  const { title, meaning } = PROBLEMS[code]
  const errors = [{ parameter: 'page', detail: `must be ${PARAMETERS.page.description}` }]
  const isParameter = code === 'invalid-parameter'
  const detail = isParameter ? `page must be ${PARAMETERS.page.description}` : meaning
  const problem = new ApiProblem(code, detail, isParameter ? { errors } : {})
  return { summary: title, value: createProblemBody(problem, { baseUrl, requestId: 'Zy3kQ2mZ-7' }) }
}

const response = (description: string, fields: readonly HeaderName[], content?: JsonSchema) => ({
  description,
  headers: headers(...ALWAYS, ...fields),
  ...(content && { content }),
})

const problemResponse = (status: number, codes: readonly ProblemCode[], baseUrl: string) => {
  const { meaning, fields = [] } = PROBLEM_STATUSES[status] ?? { meaning: '' }
  const examples = Object.fromEntries(codes.map((code) => [code, problemExample(code, baseUrl)]))
  return response(`${meaning} (\`code\` ${codes.join(', ')})`, [...fields, ...NEVER], {
    'application/problem+json': { schema: refTo(ProblemBody), examples },
  })
}

const ALWAYS_POSSIBLE = [
  'uri-too-long',
  'invalid-token',
  'tokens-uncheckable',
  'rate-limited',
  'internal-error',
] as const

/** The codes of operations by status, in ascending order. */
const problemsOf = (operations: readonly Operation[]): [number, ProblemCode[]][] => {
  const byStatus: Record<number, Set<ProblemCode>> = {}
  for (const { problems, kind } of operations) {
    const ofKind = kind === 'list' ? (['not-acceptable'] as const) : []
    for (const code of [...problems, ...ofKind, ...ALWAYS_POSSIBLE]) {
      const { status } = PROBLEMS[code]
      byStatus[status] = (byStatus[status] ?? new Set<ProblemCode>()).add(code)
    }
  }
  return Object.entries(byStatus).map(([status, codes]) => [Number(status), [...codes]])
}

/** Only this status differs between operations; all other problem responses are shared components. */
const NOT_FOUND = 404

export const responseComponents = (baseUrl: string) =>
  Object.fromEntries(
    problemsOf(OPERATIONS)
      .filter(([status]) => status !== NOT_FOUND)
      .map(([status, codes]) => [`Problem${status}`, problemResponse(status, codes, baseUrl)]),
  )

export const createResponses = (operation: Operation, baseUrl: string) => {
  const { operationId, answer, kind, path, summary } = operation
  const { fields: ofKind, type = '', schema = {} } = KINDS[kind]
  // An event is JSON that no browser saves as a file.
  const fields = kind === 'bytes' && answer !== null ? CACHED : ofKind
  const json = answer && { schema: refTo(answer), example: EXAMPLES[operationId] }
  const responses: Record<number, JsonSchema> = {
    200: response(summary, fields, json ? { 'application/json': json } : { [type]: { schema } }),
  }
  if (fields !== NEVER) {
    const same = 'Nothing has changed since the entity tag in `If-None-Match`'
    responses[304] = response(same, fields)
  }
  const moved = findPathNames(path).find((name) => getPathParameter(name).redirect !== undefined)
  if (moved !== undefined) {
    const { redirect = '' } = getPathParameter(moved)
    responses[308] = response(redirect, ['Cache-Control', 'Location'])
  }
  for (const [status, codes] of problemsOf([operation])) {
    const shared = { $ref: `#/components/responses/Problem${status}` }
    responses[status] = status === NOT_FOUND ? problemResponse(status, codes, baseUrl) : shared
  }
  return responses
}
