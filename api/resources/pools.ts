// `GET /api/pools`: pools by power, participation or missed votes. All pages come from one read, because a chain has few pools.

import { Type } from 'typebox'
import { compareText } from '../../ingest/contract/address.ts'
import { readPools } from '../read/queries/pools.ts'
import { compareLargest } from '../read/queries/values.ts'
import { createInnerQuery, heightVersion } from '../read/query.ts'
import { POOL_COLUMNS, type Pool, PoolPage } from '../schemas/pool.ts'
import { defineList, type Start } from './list.ts'
import { asText, createParameter, type OwnParameters } from './parameters.ts'
import { quoteMoniker, searchPools } from './pool-search.ts'

const POOLS_PER_PAGE = 100

/** By bonded tokens. Pools change with the height, not with a proposal. */
export const allPools = createInnerQuery<readonly Pool[]>({
  name: 'all pools',
  proposalId: null,
  version: heightVersion,
  read: async (reads) => ({ value: await readPools(reads) }),
})

/** The values that decide the order of a pool, which a cursor has too. */
type Place = Pick<Pool, 'operatorAddress' | 'bondedTokens' | 'proposalsVoted' | 'proposalsMissed'>
type Compare = (one: Place, other: Place) => number

const byTokens: Compare = (one, other) =>
  compareLargest(BigInt(one.bondedTokens), BigInt(other.bondedTokens)) ||
  compareText(one.operatorAddress, other.operatorAddress)

const countAll = ({ proposalsVoted, proposalsMissed }: Place): number =>
  proposalsVoted + proposalsMissed

/** The largest share of votes first; a pool that could not vote yet is last. The share of many votes counts more. */
const byParticipation: Compare = (one, other) => {
  const [mine, others] = [countAll(one), countAll(other)]
  if (mine === 0 || others === 0) return others - mine
  return (
    other.proposalsVoted * mine - one.proposalsVoted * others ||
    other.proposalsVoted - one.proposalsVoted
  )
}

const byMissed: Compare = (one, other) => other.proposalsMissed - one.proposalsMissed

const POOL_ORDERS = ['power', 'participation', 'missed'] as const
type PoolOrder = (typeof POOL_ORDERS)[number]

const POOL_PARAMETERS = {
  q: createParameter(
    '^[^\\u0000]{1,200}$',
    '1 to 200 characters: a part of the name of a pool, or the start of its operator address or account',
    {
      parse: asText,
      example: 'foundation',
      argument: { description: 'A part of the name, or the start of an address', maxLength: 200 },
    },
  ),
  sort: createParameter(
    `^(${POOL_ORDERS.join('|')})$`,
    'power (bonded tokens, default), participation (the largest share of votes first) or missed (most first)',
    {
      // The default has one form in cache keys and links: the parameter is absent.
      parse: (raw): Exclude<PoolOrder, 'power'> | undefined =>
        raw === 'power' ? undefined : (raw as Exclude<PoolOrder, 'power'>),
      value: Type.String({ enum: [...POOL_ORDERS], default: 'power' }),
      example: 'participation',
      argument: {
        description: 'power; participation: largest share of votes first; missed: most first',
      },
    },
  ),
} as const satisfies OwnParameters

const ORDERS: Readonly<Record<PoolOrder, Compare>> = {
  power: byTokens,
  participation: (one, other) => byParticipation(one, other) || byTokens(one, other),
  missed: (one, other) => byMissed(one, other) || byTokens(one, other),
}

const formatPosition = (pool: Place): string =>
  [pool.bondedTokens, pool.proposalsVoted, pool.proposalsMissed, pool.operatorAddress].join('~')

const parsePosition = (position: string): Place => {
  const [bondedTokens = '0', voted, missed, operatorAddress = ''] = position.split('~')
  return {
    operatorAddress,
    bondedTokens,
    proposalsVoted: Number(voted),
    proposalsMissed: Number(missed),
  }
}

const findFirst = (pools: readonly Pool[], start: Start, compare: Compare): number => {
  if ('page' in start) return start.page * POOLS_PER_PAGE
  const place = parsePosition(start.position)
  const found = pools.findIndex((pool) => compare(pool, place) > 0)
  return found < 0 ? pools.length : found
}

const MAX_NAMED = 3

/** The pools of a page with the most missed proposals. */
const describeMissed = (page: readonly Pool[]): string[] => {
  const named = page
    .filter(({ proposalsMissed }) => proposalsMissed > 0)
    .toSorted(byMissed)
    .slice(0, MAX_NAMED)
    .map(({ moniker, proposalsMissed }) => `${quoteMoniker(moniker)} ${proposalsMissed}`)
  return named.length === 0 ? [] : [`Most missed votes of these: ${named.join(', ')}.`]
}

export const pools = defineList({
  operationId: 'listPools',
  path: '/api/pools',
  tag: 'Pools and voters',
  summary: 'List pools by power, participation or missed votes',
  guide: 'pools with their power, and the numbers of their votes and missed votes',
  description:
    '100 pools per page, largest first, each with its share of the voting power and the number of its votes and missed votes.',
  queryParameters: ['page', 'cursor', 'q', 'sort'],
  parameters: POOL_PARAMETERS,
  answer: PoolPage,
  paging: 'numbered',
  pageSize: POOLS_PER_PAGE,
  pagesPerReading: 1,
  // The values of the last pool on the previous page.
  positionPattern:
    /^(?:0|[1-9][0-9]{0,77})~(?:0|[1-9][0-9]{0,6})~(?:0|[1-9][0-9]{0,6})~[!-@[-~]{1,128}$/,
  columns: POOL_COLUMNS,
  getWholePath: ({ operatorAddress }) => `/api/pools/${operatorAddress}/votes`,
  version: () => heightVersion,
  read: async (reads, { q, sort }, { start, limit }) => {
    const compare = ORDERS[(sort as PoolOrder | undefined) ?? 'power']
    const { value } = await reads.use(allPools)
    const all = (q === undefined ? value : searchPools(value, q)).toSorted(compare)
    const from = findFirst(all, start, compare)
    const items = all.slice(from, from + limit)
    return {
      items,
      total: all.length,
      positionAfter: (index) => formatPosition(items[index] as Pool),
      // The values in a cursor can be outdated, so a client can use any of them.
      isUncached: 'position' in start,
    }
  },
  tool: {
    name: 'list_pools',
    title: 'List pools by power',
    description:
      'Lists pools by bonded tokens, largest first, with their share of the power and the numbers of proposals voted on and missed.',
    rows: 'pools',
    lines: ({ items }) => describeMissed(items),
    row: ({ moniker, status, jailed, bondedTokens, proposalsVoted, proposalsMissed }) =>
      `${quoteMoniker(moniker)} ${status}${jailed ? ', jailed' : ''}: ${bondedTokens} tokens, voted ${proposalsVoted}, missed ${proposalsMissed}`,
  },
})
