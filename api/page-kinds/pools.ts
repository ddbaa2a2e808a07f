// Pages of pools, most tokens first: there are few enough to be read all at once, whichever page is asked for.
import { type Content, listContent } from '../pages/page-content.ts'
import type { Loaded, PageKind, PageSources, Verdict } from '../pages/page-kind.ts'
import { createSharedReads } from '../pages/shared-reads.ts'
import { type ListedPool, type PoolCounts, readPools } from '../queries/list-pools.ts'
import { encodeCursor, scopeOf } from '../request/cursor.ts'
import type { Pool } from '../schemas/pool.ts'
import type { Served } from '../served/served.ts'

const POOLS_PER_PAGE = 100

/** A page by number, or those after one pool where a cursor was followed: its tokens and its address. */
export type PoolsStart = { page: number } | { after: string }

export const POOLS_SCOPE = scopeOf('pools')
export const POOLS_POSITION = /^(?:0|[1-9][0-9]{0,77})~[a-z0-9]{1,128}$/

/** Pools change with the chain, not with a proposal: as long as the height is served, so is the page. */
const keyOf = (served: Served, start: PoolsStart): string => {
  const at = 'page' in start ? `p${start.page}` : `a${start.after}`
  return `pools/${at}/${served.generation}/${served.height}`
}

const poolOf = (row: ListedPool, counts: PoolCounts | undefined): Pool => ({
  operatorAddress: row.operator_address,
  accountAddress: row.account_address,
  moniker: row.moniker,
  status: row.status,
  jailed: row.jailed,
  bondedTokens: row.tokens,
  proposalsVoted: counts?.voted ?? 0,
  proposalsMissed: counts?.missed ?? 0,
})

const positionOf = (row: ListedPool): string => `${row.tokens}~${row.operator_address}`

/** True where a pool comes after a position: fewer tokens, or as many and a later address. */
const isAfter = (row: ListedPool, position: string): boolean => {
  const [tokens = '0', operator = ''] = position.split('~')
  const difference = BigInt(row.tokens) - BigInt(tokens)
  return difference < 0n || (difference === 0n && row.operator_address > operator)
}

const firstOf = (rows: readonly ListedPool[], start: PoolsStart): number => {
  if ('page' in start) return start.page * POOLS_PER_PAGE
  const found = rows.findIndex((row) => isAfter(row, start.after))
  return found < 0 ? rows.length : found
}

type AllPools = { rows: readonly ListedPool[]; items: readonly string[]; verdict: Verdict }

const bytesOf = ({ items }: AllPools): number =>
  // The texts, and about as much for their rows.
  items.reduce((sum, item) => sum + 4 * item.length, 0)

export const createPoolsReader = ({ store, baseUrl, memory }: PageSources) => {
  const share = createSharedReads(memory.area<AllPools>('all pools', bytesOf))
  const readAll = (served: Served): Promise<AllPools> =>
    share(`${served.generation}/${served.height}`, async () => {
      const { rows, counts, isSettled } = await readPools({ store, served })
      const items = rows.map((row) => JSON.stringify(poolOf(row, counts.get(row.operator_address))))
      return { rows, items, verdict: isSettled ? 'settled' : 'moving' }
    })
  const contentOf = (
    shown: readonly ListedPool[],
    start: PoolsStart,
    read: { served: Served; items: readonly string[]; total: number; hasMore: boolean },
  ): Content => {
    const { generation } = read.served
    const cursorAt = (at: string) => encodeCursor({ generation, at, scope: POOLS_SCOPE })
    const last = shown.at(-1)
    return listContent(
      read.items.join(','),
      {
        number: 'page' in start ? start.page : null,
        size: POOLS_PER_PAGE,
        totalItems: read.total,
        nextCursor: read.hasMore && last ? cursorAt(positionOf(last)) : null,
      },
      {
        address: { path: `${baseUrl}/api/pools`, filters: [] },
        cursor: 'after' in start ? cursorAt(start.after) : undefined,
      },
    )
  }
  const load = async (served: Served, start: PoolsStart): Promise<Loaded> => {
    const { rows, items, verdict } = await readAll(served)
    const total = rows.length
    const from = firstOf(rows, start)
    const to = from + POOLS_PER_PAGE
    const shown = rows.slice(from, to)
    const read = { served, items: items.slice(from, to), total, hasMore: to < total }
    const contents = new Map([[keyOf(served, start), contentOf(shown, start, read)]])
    // Tokens in a cursor are those that a pool once had: they cannot be checked later.
    const isUncached = 'after' in start || (from > 0 && from >= total)
    return { contents, verdict, isUncached }
  }
  return (start: PoolsStart): PageKind => ({
    proposalId: null,
    key: (served) => keyOf(served, start),
    load: (served) => load(served, start),
  })
}
