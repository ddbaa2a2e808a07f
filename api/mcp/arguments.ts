// The arguments of a tool: their schemas, and a request of the read API from values that a client sends. Where the address of a
// pool is expected, its name or its account is accepted. Each error says what is expected.
import { type TSchema, Type } from 'typebox'
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

export type Argument = {
  name: string
  isRequired: boolean
  schema: TSchema & { type?: unknown }
  /** Completes "must be …". */
  expected: string
  /** True for a text that its parser accepts, or refuses with a better error. */
  accepts: (text: string) => boolean
  /** The part of the request that has it. */
  place: 'params' | 'query' | 'limit'
}

const uncapitalize = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`

/** Of a value in a path: an error repeats it. */
const MAX_PATH_TEXT = 200

const createPathArgument = (name: PathParameterName): Argument => {
  const { schema: text, description, argument, expected } = getPathParameter(name)
  const keywords = argument ?? { pattern: text.pattern, description }
  return {
    name,
    isRequired: true,
    place: 'params',
    schema: Type.Unsafe({ type: 'string', ...keywords }),
    expected: expected ?? uncapitalize(keywords.description),
    accepts: (text) => text.length <= MAX_PATH_TEXT,
  }
}

const createQueryArgument = (
  name: ParameterName,
  { requiredParameters = [], parameters }: Operation,
): Argument => {
  const parameter = getParameter(name, parameters)
  const { value, description, argument = { description: describeParameter(parameter) } } = parameter
  return {
    name,
    isRequired: requiredParameters.includes(name),
    place: 'query',
    schema: Type.Unsafe({ ...(value ?? { type: 'string' }), ...argument }),
    expected: description,
    accepts: parameter.accepts,
  }
}

const createLimit = (maximum: number): Argument => {
  const expected = `an integer from 1 to ${maximum}: the maximum number of rows`
  return {
    name: 'limit',
    isRequired: false,
    place: 'limit',
    schema: Type.Integer({ minimum: 1, maximum, description: 'Maximum number of rows' }),
    expected,
    accepts: (text) => /^[1-9][0-9]{0,9}$/.test(text) && Number(text) <= maximum,
  }
}

/** The parameters of the path, those of the query, and the limit of a list. */
export const listArguments = (operation: Operation): Argument[] => {
  const { path, queryParameters, pageSize } = operation
  return [
    ...findPathNames(path).map(createPathArgument),
    ...queryParameters.map((name) => createQueryArgument(name, operation)),
    ...(pageSize === undefined ? [] : [createLimit(pageSize)]),
  ]
}

type Called = { name: string; arguments: readonly Argument[] }

/** Some clients send null or an empty array for an object without members. */
export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0)
}

/** As in a URL. Undefined for a value of another type, and for an integer beyond 2^53, which has lost digits. */
const toText = (value: unknown, { type }: Argument['schema']): string | undefined => {
  if (typeof value === 'string') return value
  if (Number.isSafeInteger(value)) return `${value}`
  if (type === 'boolean' && typeof value === 'boolean') return `${value}`
  const isList = type === 'array' && Array.isArray(value)
  return isList && value.every((each) => typeof each === 'string') ? value.join(',') : undefined
}

/** Many times the arguments of any tool. */
const MAX_ARGUMENTS = 50

/** Clients send an omitted argument as null, or as an empty text or list. Throws `ApiProblem` with all mistakes. */
export const parseArguments = (tool: Called, sent: unknown): PageRequest => {
  const given = isAbsent(sent) ? {} : sent
  if (!isJsonObject(given)) {
    throw invalidParameters([{ parameter: 'arguments', detail: 'must be an object' }])
  }
  if (Object.keys(given).length > MAX_ARGUMENTS) {
    const detail = `must have at most ${MAX_ARGUMENTS} members`
    throw invalidParameters([{ parameter: 'arguments', detail }])
  }
  const names = tool.arguments.map(({ name }) => name)
  const all = names.length === 0 ? 'it has no arguments' : `its arguments are ${names.join(', ')}`
  const mistakes: ParameterError[] = Object.keys(given)
    .filter((name) => !names.includes(name))
    .map((name) => ({ parameter: name, detail: `is not an argument of ${tool.name}; ${all}` }))
  const texts: Record<Argument['place'], Record<string, string>> = {
    params: {},
    query: {},
    limit: {},
  }
  for (const { name, isRequired, schema, expected, accepts, place } of tool.arguments) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    const text = isAbsent(value) ? '' : toText(value, schema)
    if (text === '' && isRequired) mistakes.push({ parameter: name, detail: 'is required' })
    else if (text === undefined || (text !== '' && !accepts(text))) {
      mistakes.push({ parameter: name, detail: `must be ${expected}` })
    } else if (text !== '') texts[place][name] = text
  }
  if (mistakes.length > 0) throw invalidParameters(mistakes)
  const { params, query, limit } = texts
  return { params, query, ...(limit['limit'] && { limit: Number(limit['limit']) }) }
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
