// Responses of each operation for OpenAPI: success, redirect, not modified, and problems by status. Pure.

import { readFileSync } from 'node:fs'
import { locateFile } from '../../../infra/base/runtime/product-files.ts'
import { ApiProblem, createProblemBody, PROBLEMS, type ProblemCode } from '../../problem.ts'
import type { Operation } from '../../resources/operation.ts'
import { OPERATIONS } from '../../resources/operations.ts'
import { PARAMETERS } from '../../resources/parameters.ts'
import { findPathNames, getPathParameter } from '../../resources/path-parameters.ts'
import { ProblemBody } from '../../schemas/problem.ts'
import { refTo } from './schemas.ts'
import type { MediaType, Reference, ResponseObject } from './types.ts'

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

/** CSV and NDJSON have no envelope: its members are sent as headers. */
const ROWS_ONLY = 'Only with CSV and NDJSON'

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
  Link: text(
    `${ROWS_ONLY}: \`rel="next"\` and \`rel="prev"\` are other pages, \`rel="alternate"\` is the JSON`,
    '</api/proposals?page=1>; rel="next"',
  ),
  'Rollcall-As-Of-Height': count(`${ROWS_ONLY}: \`asOf.height\`, the height of the rows`, 211),
  'Rollcall-As-Of-Time': text(
    `${ROWS_ONLY}: \`asOf.time\`, the time of that height`,
    '2026-11-21T08:00:00.000Z',
  ),
  'Rollcall-Chain-Id': text(`${ROWS_ONLY}: \`asOf.chainId\``, 'rollcall-demo-1'),
  'Rollcall-Demo': text(`${ROWS_ONLY}, on the demo chain: \`asOf.demo\``, 'true'),
  'Rollcall-Total-Items': count(
    `${ROWS_ONLY}: \`page.totalItems\`, the items of all pages. Absent if they are not known`,
    45,
  ),
  'Rollcall-Next-Cursor': text(
    `${ROWS_ONLY}: \`page.nextCursor\`, the \`cursor\` of the next page. Absent on the last page, and in lists without \`page.nextCursor\`: use \`Link\` there`,
    'MS4yLlhD',
  ),
  'Content-Disposition': text(
    'Browsers save the bytes as a file. For lists: only with `format=csv` and `format=ndjson`',
    'attachment; filename="proposal-7-message-0-wasm_byte_code.bin"',
  ),
  Location: text('The canonical URL of the resource', '/api/proposals/7'),
  'X-Request-Id': text('The id of the request, also in the body of every problem', 'Zy3kQ2mZ-7'),
} as const
type HeaderName = Exclude<keyof typeof HEADERS, 'Cache-Control-Never'>

const headers = (...names: readonly HeaderName[]): Record<string, Reference> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const NO_STORE_HEADERS: Record<string, Reference> = {
  'Cache-Control': { $ref: '#/components/headers/Cache-Control-Never' },
}

const ROW_HEADERS = [
  'Link',
  'Rollcall-As-Of-Height',
  'Rollcall-As-Of-Time',
  'Rollcall-Chain-Id',
  'Rollcall-Demo',
  'Rollcall-Total-Items',
  'Rollcall-Next-Cursor',
  'Content-Disposition',
] as readonly HeaderName[]
const BYTES_HEADERS = ['Content-Disposition'] as const
const ALWAYS = ['RateLimit', 'RateLimit-Policy', 'X-Request-Id'] as const

const MEANINGS: Readonly<Record<number, string>> = {
  400: 'The request is not valid',
  401: 'The bearer token is not valid: send a valid token or none',
  404: 'The resource does not exist at the indexed height',
  406: 'None of the accepted media types is available',
  410: 'The cursor has expired: start again from the first page',
  414: 'The URL is too long',
  429: 'Too many requests',
  500: 'Internal error',
  503: 'Temporarily unavailable',
}

const STATUS_HEADERS: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

const problemExample = (code: ProblemCode, baseUrl: string) => {
  const { title, meaning } = PROBLEMS[code]
  const errors = [{ parameter: 'page', detail: `must be ${PARAMETERS.page.description}` }]
  const isParameter = code === 'invalid-parameter'
  const detail = isParameter ? `page must be ${PARAMETERS.page.description}` : meaning
  const problem = new ApiProblem(code, detail, isParameter ? { errors } : {})
  return { summary: title, value: createProblemBody(problem, { baseUrl, requestId: 'Zy3kQ2mZ-7' }) }
}

const problemResponse = (
  status: number,
  codes: readonly ProblemCode[],
  baseUrl: string,
): ResponseObject => ({
  description: `${MEANINGS[status]} (\`code\` ${codes.join(', ')})`,
  headers: { ...headers(...ALWAYS, ...(STATUS_HEADERS[status] ?? [])), ...NO_STORE_HEADERS },
  content: {
    'application/problem+json': {
      schema: refTo(ProblemBody),
      examples: Object.fromEntries(codes.map((code) => [code, problemExample(code, baseUrl)])),
    },
  },
})

const ALWAYS_POSSIBLE = [
  'uri-too-long',
  'invalid-token',
  'tokens-uncheckable',
  'rate-limited',
  'internal-error',
] as const

const codesByStatus = (codes: Iterable<ProblemCode>): [number, ProblemCode[]][] => {
  const byStatus = new Map<number, ProblemCode[]>()
  for (const code of codes) {
    const { status } = PROBLEMS[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return [...byStatus].sort(([one], [other]) => one - other)
}

/** Only this status differs between operations; all other problem responses are shared components. */
const NOT_FOUND = 404

const everyProblem = (): Set<ProblemCode> =>
  new Set(OPERATIONS.flatMap((operation) => [...collectProblemCodes(operation)]))

const formatComponentName = (status: number): string => `Problem${status}`

export const responseComponents = (baseUrl: string): Record<string, ResponseObject> =>
  Object.fromEntries(
    codesByStatus(everyProblem())
      .filter(([status]) => status !== NOT_FOUND)
      .map(([status, codes]) => [
        formatComponentName(status),
        problemResponse(status, codes, baseUrl),
      ]),
  )

const collectProblemCodes = (operation: Operation): Set<ProblemCode> => {
  const formatCodes = operation.kind === 'list' ? (['not-acceptable'] as const) : []
  return new Set([...operation.problems, ...formatCodes, ...ALWAYS_POSSIBLE])
}

const problemResponses = (operation: Operation, baseUrl: string) =>
  codesByStatus(collectProblemCodes(operation)).map(([status, codes]) => {
    const shared = { $ref: `#/components/responses/${formatComponentName(status)}` }
    const response = status === NOT_FOUND ? problemResponse(status, codes, baseUrl) : shared
    return [`${status}`, response] as const
  })

const STREAM: MediaType = {
  schema: { type: 'string', description: 'Server-sent events (HTML standard)' },
}

const BYTES: MediaType = { schema: { type: 'string', format: 'binary' } }

const foundContent = (operation: Operation): Record<string, MediaType> => {
  const { operationId, answer, kind } = operation
  if (answer === null && kind === 'bytes') return { 'application/octet-stream': BYTES }
  if (answer === null && kind === 'text') return { 'text/plain': { schema: { type: 'string' } } }
  if (answer === null) return { 'text/event-stream': STREAM }
  // The other formats of a list are not here, because generators of clients take all of them for one answer.
  return { 'application/json': { schema: refTo(answer), example: EXAMPLES[operationId] } }
}

const foundResponses = (operation: Operation): [string, ResponseObject][] => {
  const { answer, kind, path, summary } = operation
  const isCacheable = kind !== 'fresh' && kind !== 'stream'
  const ofKind =
    kind === 'list' ? ROW_HEADERS : kind === 'bytes' && answer === null ? BYTES_HEADERS : []
  const cacheHeaders = ['Cache-Control', 'ETag', ...ofKind] as const
  const found: ResponseObject = {
    description: summary,
    headers: isCacheable
      ? headers(...ALWAYS, ...cacheHeaders)
      : { ...headers(...ALWAYS), ...NO_STORE_HEADERS },
    content: foundContent(operation),
  }
  const same: ResponseObject = {
    description: 'Nothing has changed since the entity tag in `If-None-Match`',
    headers: headers(...ALWAYS, ...cacheHeaders),
  }
  const moved = findPathNames(path)
    .map((name) => getPathParameter(name).redirect)
    .find((reason) => reason !== undefined)
  const elsewhere = (description: string): ResponseObject => ({
    description,
    headers: headers(...ALWAYS, 'Cache-Control', 'Location'),
  })
  return [
    ['200', found],
    ...(isCacheable ? [['304', same] as [string, ResponseObject]] : []),
    ...(moved === undefined ? [] : [['308', elsewhere(moved)] as [string, ResponseObject]]),
  ]
}

export const createResponses = (operation: Operation, baseUrl: string) =>
  Object.fromEntries([...foundResponses(operation), ...problemResponses(operation, baseUrl)])
