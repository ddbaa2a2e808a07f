// Path parameters with their validation: canonical ids and hashes, and addresses with a verified checksum.
import { notFound } from '../read/queries/as-of.ts'
import { parseAddress } from './address.ts'
import { type AddressRole, type ArgumentKeywords, invalidParameters } from './parameters.ts'

type PathParameter = {
  /** Throws `ApiProblem`. */
  parse: (raw: string) => string
  /** For documents. */
  description: string
  schema: { type: 'string'; pattern: string }
  example: string
  /** As an argument of a tool; by default with its pattern and description. */
  argument?: ArgumentKeywords
  /** Completes "must be …" for an argument; by default its description. */
  expected?: string
  /** Whose address it is. */
  role?: AddressRole
  /** Why a path with another form of the value redirects. */
  redirect?: string
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

const createAddressParameter = (
  name: string,
  {
    redirects,
    ...rest
  }: { redirects: string } & Required<Pick<PathParameter, 'example' | 'role' | 'argument'>>,
): PathParameter => ({
  parse: (raw) => parseAddress(raw, name),
  description: `A bech32 address with a valid checksum. ${redirects} redirect to the canonical URL`,
  schema: { type: 'string', pattern: '^[!-~]{8,128}$' },
  redirect:
    'The address is another text of the same bytes: the canonical URL has the text of this chain',
  ...rest,
})

/** `mustBe` continues the words "must be". */
const createNumberParameter = (
  name: string,
  pattern: string,
  { mustBe, description, example }: { mustBe: string; description: string; example: string },
): PathParameter => {
  const expected = new RegExp(pattern)
  return {
    parse: (raw) => {
      if (expected.test(raw)) return raw
      throw invalidParameters([{ parameter: name, detail: `must be ${mustBe}` }])
    },
    description,
    schema: { type: 'string', pattern },
    example,
  }
}

export const PATH_PARAMETERS = {
  proposalId: {
    parse: (raw) => {
      const parsed = parseProposalId(raw)
      if (parsed.kind === 'unknown') throw notFound(raw)
      return parsed.id
    },
    description: 'Digits only; an id with leading zeros redirects to the canonical URL',
    schema: { type: 'string', pattern: '^[0-9]+$' },
    example: '2',
    argument: { pattern: '^[0-9]+$', maxLength: 200, description: 'Digits only, e.g. 937' },
    expected: '1 to 20 digits, e.g. 937',
    redirect: 'The id has leading zeros: the canonical URL has none',
  },
  message: createNumberParameter('message', '^(?:0|[1-9][0-9]{0,8})$', {
    mustBe: 'the index of a message, from 0, without leading zeros',
    description: 'The index of the message in the proposal, from 0',
    example: '0',
  }),
  operatorAddress: createAddressParameter('operatorAddress', {
    redirects:
      'Capital letters, 0x with its bytes in hex, and any other address of a pool with its bytes',
    example: 'wasmvaloper1r8usmzc2jvs87s8xd06sdy437z3r53ej48rs7l',
    role: 'operator',
    argument: {
      description: 'The name, operator address or account of a pool, at most 128 characters',
      maxLength: 128,
    },
  }),
  height: createNumberParameter('height', '^[1-9][0-9]{0,9}$', {
    mustBe: 'a block height of 1 to 10 digits without leading zeros',
    description: 'A block height without leading zeros',
    example: '37',
  }),
  index: createNumberParameter('index', '^(?:0|[1-9][0-9]{0,9})$', {
    mustBe: 'the index of an event in its height, without leading zeros',
    description: 'The `index` of the event',
    example: '598016',
  }),
  hash: {
    parse: (raw) => {
      if (/^[0-9A-Fa-f]{64}$/.test(raw)) return raw.toUpperCase()
      const detail = 'must be the hash of a validator set: 64 hex digits'
      throw invalidParameters([{ parameter: 'hash', detail }])
    },
    description:
      'The `validators_hash` of a header in hex; a hash with small letters redirects to the canonical URL',
    schema: { type: 'string', pattern: '^[0-9A-Fa-f]{64}$' },
    example: '44F38B9976798534F82CB6761A06CFCA4B78F98494082730C99E07A3E9BE6A50',
    redirect: 'The hash has small letters: the canonical URL has capital letters',
  },
  address: createAddressParameter('address', {
    redirects:
      'Capital letters, 0x with its bytes in hex, and any other address of an account with its bytes',
    example: 'wasm1cf4hu9382fxll9yyh05dpmqjcf6yyaavszh5x0',
    role: 'account',
    argument: {
      description: 'The account address of a voter, or the name of a pool, at most 128 characters',
      maxLength: 128,
    },
  }),
} as const satisfies Record<string, PathParameter>

export type PathParameterName = keyof typeof PATH_PARAMETERS

export const getPathParameter = (name: PathParameterName): PathParameter => PATH_PARAMETERS[name]

/** The names of the parameters of a path such as `/api/proposals/:proposalId`. */
export type PathNames<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Others}`
    ? Name | PathNames<Others>
    : Rest
  : never

export const findPathNames = (path: string): PathParameterName[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as PathParameterName)

/** `:name` becomes `{name}`. */
export const toPathTemplate = (path: string): string => path.replace(/:(\w+)/g, '{$1}')

/** Replaces the parameters of a path with values. */
export const formatPath = <Path extends string>(
  path: Path,
  values: Readonly<Record<PathNames<Path>, string>>,
): string => path.replace(/:(\w+)/g, (_, name: PathNames<Path>) => values[name])

/** Throws `ApiProblem` for the first invalid parameter. */
export const parsePath = <Path extends string>(
  path: Path,
  raw: Readonly<Record<string, string>>,
): Record<PathNames<Path>, string> => {
  const values = findPathNames(path).map((name) => [
    name,
    PATH_PARAMETERS[name].parse(raw[name] ?? ''),
  ])
  return Object.fromEntries(values) as Record<PathNames<Path>, string>
}
