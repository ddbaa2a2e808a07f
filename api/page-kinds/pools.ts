// Pages of pools, most tokens first: there are few enough to be read all at once, whichever page is asked for.
import type { Store } from '../../infra/clickhouse/client.ts'
import { type Content, listContent } from '../pages/page-content.ts'
import type { PageKind } from '../pages/page-kind.ts'
import { type ListedPool, type PoolCounts, readPools } from '../queries/list-pools.ts'
import { encodeCursor, scopeOf } from '../request/cursor.ts'
import type { Pool } from '../schemas/pool.ts'
import type { Served } from '../served/served.ts'

const POOLS_PER_PAGE = 100

/** A page by number, or those after one pool where a cursor was followed: its tokens and its address. */
export type PoolsStart = { page: number } | { after: string }

export const POOLS_SCOPE = scopeOf('pools')
export const POOLS_POSITION = /^[0-9]{1,78}~[a-z0-9]{1,128}$/

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

export const createPoolsReader = (store: Store, baseUrl: string) => {
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
  const load = async (served: Served, wish: PoolsStart) => {
    const { rows, counts, isSettled } = await readPools({ store, served })
    const contents = new Map<string, Content>()
    const total = rows.length
    let start = wish
    for (
      let from = firstOf(rows, wish);
      contents.size === 0 || from < total;
      from += POOLS_PER_PAGE
    ) {
      const shown = rows.slice(from, from + POOLS_PER_PAGE)
      const items = shown.map((row) =>
        JSON.stringify(poolOf(row, counts.get(row.operator_address))),
      )
      const hasMore = from + POOLS_PER_PAGE < total
      contents.set(keyOf(served, start), contentOf(shown, start, { served, items, total, hasMore }))
      const last = shown.at(-1)
      if ('page' in start) start = { page: start.page + 1 }
      else if (last) start = { after: positionOf(last) }
    }
    return { contents, verdict: isSettled ? 'settled' : 'moving' } as const
  }
  return (start: PoolsStart): PageKind => ({
    proposalId: null,
    key: (served) => keyOf(served, start),
    load: (served) => load(served, start),
  })
}
