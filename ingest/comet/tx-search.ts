// Finds the heights of transactions by the index of an endpoint. Keeps only heights: a response is read in parts, page by page.
import { AppError, hasCode } from '../../infra/base/runtime/errors.ts'
import { askInTurn } from './ask-endpoints.ts'
import { list, readHeight } from './decode.ts'
import type { Endpoint } from './endpoint.ts'
import { createJsonListReader } from './json-lists.ts'
import type { ChainNode, FoundHeights } from './node.ts'
import type { Pool, Within } from './pool.ts'
import type { PartReader } from './response-body.ts'
import type { RpcTxSearch } from './wire.ts'

/** The largest page that CometBFT allows; an endpoint may return fewer. */
const PER_PAGE = 100
/** So many transactions of one query. */
const MAX_FOUND = 200_000
const MAX_PAGES = 2 * (MAX_FOUND / PER_PAGE)

type Found = { hash?: unknown; height?: unknown } | null

/** `first`: the hash of the first transaction; two pages with the same one are the same page. */
type Page = { heights: readonly number[]; total: number; first: string | null }

/** Keeps the heights of a list that comes in any number of parts. */
const createHeights = () => {
  const heights: number[] = []
  let first: string | null = null
  return {
    heights,
    add: (items: readonly unknown[]) => {
      for (const each of items as readonly Found[]) {
        if (heights.length === 0) first = typeof each?.hash === 'string' ? each.hash : null
        heights.push(readHeight(each?.height, 'txs.height'))
      }
    },
    getFirst: () => first,
  }
}

/** The transactions of a large page are never complete in memory. */
const createPageReader = () => {
  let kept = createHeights()
  return {
    read: ({ txs, total_count: total }: RpcTxSearch): Page => {
      kept.add(list(txs, 'txs'))
      const { heights, getFirst } = kept
      return { heights, first: getFirst(), total: readHeight(total ?? 0, 'total_count') }
    },
    createPartReader: (): PartReader => {
      // A repeated request begins again.
      const own = createHeights()
      kept = own
      const reader = createJsonListReader({ result: { txs: true } }, ({ items }) => own.add(items))
      return {
        write: (chunk) => reader.write(chunk),
        end: () => reader.end(),
        get pendingBytes() {
          return reader.pendingBytes
        },
        get keptBytes() {
          return own.heights.length * 8
        },
      }
    },
  }
}

/** `refused`: the endpoint is healthy, but has no index. */
type Answer = { endpoint: Endpoint } & ({ page: Page } | { refused: string })

const askForPage =
  (query: string, page: number) =>
  async (endpoint: Endpoint): Promise<Answer> => {
    const { read, createPartReader } = createPageReader()
    const params = {
      query,
      prove: false,
      page: `${page}`,
      per_page: `${PER_PAGE}`,
      order_by: 'asc',
    }
    try {
      const found = await endpoint.call<RpcTxSearch>('tx_search', params, { createPartReader })
      return { endpoint, page: read(found) }
    } catch (error) {
      const isRefusal =
        error instanceof AppError && hasCode(error, 'RPC_REFUSED') && !error.retryable
      if (!isRefusal) throw error
      return { endpoint, refused: error.message }
    }
  }

type Ask = (endpoints: readonly Endpoint[], page: number) => Promise<Answer>

/** All pages from the endpoint of the first one. */
const readPages = async (first: Answer & { page: Page }, ask: Ask): Promise<FoundHeights> => {
  const { endpoint } = first
  const heights = new Set(first.page.heights)
  let last = first.page
  let seen = last.heights.length
  const finish = (reason: string | null) => ({ heights: [...heights], reason })
  for (let number = 2; seen < last.total; number++) {
    if (seen >= MAX_FOUND || number > MAX_PAGES) {
      return finish(`the index of ${endpoint.name} has more than ${seen} transactions`)
    }
    const answer = await ask([endpoint], number)
    if ('refused' in answer) return finish(answer.refused)
    if (answer.page.heights.length === 0) {
      return finish(`the index of ${endpoint.name} returned ${seen} of ${last.total} transactions`)
    }
    const { page } = answer
    if (page.first !== null && page.first === last.first) {
      return finish(`the index of ${endpoint.name} repeats a page`)
    }
    last = page
    seen += page.heights.length
    for (const height of page.heights) heights.add(height)
  }
  return finish(null)
}

export const createTxSearch =
  ({ endpoints }: Pool, within: Within): ChainNode['searchTxs'] =>
  async (query) => {
    const need = { kept: 'block', height: 0 } as const
    const ask: Ask = (asked, page) =>
      within('tx_search', () => askInTurn(asked, need, askForPage(query, page)))
    let left = endpoints
    let reason = 'no endpoint has an index of transactions'
    while (left.length > 0) {
      const answer = await ask(left, 1)
      if ('page' in answer) return await readPages(answer, ask)
      reason = answer.refused
      left = left.filter((each) => each !== answer.endpoint)
    }
    return { heights: [], reason }
  }
