// The query parameters of all operations: how one is declared, with its words in documents and tools, and validation that reports all
// errors together.
import { type TSchema, type TString, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { canonicalAddress, decodeAddress, isHexAddress } from '../../ingest/contract/address.ts'
import { ApiProblem, type ProblemOptions, tokenNotInHeader } from '../read/problems.ts'
import type { AddressPrefixes } from '../read/queries/addresses.ts'
import type { ParameterError } from '../schemas/problem.ts'
import { PROPOSAL_STATUSES } from '../schemas/proposal.ts'

/** Whose address a parameter is: the operator of a pool has a prefix of its own. */
export type AddressRole = keyof AddressPrefixes

/** The keywords of a parameter as an argument of a tool. Its pattern is left out if the API explains it better in an error. */
export type ArgumentKeywords = { pattern?: string; maxLength?: number; description: string }

export type Parameter<Value> = {
  /** The schema of the text. */
  schema: TString
  /** Completes "must be …". */
  description: string
  /** For documents, if it is more than which values are accepted. */
  meaning?: string
  accepts: (raw: string) => boolean
  /** Converts an accepted text. */
  parse: (raw: string) => Value
  /** True for a list: its values are repeated (`a=1&a=2`), or separated by commas. */
  isList?: boolean
  /** The schema of the value, if it is not a string. */
  value?: TSchema
  example?: unknown
  /** As an argument of a tool; by default with its description. */
  argument?: ArgumentKeywords
  /** Whose address it is. */
  role?: AddressRole
}

export const asText = (raw: string): string => raw

export const createParameter = <Value>(
  pattern: string,
  description: string,
  rest: Omit<Parameter<Value>, 'schema' | 'description' | 'accepts'> & {
    isInRange?: (raw: string) => boolean
  },
): Parameter<Value> => {
  const { isInRange = () => true, ...others } = rest
  const schema = Type.String({ pattern, description })
  const check = Compile(schema)
  return { ...others, schema, description, accepts: (raw) => check.Check(raw) && isInRange(raw) }
}

/** A sentence without its end, for documents. */
export const describeParameter = ({ description, meaning }: Parameter<unknown>): string =>
  meaning ?? `${description.charAt(0).toUpperCase()}${description.slice(1)}`

/** Query parameters before validation. */
export type RawQuery = Readonly<Record<string, string | string[] | undefined>>

/** The largest signed 32-bit integer, which all databases and clients support. */
export const MAX_PAGE = 2 ** 31 - 1

const anyOf = PROPOSAL_STATUSES.join('|')

/** The formats of a list. One with items that do not fit into a flat row has no CSV. */
export const LIST_FORMATS = ['json', 'ndjson', 'csv'] as const
export const NESTED_FORMATS = ['json', 'ndjson'] as const
export type ListFormat = (typeof LIST_FORMATS)[number]

const createFormatParameter = (formats: readonly ListFormat[]) =>
  createParameter(
    `^(${formats.join('|')})$`,
    `one of ${formats.map((format) => `\`${format}\``).join(', ')}; without it, Accept selects the format`,
    {
      parse: (raw) => raw as ListFormat,
      value: Type.String({ enum: [...formats] }),
      example: 'json',
    },
  )

/** No number, so that a mistake is not taken for an address. */
const ADDRESS_PATTERN = '^(0[xX]([0-9a-fA-F]{40}|[0-9a-fA-F]{64})|[!-/1-~][!-~]{0,127})$'

const isAddress = (raw: string): boolean => isHexAddress(raw) || decodeAddress(raw) !== undefined

const MAX_POOLS = 50

const NAMES_PATTERN = '^[^\\u0000]{1,6500}$'

const toNames = (raw: string): readonly string[] => raw.split(',').map((name) => name.trim())

const NAMES = {
  parse: toNames,
  isInRange: (raw: string) => {
    const names = toNames(raw)
    return names.length <= MAX_POOLS && !names.includes('')
  },
  value: Type.Array(Type.String(), { minItems: 1, maxItems: MAX_POOLS }),
  isList: true,
}

const VOTE_OPTIONS = ['yes', 'no', 'abstain', 'no_with_veto'] as const

export const PARAMETERS = {
  page: createParameter('^[0-9]+$', `an integer from 0 to ${MAX_PAGE}; pages start at 0`, {
    parse: Number,
    isInRange: (raw) => Number(raw) <= MAX_PAGE,
    value: Type.Integer({ minimum: 0, maximum: MAX_PAGE, default: 0 }),
    example: 0,
    argument: { description: 'Page of the read API, from 0; limit does not change it' },
  }),
  round: createParameter(
    '^[1-9][0-9]*$',
    'an integer from 1; an expedited vote that fell back to a regular vote has round 2',
    {
      parse: Number,
      value: Type.Integer({ minimum: 1 }),
      example: 1,
      argument: { description: 'Voting round; by default the current one' },
    },
  ),
  cursor: createParameter(
    '^[A-Za-z0-9_-]{1,400}$',
    'the unchanged page.nextCursor of an earlier page, or the cursor in its links.next',
    {
      parse: asText,
      argument: {
        description: 'page.nextCursor of the previous result, with the same filters, without page',
      },
    },
  ),
  sort: createParameter('^(power|rank)$', 'power (largest first) or rank (default)', {
    // The default has one form in cache keys and links: the parameter is absent.
    parse: (raw): 'power' | undefined => (raw === 'power' ? raw : undefined),
    value: Type.String({ enum: ['power', 'rank'], default: 'rank' }),
    example: 'power',
    argument: { description: 'power: largest voting power first; rank: order of first appearance' },
  }),
  status: createParameter(
    `^(${anyOf})(,(${anyOf}))*$`,
    `any of ${PROPOSAL_STATUSES.join(', ')}; repeated or separated by commas`,
    {
      parse: (raw) => [...new Set(raw.split(','))].sort(),
      value: Type.Array(Type.String({ enum: [...PROPOSAL_STATUSES] }), { minItems: 1 }),
      isList: true,
      example: ['passed', 'rejected'],
      argument: { description: 'Any of these' },
    },
  ),
  proposalId: createParameter('^[0-9]{1,20}$', '1 to 20 digits, e.g. 937', {
    parse: asText,
    meaning: 'Only changes of this proposal',
    example: '2',
  }),
  proposer: createParameter(
    ADDRESS_PATTERN,
    'an account address in bech32, or 0x with 40 or 64 hex digits',
    {
      parse: canonicalAddress,
      example: 'wasm1zang3mwv6j4g5d5avy6mhdryw8upytzt0gdmn5',
      argument: { description: 'An account address' },
      role: 'account',
    },
  ),
  voter: createParameter(
    ADDRESS_PATTERN,
    'the address of a voter in bech32 with a valid checksum, or 0x with 40 or 64 hex digits',
    {
      parse: canonicalAddress,
      isInRange: isAddress,
      example: 'wasm1cf4hu9382fxll9yyh05dpmqjcf6yyaavszh5x0',
      role: 'account',
    },
  ),
  delegatedTo: createParameter(
    ADDRESS_PATTERN,
    'the operator address of a pool in bech32 with a valid checksum, or 0x with its bytes in hex',
    {
      parse: canonicalAddress,
      isInRange: isAddress,
      example: 'wasmvaloper1r8usmzc2jvs87s8xd06sdy437z3r53ej48rs7l',
      role: 'operator',
    },
  ),
  pool: createParameter(
    NAMES_PATTERN,
    `1 to ${MAX_POOLS} names, operator addresses or accounts of pools; repeated or separated by commas`,
    {
      ...NAMES,
      meaning: 'Only what concerns the votes of these pools',
      example: ['wasmvaloper1r8usmzc2jvs87s8xd06sdy437z3r53ej48rs7l'],
    },
  ),
  pools: createParameter(
    NAMES_PATTERN,
    `bonded for all that count (default), or 1 to ${MAX_POOLS} names, operator addresses or accounts of pools; repeated or separated by commas`,
    {
      ...NAMES,
      // The default has one form in cache keys and links: the parameter is absent.
      parse: (raw): readonly string[] | undefined => (raw === 'bonded' ? undefined : toNames(raw)),
      example: ['bonded'],
      argument: { description: 'bonded, or names, operator addresses or accounts of pools' },
    },
  ),
  voted: createParameter(
    '^(true|false)$',
    'true (pools with a vote of their own) or false (counted pools without one)',
    {
      parse: (raw) => raw === 'true',
      value: Type.Boolean(),
      example: false,
      argument: {
        description: 'true: pools that voted themselves; false: counted pools that did not',
      },
    },
  ),
  option: createParameter(
    `^(${VOTE_OPTIONS.join('|')})$`,
    `one of ${VOTE_OPTIONS.join(', ')}; also as a part of a split vote`,
    {
      parse: asText,
      value: Type.String({ enum: [...VOTE_OPTIONS] }),
      example: 'no',
    },
  ),
  messageType: createParameter(
    '^/?[A-Za-z0-9_]{1,100}(?:\\.[A-Za-z0-9_]{1,100}){0,15}$',
    'a message type such as /cosmos.gov.v1.MsgUpdateParams, or a package such as cosmos.gov.v1 or /cosmos.gov',
    {
      parse: (raw) => (raw.startsWith('/') ? raw : `/${raw}`),
      example: '/cosmos.gov.v1.MsgUpdateParams',
      argument: { description: 'A type or a package, e.g. /cosmos.gov.v1.MsgUpdateParams' },
    },
  ),
  path: createParameter(
    '^(?:/(?:[^/~\\u0000]|~[01]){0,200}){1,32}$',
    'a JSON pointer (RFC 6901) in the message, such as /wasm_byte_code',
    { parse: asText, example: '/wasm_byte_code' },
  ),
  q: createParameter(
    '^[^\\u0000]{1,200}$',
    '1 to 200 characters: words that all occur in title, summary, authors or forum link, a number, or the address of a proposer',
    {
      parse: asText,
      example: 'quorum',
      argument: {
        description:
          'Words that all occur in title or text, best matches first; a number; the address of a proposer',
        maxLength: 200,
      },
    },
  ),
  format: createFormatParameter(LIST_FORMATS),
} as const
export type ParameterName = keyof typeof PARAMETERS

/** For the stream, which has the votes of many accounts. */
export const VOTERS_PARAMETER = {
  voter: createParameter(
    NAMES_PATTERN,
    `1 to ${MAX_POOLS} addresses of voters in bech32 with a valid checksum, or 0x with their bytes in hex; repeated or separated by commas`,
    {
      ...NAMES,
      isInRange: (raw) => NAMES.isInRange(raw) && toNames(raw).every(isAddress),
      meaning: 'Only what concerns the votes of these accounts',
      example: ['wasm1cf4hu9382fxll9yyh05dpmqjcf6yyaavszh5x0'],
    },
  ),
} as const satisfies OwnParameters

/** For the feed, which has the votes of one. */
export const POOL_PARAMETER = {
  pool: createParameter(
    '^[^\\u0000]{1,200}$',
    'the name, the operator address or the account of a pool',
    { parse: (raw): readonly string[] => [raw.trim()], example: 'foundation' },
  ),
} as const satisfies OwnParameters

/** Parameters of one operation that have another meaning than in all others. */
export type OwnParameters = { readonly [Name in ParameterName]?: Parameter<unknown> }

export const getParameter = (name: ParameterName, own: OwnParameters = {}): Parameter<unknown> =>
  own[name] ?? PARAMETERS[name]

/** For lists whose items do not fit into a flat row. */
export const NESTED_LIST_PARAMETERS = {
  format: createFormatParameter(NESTED_FORMATS),
} as const satisfies OwnParameters

/** The converted values. */
export type QueryValues<Name extends ParameterName> = {
  [Each in Name]?: ReturnType<(typeof PARAMETERS)[Each]['parse']> | undefined
}

type Accepted<Name> = { required?: readonly Name[] | undefined; own?: OwnParameters | undefined }

/** The values of a list as one text, in each form that clients send; undefined if the parameter must occur only once. */
const toText = ({ isList = false }: Parameter<unknown>, raw: RawQuery[string]) => {
  if (!Array.isArray(raw)) return raw ?? ''
  return isList ? raw.join(',') : undefined
}

const findMistake = (
  [name, raw]: [name: string, raw: RawQuery[string]],
  allowed: readonly string[],
  own: OwnParameters,
): string | null => {
  if (!allowed.includes(name)) {
    if (allowed.length === 0) return 'is not a parameter of this path; it has no parameters'
    return `is not a parameter of this path; its parameters are ${allowed.join(', ')}`
  }
  const parameter = getParameter(name as ParameterName, own)
  const text = toText(parameter, raw)
  if (text === undefined) return 'must occur only once'
  return parameter.accepts(text) ? null : `must be ${parameter.description}`
}

/** Generated clients send each default: that of `page` beside a cursor is as absent. */
const withoutDefaultPage = (query: RawQuery): RawQuery => {
  const { page, ...rest } = query
  return 'cursor' in query && page === '0' ? rest : query
}

/** The validated and converted parameters. Throws `invalid-parameter` with all errors. */
export const parseQuery = <Name extends ParameterName>(
  given: RawQuery,
  allowed: readonly Name[],
  { required = [], own = {} }: Accepted<Name> = {},
): QueryValues<Name> => {
  if ('access_token' in given) throw tokenNotInHeader()
  const query = withoutDefaultPage(given)
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
  const values = Object.entries(query).map(([name, raw]) => {
    const parameter = getParameter(name as Name, own)
    return [name, parameter.parse(toText(parameter, raw) ?? '')]
  })
  return Object.fromEntries(values) as QueryValues<Name>
}

/** Further ones are counted: an answer must not be many times its request. */
const LISTED_ERRORS = 5
const MAX_NAME = 64

export const invalidParameters = (
  errors: readonly ParameterError[],
  options: Pick<ProblemOptions, 'instead'> = {},
): ApiProblem => {
  const listed = errors
    .slice(0, LISTED_ERRORS)
    .map(({ parameter, detail }) => ({ parameter: parameter.slice(0, MAX_NAME), detail }))
  const [first] = listed
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''
  return new ApiProblem('invalid-parameter', `${first?.parameter} ${first?.detail}${more}`, {
    ...options,
    errors: listed,
  })
}
