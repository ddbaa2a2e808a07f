// Finds the heights of transactions by the index of an endpoint: a hint, of which only the heights are kept.
import { AppError, hasCode } from '../../../infra/base/runtime/errors.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import type { ChainNode, FoundHeights } from '../endpoints/node.ts'
import type { Pool } from '../endpoints/pool.ts'
import { list, readHeight } from '../transport/decode.ts'
import type { RpcTxSearch } from '../transport/wire.ts'

/** A page has whole transactions: short ones fit the limit of a response. */
const PER_PAGE = 30
/** So many transactions of one query. */
const MAX_FOUND = 200_000

/** An endpoint without an index is healthy. */
function toRefusal(error: unknown): FoundHeights {
  const isRefusal = error instanceof AppError && hasCode(error, 'RPC_REFUSED')
  if (!isRefusal || error.retryable) throw error
  return { heights: [], reason: error.message }
}

async function search({ call, name }: Endpoint, query: string): Promise<FoundHeights> {
  const heights = new Set<number>()
  let last: string | null | undefined
  for (let [page, seen] = [1, 0]; ; page++) {
    const paging = { page: `${page}`, per_page: `${PER_PAGE}`, order_by: 'asc' }
    const found = await call<RpcTxSearch>('tx_search', { query, prove: false, ...paging })
    const txs = list(found.txs, 'txs')
    for (const tx of txs) heights.add(readHeight(tx?.height, 'txs.height'))
    const total = readHeight(found.total_count ?? 0, 'total_count')
    seen += txs.length
    const isRepeated = txs[0]?.hash === last
    last = txs[0]?.hash
    if (seen < total && txs.length > 0 && !isRepeated && seen < MAX_FOUND) continue
    const reason = `the index of ${name} returned ${seen} of ${total} transactions`
    return { heights: [...heights], reason: seen < total ? reason : null }
  }
}

/** Each endpoint has its own index: `pool` is one endpoint, or the best one is asked. */
export function createTxSearch({ read }: Pool): ChainNode['searchTxs'] {
  const need = { kept: 'block', height: 0, what: 'tx_search' } as const
  return (query, patience = {}) =>
    read({ ...patience, ...need }, (each) => search(each, query).catch(toRefusal))
}
