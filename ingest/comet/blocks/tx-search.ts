// Finds the heights of transactions by the index of an endpoint: a hint, of which only the heights are kept.
import { AppError, hasCode } from '../../../infra/base/runtime/errors.ts'
import { askInTurn } from '../endpoints/ask-endpoints.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import type { ChainNode, FoundHeights } from '../endpoints/node.ts'
import type { Pool, Within } from '../endpoints/pool.ts'
import { list, readHeight } from '../transport/decode.ts'
import type { RpcTxSearch } from '../transport/wire.ts'

/** A page has whole transactions: short ones fit the limit of a response. */
const PER_PAGE = 30
/** So many transactions of one query. */
const MAX_FOUND = 200_000

/** `refused`: the endpoint is healthy, but has no index. */
type Page = { endpoint: Endpoint } & (
  | { heights: number[]; total: number; first: string | undefined }
  | { refused: string }
)

const askForPage =
  (query: string, page: number) =>
  async (endpoint: Endpoint): Promise<Page> => {
    const paging = { page: `${page}`, per_page: `${PER_PAGE}`, order_by: 'asc' }
    try {
      const found = await endpoint.call<RpcTxSearch>('tx_search', {
        query,
        prove: false,
        ...paging,
      })
      const txs = list(found.txs, 'txs')
      const heights = txs.map((tx) => readHeight(tx?.height, 'txs.height'))
      const total = readHeight(found.total_count ?? 0, 'total_count')
      return { endpoint, heights, total, first: txs[0]?.hash ?? undefined }
    } catch (error) {
      const isRefusal =
        error instanceof AppError && hasCode(error, 'RPC_REFUSED') && !error.retryable
      if (!isRefusal) throw error
      return { endpoint, refused: error.message }
    }
  }

/** All pages come from the endpoint of the first one. */
export const createTxSearch =
  ({ endpoints }: Pool, within: Within): ChainNode['searchTxs'] =>
  async (query): Promise<FoundHeights> => {
    const need = { kept: 'block', height: 0 } as const
    let asked = endpoints
    let reason = 'no endpoint has an index of transactions'
    const heights = new Set<number>()
    let last: string | undefined
    for (let [page, seen] = [1, 0]; asked.length > 0; page++) {
      const from = asked
      const answer = await within('tx_search', () => askInTurn(from, need, askForPage(query, page)))
      if ('refused' in answer) {
        reason = answer.refused
        if (page > 1) return { heights: [...heights], reason }
        asked = asked.filter((each) => each !== answer.endpoint)
        page = 0
        continue
      }
      for (const height of answer.heights) heights.add(height)
      seen += answer.heights.length
      if (seen >= answer.total) return { heights: [...heights], reason: null }
      const isRepeated = answer.first !== undefined && answer.first === last
      last = answer.first
      if (answer.heights.length === 0 || isRepeated || seen >= MAX_FOUND) {
        reason = `the index of ${answer.endpoint.name} returned ${seen} of ${answer.total} transactions`
        return { heights: [...heights], reason }
      }
      asked = [answer.endpoint]
    }
    return { heights: [], reason }
  }
