// The answers of an operation as OpenAPI has them: what is found, what is not, and every problem by its status. Pure.

import { CSV_TYPE, NDJSON_TYPE } from '../../formats/media-types.ts'
import { ApiProblem, createProblemBody, PROBLEMS, type ProblemCode } from '../../problem.ts'
import type { Operation } from '../../resources/operation.ts'
import { LISTS, OPERATIONS } from '../../resources/operations.ts'
import { PARAMETERS } from '../../resources/parameters.ts'
import type { PathParameterName } from '../../resources/path-parameters.ts'
import { ProblemBody } from '../../schemas/problem.ts'
import { findExample } from './examples.ts'
import { refTo } from './schemas.ts'
import type { MediaType, Reference, ResponseObject } from './types.ts'

/** Other forms in which lists are sent, by `Accept`. */
const ROW_TYPES = {
  'application/x-ndjson': 'One item as JSON per line, as it stands in the page',
  'text/csv': 'RFC 4180: a line of names, then one line per item; `null` is an empty cell',
} as const
type RowType = keyof typeof ROW_TYPES

const getRowTypes = ({ operationId }: Operation): readonly RowType[] => {
  const list = LISTS.find((each) => each.operationId === operationId)
  if (!list) return []
  return list.columns === null ? [NDJSON_TYPE] : [NDJSON_TYPE, CSV_TYPE]
}

const text = (description: string, example: string) => ({
  description,
  schema: { type: 'string', examples: [example] },
})

/** Rows have no envelope: what it would say stands in header fields, which JSON does without. */
const ROWS_ONLY = 'With CSV and NDJSON only'

export const HEADERS = {
  ETag: text('Strong: of exactly these bytes in this coding', '"k6vRBlJhV3kqGpGv0cQ0lA"'),
  'Cache-Control': text(
    'A second for what may change, a day for what is final; `private` where a bearer was sent',
    'public, max-age=1, stale-while-revalidate=30',
  ),
  'Cache-Control-Never': text('Always `no-store`: true at this moment only', 'no-store'),
  RateLimit: text('What is left of the quota, and when it is renewed', '"default";r=1198;t=42'),
  'RateLimit-Policy': text('The quota: requests in a number of seconds', '"default";q=1200;w=60'),
  'Retry-After': {
    description: 'Seconds to wait before asking again; on every 429 and 503',
    schema: { type: 'integer', minimum: 0, examples: [1] },
  },
  'WWW-Authenticate': text(
    'The challenge of RFC 6750, with where to get a token (RFC 9728)',
    'Bearer realm="rollcall", error="invalid_token"',
  ),
  Link: text(
    `${ROWS_ONLY}: \`rel="next"\` leads on, \`rel="prev"\` back, \`rel="alternate"\` is the JSON`,
    '</api/proposals?page=1>; rel="next"',
  ),
  'Rollcall-As-Of-Height': {
    description: `${ROWS_ONLY}: \`asOf.height\`, the height that they show`,
    schema: { type: 'integer', minimum: 0, examples: [211] },
  },
  'Rollcall-As-Of-Time': text(
    `${ROWS_ONLY}: \`asOf.time\`, the time of that height`,
    '2026-11-21T08:00:00.000Z',
  ),
  'Rollcall-Chain-Id': text(`${ROWS_ONLY}: \`asOf.chainId\``, 'rollcall-demo-1'),
  'Rollcall-Total-Items': {
    description: `${ROWS_ONLY}: \`page.totalItems\`, of all pages together`,
    schema: { type: 'integer', minimum: 0, examples: [45] },
  },
  'Rollcall-Next-Cursor': text(
    `${ROWS_ONLY}: \`page.nextCursor\`, what to send as \`cursor\`; absent at the end, and in lists whose page has none: \`Link\` leads on`,
    'MS4yLlhD',
  ),
  'Content-Disposition': text(
    'The bytes are a file to save, not a page',
    'attachment; filename="proposal-7-message-0-wasm_byte_code.bin"',
  ),
  Location: text('The same under its one spelling', '/api/proposals/7'),
  'X-Request-Id': text('Also in the body of every problem', 'Zy3kQ2mZ-7'),
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
  'Rollcall-Total-Items',
  'Rollcall-Next-Cursor',
] as readonly HeaderName[]
const BYTES_HEADERS = ['Content-Disposition'] as const
const ALWAYS = ['RateLimit', 'RateLimit-Policy', 'X-Request-Id'] as const

const MEANINGS: Readonly<Record<number, string>> = {
  400: 'What was sent is not valid',
  401: 'The bearer token is not valid: send a valid one, or none',
  404: 'There is no such thing at the height that is served',
  406: 'Nothing of what is asked for can be made',
  410: 'The cursor leads nowhere any more: start again from the first page',
  414: 'The address is too long',
  429: 'Too many requests',
  500: 'Something went wrong here',
  503: 'It cannot be answered just now',
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

/** What is missing is told operation by operation; everything else means the same everywhere. */
const NOT_FOUND = 404

const everyProblem = (): ProblemCode[] => {
  return [...new Set(OPERATIONS.flatMap((operation) => [...collectProblemCodes(operation)]))]
}

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
  const hasForms = getRowTypes(operation).length > 0
  const formatCodes = hasForms ? (['not-acceptable'] as const) : []
  return new Set([...operation.problems, ...formatCodes, ...ALWAYS_POSSIBLE])
}

const problemResponses = (operation: Operation, baseUrl: string) =>
  codesByStatus(collectProblemCodes(operation)).map(([status, codes]) => {
    const shared = { $ref: `#/components/responses/${formatComponentName(status)}` }
    const response = status === NOT_FOUND ? problemResponse(status, codes, baseUrl) : shared
    return [`${status}`, response] as const
  })

const STREAM: MediaType = {
  schema: { type: 'string', description: 'Events as the HTML standard has them' },
}

const BYTES: MediaType = { schema: { type: 'string', format: 'binary' } }

const foundContent = (operation: Operation): Record<string, MediaType> => {
  const { operationId, answer, kind } = operation
  if (kind === 'bytes') return { 'application/octet-stream': BYTES }
  if (answer === null) return { 'text/event-stream': STREAM }
  const rows = getRowTypes(operation).map((type): [string, MediaType] => [
    type,
    { schema: { type: 'string', description: ROW_TYPES[type] } },
  ])
  return {
    'application/json': { schema: refTo(answer), example: findExample(operationId) },
    ...Object.fromEntries(rows),
  }
}

/** Why a path with such a parameter may redirect. */
const MOVED: { readonly [Name in PathParameterName]?: string } = {
  proposalId: 'The id has another spelling: without leading zeros',
  hash: 'The hash has another spelling: with capital letters',
}

const foundResponses = (operation: Operation): [string, ResponseObject][] => {
  const { kind, pathParameters, summary } = operation
  const isCacheable = kind === 'list' || kind === 'single' || kind === 'bytes'
  const ofKind = kind === 'list' ? ROW_HEADERS : kind === 'bytes' ? BYTES_HEADERS : []
  const cacheHeaders = ['Cache-Control', 'ETag', ...ofKind] as const
  const found: ResponseObject = {
    description: summary,
    headers: isCacheable
      ? headers(...ALWAYS, ...cacheHeaders)
      : { ...headers(...ALWAYS), ...NO_STORE_HEADERS },
    content: foundContent(operation),
  }
  const same: ResponseObject = {
    description: 'Nothing changed since the entity tag that was sent as `If-None-Match`',
    headers: headers(...ALWAYS, ...cacheHeaders),
  }
  const moved = pathParameters.map((name) => MOVED[name]).find((reason) => reason !== undefined)
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
