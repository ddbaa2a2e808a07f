// The node as one user of it reads: with a budget for each read, and a limit of state queries at a time.
import pLimit from 'p-limit'
import type { ChainReader, Patience } from '../comet/endpoints/node.ts'

export type RetriedNodeOptions = {
  /** How long each read is repeated; by default until it succeeds, so that an outage delays events and loses none. */
  budgetMs?: number
  signal: AbortSignal
  /** Limit of concurrent queries; further queries wait. */
  maxConcurrentQueries: number
}

export function createRetriedNode(
  node: ChainReader,
  { maxConcurrentQueries, budgetMs = Number.POSITIVE_INFINITY, signal }: RetriedNodeOptions,
): ChainReader {
  const limited = pLimit(maxConcurrentQueries)
  const patience: Patience = { budgetMs, signal }
  return {
    chainId: node.chainId,
    status: () => node.status(patience),
    block: (height, options) => node.block(height, { ...patience, ...options }),
    header: (height) => node.header(height, patience),
    searchTxs: (query) => node.searchTxs(query, patience),
    abciQuery: (request, options) =>
      limited(() => node.abciQuery(request, { ...patience, ...options })),
    refuse: (answers, reason) => node.refuse?.(answers, reason) ?? false,
  }
}
