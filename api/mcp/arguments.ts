// The arguments of a tool: their schemas, and a request of the read API from values that a client sends. Where the address of a
// pool is expected, its name or its account is accepted. Each error says what is expected.
import { type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { addressKey, decodeAddress, isHexAddress } from '../../ingest/contract/address.ts'
import { isJsonObject } from '../../ingest/contract/json.ts'
import { ApiProblem } from '../read/problems.ts'
import type { Operation } from '../resources/operation.ts'
import {
  type AddressRole,
  describeParameter,
  getParameter,
  invalidParameters,
  type ParameterName,
} from '../resources/parameters.ts'
import {
  findPathNames,
  getPathParameter,
  type PathParameterName,
} from '../resources/path-parameters.ts'
import { findPoolsByName, listPools, quoteMoniker } from '../resources/pool-search.ts'
import type { Pool } from '../schemas/pool.ts'
import type { ParameterError } from '../schemas/problem.ts'
import type { McpSources } from './sources.ts'

export type PageRequest = {
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, string>>
  /** The maximum number of rows. */
  limit?: number
}

type ArgumentSchema = TSchema & { type?: unknown; default?: unknown; description: string }

export type Argument = {
  name: string
  isRequired: boolean
  schema: ArgumentSchema
  /** Completes "must be …". */
  expected: string
  accepts: (value: unknown) => boolean
  /** The part of the request that has it. */
  place: 'params' | 'query' | 'limit'
}

const uncapitalize = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`

export function createArgument(
  argument: Pick<Argument, 'name' | 'isRequired' | 'place'>,
  keywords: { description: string },
  expected = uncapitalize(keywords.description),
): Argument {
  const schema = Type.Unsafe(keywords) as unknown as ArgumentSchema
  const check = Compile(schema)
  return { ...argument, schema, expected, accepts: (value) => check.Check(value) }
}

const createPathArgument = (name: PathParameterName): Argument => {
  const { schema, description, argument, expected } = getPathParameter(name)
  const keywords = { type: 'string', ...(argument ?? { pattern: schema.pattern, description }) }
  return createArgument({ name, isRequired: true, place: 'params' }, keywords, expected)
}

/** The read API checks a text, because its error says what is expected. */
const createQueryArgument = (
  name: ParameterName,
  { requiredParameters = [], parameters }: Operation,
): Argument => {
  const parameter = getParameter(name, parameters)
  const { value, description, argument = { description: describeParameter(parameter) } } = parameter
  const isRequired = requiredParameters.includes(name)
  const keywords = { ...(value ?? { type: 'string' }), ...argument }
  return createArgument({ name, isRequired, place: 'query' }, keywords, description)
}

const createLimit = (maximum: number): Argument =>
  createArgument(
    { name: 'limit', isRequired: false, place: 'limit' },
    {
      ...Type.Integer({ minimum: 1, maximum }),
      description: `An integer from 1 to ${maximum}: the maximum number of rows`,
    },
  )

/** The parameters of the path, those of the query, and the limit of a list. */
export const listArguments = (operation: Operation): Argument[] => {
  const { path, queryParameters, pageSize } = operation
  return [
    ...findPathNames(path).map(createPathArgument),
    ...queryParameters.map((name) => createQueryArgument(name, operation)),
    ...(pageSize === undefined ? [] : [createLimit(pageSize)]),
  ]
}

type Given = Readonly<Record<string, unknown>>
type Called = { name: string; arguments: readonly Argument[] }

/** An integer beyond 2^53 has lost digits, so it stays a number and is refused. */
const normalizeValue = (value: unknown, { type }: ArgumentSchema): unknown => {
  if (type === 'string') return Number.isSafeInteger(value) ? `${value}` : value
  if (typeof value !== 'string') return value
  if (type === 'array') return value.split(',')
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value
  return type === 'integer' && /^-?[0-9]{1,15}$/.test(value) ? Number(value) : value
}

/** Some clients send null or an empty array for an object without members. */
export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0)
}

/** Clients send an omitted argument as null, as an empty text or list, or as its declared default. */
const isEmpty = (value: unknown, { default: usual }: ArgumentSchema): boolean =>
  isAbsent(value) || value === '' || (usual !== undefined && value === usual)

/** Clients send digits as a number, a number as text, and a list as a text with commas. */
const normalizeArguments = (tool: Called, given: Given): Given => {
  const normalized = Object.entries(given).flatMap(([name, value]): [string, unknown][] => {
    const argument = tool.arguments.find((each) => each.name === name)
    if (argument === undefined) return [[name, value]]
    const { schema, isRequired } = argument
    const known = isEmpty(value, schema) ? value : normalizeValue(value, schema)
    return isEmpty(known, schema) && !isRequired ? [] : [[name, known]]
  })
  return Object.fromEntries(normalized)
}

const findMistake = (
  { name, isRequired, schema, expected, accepts }: Argument,
  given: Given,
): string | undefined => {
  if (!Object.hasOwn(given, name)) return isRequired ? 'is required' : undefined
  const value = given[name]
  if (accepts(value)) return undefined
  const isOtherType = schema.type === 'string' && typeof value !== 'string'
  return `must be ${isOtherType ? 'a string: ' : ''}${expected}`
}

/** Many times the arguments of any tool. */
const MAX_ARGUMENTS = 50

const findMistakes = (tool: Called, given: Given): ParameterError[] => {
  const names = tool.arguments.map(({ name }) => name)
  const all = names.length === 0 ? 'it has no arguments' : `its arguments are ${names.join(', ')}`
  const unknown = Object.keys(given)
    .filter((name) => !names.includes(name))
    .map((name) => ({
      parameter: name,
      detail: `is not an argument of ${tool.name}; ${all}`,
    }))
  const wrong = tool.arguments.flatMap((argument) => {
    const detail = findMistake(argument, given)
    return detail === undefined ? [] : [{ parameter: argument.name, detail }]
  })
  return [...unknown, ...wrong]
}

/** Throws `ApiProblem`. */
export const parseArguments = (tool: Called, sent: unknown): PageRequest => {
  const given = isAbsent(sent) ? {} : sent
  if (!isJsonObject(given)) {
    throw invalidParameters([{ parameter: 'arguments', detail: 'must be an object' }])
  }
  if (Object.keys(given).length > MAX_ARGUMENTS) {
    const detail = `must have at most ${MAX_ARGUMENTS} members`
    throw invalidParameters([{ parameter: 'arguments', detail }])
  }
  const normalized = normalizeArguments(tool, given)
  const mistakes = findMistakes(tool, normalized)
  if (mistakes.length > 0) throw invalidParameters(mistakes)
  const pick = (place: Argument['place']): Record<string, string> =>
    Object.fromEntries(
      tool.arguments
        .filter(({ name, ...each }) => each.place === place && Object.hasOwn(normalized, name))
        .map(({ name }) => [name, `${normalized[name]}`]),
    )
  const { limit } = pick('limit')
  return {
    params: pick('params'),
    query: pick('query'),
    ...(limit === undefined ? {} : { limit: Number(limit) }),
  }
}

/** The address of a pool with each role. */
const ADDRESSES = { operator: 'operatorAddress', account: 'accountAddress' } as const

const findRole = (name: string): AddressRole | undefined =>
  getPathParameter(name as PathParameterName).role

/** Throws with the nearest names, or with the addresses of all pools of this name. */
const requireNamedPool = async (
  sources: McpSources,
  parameter: string,
  text: string,
): Promise<Pool> => {
  const { pools, nearest } = findPoolsByName(await sources.pools(), text)
  const [pool, ...others] = pools
  if (pool !== undefined && others.length === 0) return pool
  if (pool !== undefined) {
    const detail = `matches ${pools.length} pools, send the address of one: ${listPools(pools).join(', ')}`
    throw invalidParameters([{ parameter, detail }])
  }
  throw new ApiProblem(
    'pool-not-found',
    nearest.length === 0
      ? 'This chain has no pools yet.'
      : `${parameter} ${quoteMoniker(text)} is neither an address nor the name of a pool. The nearest names are ${listPools(nearest).join(', ')}.`,
  )
}

const findPoolOfAccount = async (sources: McpSources, account: string): Promise<Pool> => {
  const key = addressKey(account)
  const pools = await sources.pools()
  const pool = pools.find(({ accountAddress }) => addressKey(accountAddress) === key)
  if (pool) return pool
  throw new ApiProblem(
    'pool-not-found',
    `${account} is an account without a pool. list_voter_votes lists the votes of an account.`,
  )
}

/** Undefined for an address that the read API accepts, and for one that it refuses with a reason. */
const findPool = async (
  sources: McpSources,
  { name, role }: { name: string; role: AddressRole },
  text: string,
): Promise<Pool | undefined> => {
  if (isHexAddress(text)) return undefined
  const decoded = decodeAddress(text)
  if (decoded === undefined) return requireNamedPool(sources, name, text)
  if (role !== 'operator') return undefined
  const prefixes = await sources.prefixes()
  const isAccount = decoded.prefix === prefixes?.account && decoded.prefix !== prefixes.operator
  return isAccount ? findPoolOfAccount(sources, text.toLowerCase()) : undefined
}

type WithPool = { request: PageRequest; pool: Pool | undefined }

/** `pool` is the pool that was found by its name or account. Throws `ApiProblem`. */
export const resolvePool = async (sources: McpSources, request: PageRequest): Promise<WithPool> => {
  for (const [name, text] of Object.entries(request.params)) {
    const role = findRole(name)
    const pool = role && (await findPool(sources, { name, role }, text))
    if (!pool) continue
    const params = { ...request.params, [name]: pool[ADDRESSES[role]] }
    return { request: { ...request, params }, pool }
  }
  return { request, pool: undefined }
}
