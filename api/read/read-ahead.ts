// What a client that walks from vote to vote will ask for next. A client that came to a vote from one of its neighbours goes on to the
// other one; from the first or the last vote there is only one way. The cache shows where a walk came from, so that no client has to be
// remembered, and requests in no order read nothing ahead.
import { createQueryKey, type Query } from './query.ts'
import type { Snapshot } from './snapshot.ts'

type AnyQuery = Query<unknown, unknown>

export type ReadAhead = {
  /** A query was read because a client asked for it. */
  read(snapshot: Snapshot, query: AnyQuery): void
  /** A query was found in the cache; continues where it had been read ahead. */
  found(snapshot: Snapshot, query: AnyQuery): void
}

export type ReadAheadOptions = {
  isCached: (query: AnyQuery, snapshot: Snapshot) => boolean
  /** True while no client waits for a reading: only then is there time for another one. */
  isIdle: () => boolean
  /** Starts a reading whose failure is ignored: a client that asks for the query gets its own. */
  start: (query: AnyQuery, snapshot: Snapshot) => void
}

/** Read ahead and not asked for yet; older ones are forgotten. */
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
