// `GET /api/pools`: pools by bonded tokens. All pages come from one read, because a chain has few pools.
import { readPools } from '../read/queries/pools.ts'
import { createInnerQuery, heightVersion } from '../read/query.ts'
import { POOL_COLUMNS, type Pool, PoolPage } from '../schemas/pool.ts'
import { defineList } from './list.ts'
import type { Start } from './list-start.ts'

const POOLS_PER_PAGE = 100

/** Pools change with the height, not with a proposal. */
const allPools = createInnerQuery<readonly Pool[]>({
  name: 'all pools',
  proposalId: null,
  version: heightVersion,
  read: async (reads) => ({ value: await readPools(reads) }),
})

const formatPosition = ({ bondedTokens, operatorAddress }: Pool): string =>
  `${bondedTokens}~${operatorAddress}`

/** True for a pool after a position: it has fewer tokens, or the same tokens and a later address. */
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

export const pools = defineList({
  operationId: 'listPools',
  path: '/api/pools',
  tag: 'Pools and voters',
  summary: 'List pools by bonded tokens',
  description:
    '100 pools per page, largest first, each with the number of its votes and missed votes.',
  queryParameters: ['page', 'cursor'],
  answer: PoolPage,
  paging: 'numbered',
  pageSize: POOLS_PER_PAGE,
  pagesPerReading: 1,
  // Tokens and address of the last pool on the previous page.
  positionPattern: /^(?:0|[1-9][0-9]{0,77})~[!-@[-~]{1,128}$/,
  columns: POOL_COLUMNS,
  getWholePath: ({ operatorAddress }) => `/api/pools/${operatorAddress}/votes`,
  scope: () => ['pools'],
  version: () => heightVersion,
  read: async (reads, _args, { start, limit }) => {
    const { value: all } = await reads.use(allPools)
    const from = findFirst(all, start)
    const items = all.slice(from, from + limit)
    const last = items.at(-1)
    const follows = from + items.length < all.length
    return {
      items,
      total: all.length,
      getPositionAfter: () => (last && follows ? formatPosition(last) : null),
      // The tokens in a cursor can be outdated, so a client can use any value.
      isUncached: 'position' in start,
    }
  },
})
