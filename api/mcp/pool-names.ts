// Replaces the name or the account of a pool in the arguments of a tool by the address that the read API expects.
import { addressKey, decodeAddress, isHexAddress } from '../../ingest/contract/address.ts'
import { findPoolsByName, listPools, quoteMoniker } from '../pool-search.ts'
import { ApiProblem } from '../problem.ts'
import type { AddressRole } from '../resources/parameters.ts'
import { invalidParameters } from '../resources/parameters.ts'
import { getPathParameter, type PathParameterName } from '../resources/path-parameters.ts'
import type { Pool } from '../schemas/pool.ts'
import type { PageRequest } from './arguments.ts'
import type { McpSources } from './sources.ts'

/** The address of a pool with each role. */
const ADDRESSES = { operator: 'operatorAddress', account: 'accountAddress' } as const

const findRole = (name: string): AddressRole | undefined =>
  getPathParameter(name as PathParameterName).role

/** All pools with this name or address, at least one. Throws `pool-not-found` with the nearest names. */
export const requirePools = async (
  sources: McpSources,
  parameter: string,
  text: string,
): Promise<readonly Pool[]> => {
  const found = findPoolsByName(await sources.pools(), text)
  if (found.pools.length > 0) return found.pools
  const nearest = listPools(found.nearest).join(', ')
  throw new ApiProblem(
    'pool-not-found',
    nearest === ''
      ? 'This chain has no pools yet.'
      : `${parameter} ${quoteMoniker(text)} is neither an address nor the name of a pool. The nearest names are ${nearest}.`,
  )
}

const requireNamedPool = async (
  sources: McpSources,
  parameter: string,
  text: string,
): Promise<Pool> => {
  const [pool, ...others] = await requirePools(sources, parameter, text)
  if (pool !== undefined && others.length === 0) return pool
  const all = pool === undefined ? others : [pool, ...others]
  const detail = `matches ${all.length} pools, send the address of one: ${listPools(all).join(', ')}`
  throw invalidParameters([{ parameter, detail }])
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
