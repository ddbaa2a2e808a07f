// Query parameters with their schemas and descriptions, and validation that reports all errors together.
import { type TSchema, type TString, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { canonicalAddress } from '../../ingest/contract/address.ts'
import { ApiProblem, tokenNotInHeader } from '../problem.ts'
import type { ParameterError } from '../schemas/problem.ts'
import { PROPOSAL_STATUSES } from '../schemas/proposal.ts'

/** Query parameters before validation. */
export type RawQuery = Readonly<Record<string, string | string[] | undefined>>

/** A query parameter: validation, conversion and documentation. */
type Parameter<Value> = {
  /** The schema of the text. */
  schema: TString
  /** Completes "must be …". */
  description: string
  accepts: (raw: string) => boolean
  /** Converts an accepted text. */
  parse: (raw: string) => Value
  /** The schema of the value, if it is not a string. */
  value?: TSchema
  example?: unknown
}

/** The largest signed 32-bit integer, which all databases and clients support. */
export const MAX_PAGE = 2 ** 31 - 1

const asText = (raw: string): string => raw

const createParameter = <Value>(
  pattern: string,
  description: string,
  rest: Pick<Parameter<Value>, 'parse' | 'value' | 'example'> & {
    isInRange?: (raw: string) => boolean
  },
): Parameter<Value> => {
  const { isInRange = () => true, ...others } = rest
  const schema = Type.String({ pattern, description })
  const check = Compile(schema)
  return { ...others, schema, description, accepts: (raw) => check.Check(raw) && isInRange(raw) }
}

const anyOf = PROPOSAL_STATUSES.join('|')

export const PARAMETERS = {
  page: createParameter('^[0-9]+$', `an integer from 0 to ${MAX_PAGE}; pages start at 0`, {
    parse: Number,
    isInRange: (raw) => Number(raw) <= MAX_PAGE,
    value: Type.Integer({ minimum: 0, maximum: MAX_PAGE, default: 0 }),
    example: 0,
  }),
  round: createParameter(
    '^[1-9][0-9]*$',
    'an integer from 1; an expedited vote that fell back to a regular vote has round 2',
    { parse: Number, value: Type.Integer({ minimum: 1 }), example: 1 },
  ),
  cursor: createParameter(
    '^[A-Za-z0-9_-]{1,400}$',
    'the unchanged page.nextCursor of an earlier page, or the cursor in its links.next',
    { parse: asText },
  ),
  sort: createParameter('^(power|rank)$', 'power (largest first) or rank (default)', {
    // The default has one form in cache keys and links: the parameter is absent.
    parse: (raw): 'power' | undefined => (raw === 'power' ? raw : undefined),
    value: Type.String({ enum: ['power', 'rank'], default: 'rank' }),
    example: 'power',
  }),
  status: createParameter(
    `^(${anyOf})(,(${anyOf}))*$`,
    `one or more of ${PROPOSAL_STATUSES.join(', ')}, separated by commas`,
    {
      parse: (raw) => [...new Set(raw.split(','))].sort(),
      value: Type.Array(Type.String({ enum: [...PROPOSAL_STATUSES] }), { minItems: 1 }),
      example: ['passed', 'rejected'],
    },
  ),
  proposalId: createParameter('^[0-9]{1,20}$', '1 to 20 digits, e.g. 937', { parse: asText }),
  proposer: createParameter(
    '^(0[xX]([0-9a-fA-F]{40}|[0-9a-fA-F]{64})|[!-/1-~][!-~]{0,127})$',
    'an account address, e.g. cosmos1…, or 0x with 40 or 64 hex digits',
    { parse: canonicalAddress, example: 'wasm1zang3mwv6j4g5d5avy6mhdryw8upytzt0gdmn5' },
  ),
  messageType: createParameter(
    '^/?[A-Za-z0-9_]{1,100}(?:\\.[A-Za-z0-9_]{1,100}){0,15}$',
    'a message type such as /cosmos.gov.v1.MsgUpdateParams, or a package such as cosmos.gov.v1 or /cosmos.gov',
    {
      parse: (raw) => (raw.startsWith('/') ? raw : `/${raw}`),
      example: '/cosmos.gov.v1.MsgUpdateParams',
    },
  ),
  path: createParameter(
    '^(?:/(?:[^/~\\u0000]|~[01]){0,200}){1,32}$',
    'a JSON pointer (RFC 6901) in the message, such as /wasm_byte_code',
    { parse: asText, example: '/wasm_byte_code' },
  ),
  q: createParameter(
    '^[^\\u0000]{1,200}$',
    'a text of 1 to 200 characters to search in title, summary, authors and forum link, or an address of a proposer',
    { parse: asText, example: 'quorum' },
  ),
} as const
export type ParameterName = keyof typeof PARAMETERS

/** Parameters of one operation that have another meaning than in all others. */
export type OwnParameters = { readonly [Name in ParameterName]?: Parameter<unknown> }

export const getParameter = (name: ParameterName, own: OwnParameters = {}): Parameter<unknown> =>
  own[name] ?? PARAMETERS[name]

const MAX_ROUND = 2 ** 16 - 1

/** For proofs, round 0 is the submission. */
export const PROOF_PARAMETERS = {
  round: createParameter(
    '^(?:0|[1-9][0-9]{0,4})$',
    `an integer from 0 to ${MAX_ROUND}: 0 for the submission, n for the end of round n`,
    {
      parse: Number,
      isInRange: (raw) => Number(raw) <= MAX_ROUND,
      value: Type.Integer({ minimum: 0, maximum: MAX_ROUND }),
      example: 1,
    },
  ),
} as const satisfies OwnParameters

/** The converted values. */
export type QueryValues<Name extends ParameterName> = {
  [Each in Name]?: ReturnType<(typeof PARAMETERS)[Each]['parse']> | undefined
}

type Accepted<Name> = { required?: readonly Name[] | undefined; own?: OwnParameters | undefined }

const findMistake = (
  [name, raw]: [name: string, raw: RawQuery[string]],
  allowed: readonly string[],
  own: OwnParameters,
): string | null => {
  if (!allowed.includes(name)) {
    if (allowed.length === 0) return 'is not a parameter of this path; it has no parameters'
    return `is not a parameter of this path; its parameters are ${allowed.join(', ')}`
  }
  if (Array.isArray(raw)) return 'must occur only once'
  const { description, accepts } = getParameter(name as ParameterName, own)
  return accepts(raw ?? '') ? null : `must be ${description}`
}

/** The validated and converted parameters. Throws `invalid-parameter` with all errors. */
export const parseQuery = <Name extends ParameterName>(
  query: RawQuery,
  allowed: readonly Name[],
  { required = [], own = {} }: Accepted<Name> = {},
): QueryValues<Name> => {
  if ('access_token' in query) throw tokenNotInHeader()
  const errors: ParameterError[] = []
  for (const [name, raw] of Object.entries(query)) {
    const detail = findMistake([name, raw], allowed, own)
    if (detail !== null) errors.push({ parameter: name, detail })
  }
  for (const name of required) {
    const detail = `is required; it must be ${getParameter(name, own).description}`
    if (!(name in query)) errors.push({ parameter: name, detail })
  }
  if ('page' in query && 'cursor' in query) {
    errors.push({ parameter: 'cursor', detail: 'cannot be combined with page' })
  }
  if (errors.length > 0) throw invalidParameters(errors)
  const values = Object.entries(query).map(([name, raw]) => [
    name,
    getParameter(name as Name, own).parse(`${raw}`),
  ])
  return Object.fromEntries(values) as QueryValues<Name>
}

export const invalidParameters = (errors: readonly ParameterError[]): ApiProblem => {
  const [first] = errors
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''
  return new ApiProblem('invalid-parameter', `${first?.parameter} ${first?.detail}${more}`, {
    errors,
  })
}

const MAX_UINT64 = 2n ** 64n - 1n

/** `non-canonical` has leading zeros; `unknown` exceeds the range of ids. */
export const parseProposalId = (
  raw: string,
): { kind: 'id'; id: string } | { kind: 'non-canonical'; id: string } | { kind: 'unknown' } => {
  if (!/^[0-9]+$/.test(raw)) {
    throw invalidParameters([{ parameter: 'proposalId', detail: 'must be digits only, e.g. 937' }])
  }
  const id = raw.replace(/^0+(?=[0-9])/, '')
  if (id.length > 20 || BigInt(id) > MAX_UINT64) return { kind: 'unknown' }
  return id === raw ? { kind: 'id', id } : { kind: 'non-canonical', id }
}
