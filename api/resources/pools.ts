// `GET /api/pools`: pools, most tokens first. There are few enough to be read all at once, whichever page is asked for.
import type { Static } from 'typebox'
import { readPools } from '../read/queries/pools.ts'
import { createInnerQuery, heightVersion, toConsistency } from '../read/query.ts'
import { POOL_COLUMNS, type Pool, PoolPage } from '../schemas/pool.ts'
import { defineList } from './list.ts'
import type { Start } from './list-envelope.ts'
import { READ_PROBLEMS, STORE_PROBLEMS } from './operation.ts'

const POOLS_PER_PAGE = 100

/** Pools change with the chain, not with a proposal: as long as the height is served, so is the list. */
const allPools = createInnerQuery<readonly Pool[]>({
  name: 'all pools',
  proposalId: null,
  version: heightVersion,
  read: async (reads) => {
    const { pools, isConsistent } = await readPools(reads)
    return { value: pools, consistency: toConsistency(isConsistent) }
  },
})

const formatPosition = ({ bondedTokens, operatorAddress }: Pool): string =>
  `${bondedTokens}~${operatorAddress}`

/** True where a pool comes after a place: fewer tokens, or as many and a later address. */
const isAfter = (pool: Pool, position: string): boolean => {
  const [tokens = '0', operator = ''] = position.split('~')
  const difference = BigInt(pool.bondedTokens) - BigInt(tokens)
  return difference < 0n || (difference === 0n && pool.operatorAddress > operator)
}

const findFirst = (pools: readonly Pool[], start: Start): number => {
  if ('page' in start) return start.page * POOLS_PER_PAGE
  const found = pools.findIndex((pool) => isAfter(pool, start.position))
  return found < 0 ? pools.length : found
}

export const pools = defineList<Pool, Static<typeof PoolPage>, never, 'page' | 'cursor'>({
  operationId: 'listPools',
  path: '/api/pools',
  tag: 'Pools and voters',
  summary: 'Pools, most tokens first',
  description: '100 a page, each with how many votes it cast and missed.',
  pathParameters: [],
  queryParameters: ['page', 'cursor'],
  answer: PoolPage,
  problems: [...READ_PROBLEMS, 'cursor-expired', ...STORE_PROBLEMS],
  paging: 'numbered',
  pageSize: POOLS_PER_PAGE,
  pagesPerReading: 1,
  // The tokens and the address of the pool before.
  positionPattern: /^(?:0|[1-9][0-9]{0,77})~[a-z0-9]{1,128}$/,
  columns: POOL_COLUMNS,
  scope: () => ['pools'],
  version: () => heightVersion,
  read: async (reads, _args, { start, limit }) => {
    const { value: all, consistency } = await reads.use(allPools)
    const from = findFirst(all, start)
    const items = all.slice(from, from + limit)
    const last = items.at(-1)
    const follows = from + items.length < all.length
    return {
      items,
      total: all.length,
      getPositionAfter: () => (last && follows ? formatPosition(last) : null),
      consistency,
      // Tokens in a cursor are those that a pool once had: they cannot be checked later.
      isUncached: 'position' in start,
    }
  },
})
