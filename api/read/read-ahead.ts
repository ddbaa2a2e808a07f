// Prefetches the next vote for clients that read votes in sequence: the only adjacent vote that is not in the cache.
// The first and the last vote have only one adjacent vote. The cache shows the direction, so no state per client is necessary.
// Requests in random order prefetch nothing.
import { createQueryKey, type Query } from './query.ts'
import type { Snapshot } from './snapshot.ts'

type AnyQuery = Query<unknown, unknown>

export type ReadAhead = {
  /** Called after a client caused the read of a query. */
  read(snapshot: Snapshot, query: AnyQuery): void
  /** Called after a cache hit. Prefetches again if the query itself was prefetched. */
  found(snapshot: Snapshot, query: AnyQuery): void
}

export type ReadAheadOptions = {
  isCached: (query: AnyQuery, snapshot: Snapshot) => boolean
  /** True while no client waits for a read. Only then is a query prefetched. */
  isIdle: () => boolean
  /** Starts a read and ignores its failure: a client that requests the query starts its own read. */
  start: (query: AnyQuery, snapshot: Snapshot) => void
}

/** Maximum number of prefetched queries that no client has requested yet. */
const MAX_WAITING = 100

export const createReadAhead = ({ isCached, isIdle, start }: ReadAheadOptions): ReadAhead => {
  const waiting = new Set<string>()

  const readNext = (snapshot: Snapshot, query: AnyQuery): void => {
    const adjacent = query.getAdjacent?.(snapshot) ?? []
    const uncached = adjacent.filter((candidate) => !isCached(candidate, snapshot))
    const [next] = uncached
    if (!next || uncached.length > 1 || !isIdle()) return
    if (waiting.size >= MAX_WAITING) waiting.clear()
    waiting.add(createQueryKey(next, snapshot))
    start(next, snapshot)
  }
  return {
    read: readNext,
    found: (snapshot, query) => {
      if (query.getAdjacent && waiting.delete(createQueryKey(query, snapshot)))
        readNext(snapshot, query)
    },
  }
}
