// Pools by a part of what they are called: for completions and for questions that name a pool as people do.

import type { Static } from 'typebox'
import type { Pool, PoolPage } from '../schemas/pool.ts'
import type { McpSources } from './sources.ts'

/** By tokens, 100 a page: beyond these a pool is found by its whole address only. */
const MAX_PAGES = 5

export type FoundPool = Pick<Pool, 'operatorAddress' | 'moniker'>

/** Those whose address begins with the text or whose moniker contains it, most tokens first. */
export const findPools = async (
  sources: McpSources,
  text: string,
  signal: AbortSignal,
): Promise<FoundPool[]> => {
  const searchText = text.toLowerCase()
  const found: FoundPool[] = []
  for (let page = 0, pages = 1; page < pages && page < MAX_PAGES && !signal.aborted; page++) {
    const read = await sources.read('listPools', { params: {}, query: { page: `${page}` } })
    const list = JSON.parse(read) as Static<typeof PoolPage>
    pages = list.page.totalPages
    for (const { operatorAddress, moniker } of list.items) {
      const isIt =
        operatorAddress.startsWith(searchText) || moniker.toLowerCase().includes(searchText)
      if (isIt) found.push({ operatorAddress, moniker })
    }
  }
  return found
}
