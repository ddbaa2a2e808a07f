// Wraps the node for the pipeline: repeats each read until it succeeds, so an outage delays events and loses none.
import pLimit from 'p-limit'
import type { ChainReader } from '../comet/endpoints/node.ts'
import { type Repeating, repeatRead } from '../comet/endpoints/repeat-read.ts'

export type RetriedNodeOptions = Repeating & {
  /** Limit of concurrent queries; further queries wait. */
  maxConcurrentQueries: number
}

export const createRetriedNode = (
  node: ChainReader,
  { maxConcurrentQueries, ...repeating }: RetriedNodeOptions,
): ChainReader => {
  const limited = pLimit(maxConcurrentQueries)
  return {
    chainId: node.chainId,
    status: () => repeatRead('status', () => node.status(), repeating),
    block: (height, options) => repeatRead('block', () => node.block(height, options), repeating),
    header: (height) => repeatRead('header', () => node.header(height), repeating),
    searchTxs: (query) => repeatRead('tx_search', () => node.searchTxs(query), repeating),
    abciQuery: (request, options) =>
      limited(() => {
        const query = () => node.abciQuery(request, options)
        // A second opinion is worth less than a delay.
        return options?.besides ? query() : repeatRead(request.path, query, repeating)
      }),
    refuse: (answers, reason) => node.refuse?.(answers, reason) ?? false,
  }
}
