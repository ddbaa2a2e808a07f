// A store whose queries a test can count, and hold back until it lets them go.
import type { Store } from '../../../infra/clickhouse/client.ts'

export type WatchedStore = Store & {
  /** The SQL of every query so far. */
  queries: string[]
  /** Queries under way, and the most there ever were at a time. */
  running: number
  most: number
  /** From now on queries wait until they are released. */
  hold(): void
  release(): void
}

/** `isHeldBack`: which queries `hold` is about. */
export const watchStore = (
  store: Store,
  isDelayed: (sql: string) => boolean = () => true,
): WatchedStore => {
  let delay: Promise<void> | undefined
  let open = () => {}
  const watch = async <Found>(sql: string, query: () => Promise<Found>): Promise<Found> => {
    watched.queries.push(sql)
    watched.running += 1
    watched.most = Math.max(watched.most, watched.running)
    try {
      if (isDelayed(sql)) await delay
      return await query()
    } finally {
      watched.running -= 1
    }
  }
  const watched: WatchedStore = {
    ...store,
    queries: [],
    running: 0,
    most: 0,
    hold: () => {
      delay = new Promise((resolve) => {
        open = resolve
      })
    },
    release: () => {
      open()
      delay = undefined
    },
    select: (sql, ...rest) => watch(sql, () => store.select(sql, ...rest)),
    selectBytes: (sql, ...rest) => watch(sql, () => store.selectBytes(sql, ...rest)),
  }
  return watched
}
