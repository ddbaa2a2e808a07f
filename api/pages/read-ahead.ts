// What a walking agent will ask for next: whoever came to a vote from its neighbour on one side goes on to the other,
// and whoever begins at either end can only go one way. Needs no memory of agents: the cache shows where a walk came
// from, and a walk that is no sequence reads nothing ahead.

import type { Served } from '../served/served.ts'
import type { PageKind } from './page-kind.ts'

export type ReadAhead = {
  /** A page was read because somebody waited for it. */
  read(served: Served, kind: PageKind): void
  /** A page was found; goes on where it had been read ahead. */
  found(served: Served, kind: PageKind, key: string): void
}

export type ReadAheadOptions = {
  isCached: (key: string) => boolean
  /** Nobody waits for a reading: only then is there time for another. */
  isIdle: () => boolean
  /** Starts a reading whose failure nobody hears of. */
  start: (served: Served, kind: PageKind) => void
}

/** Read ahead and not asked for yet; older ones are forgotten. */
const MAX_WAITING = 100

export const createReadAhead = ({ isCached, isIdle, start }: ReadAheadOptions): ReadAhead => {
  const waiting = new Set<string>()

  const goOn = (served: Served, kind: PageKind): void => {
    const neighbours = kind.neighbours?.(served) ?? []
    const unread = neighbours.filter((neighbour) => !isCached(neighbour.key(served)))
    const [next] = unread
    if (!next || unread.length > 1 || !isIdle()) return
    if (waiting.size >= MAX_WAITING) waiting.clear()
    waiting.add(next.key(served))
    start(served, next)
  }
  return {
    read: goOn,
    found: (served, kind, key) => {
      if (waiting.delete(key)) goOn(served, kind)
    },
  }
}
