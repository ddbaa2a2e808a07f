// Finds pools by address prefix or part of the moniker, for completions and prompts.
import { isHexFormOf } from '../resources/address.ts'
import { pools } from '../resources/pools.ts'
import type { Pool } from '../schemas/pool.ts'
import type { McpSources } from './sources.ts'

/** Pages of 100 pools, largest first. Smaller pools are not searched. */
const MAX_PAGES = 5

export type FoundPool = Pick<Pool, 'operatorAddress' | 'moniker'>

/** Pools by bonded tokens: the address starts with the text or is it in hex, or the moniker contains it. */
export const findPools = async (
  sources: McpSources,
  text: string,
  signal: AbortSignal,
): Promise<FoundPool[]> => {
  const searchText = text.toLowerCase()
  const found: FoundPool[] = []
  for (
    let page = 0, totalPages = 1;
    page < totalPages && page < MAX_PAGES && !signal.aborted;
    page++
  ) {
    const list = await sources.read(pools, { params: {}, query: { page: `${page}` } })
    totalPages = list.page.totalPages
    for (const { operatorAddress, moniker } of list.items) {
      const isIt =
        operatorAddress.startsWith(searchText) ||
        isHexFormOf(text, operatorAddress) ||
        moniker.toLowerCase().includes(searchText)
      if (isIt) found.push({ operatorAddress, moniker })
    }
  }
  return found
}
