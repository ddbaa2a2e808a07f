// A store that counts queries and can block them until a test releases them.
import type { Store } from '../../../infra/base/clickhouse/client.ts'

export type WatchedStore = Store & {
  /** The SQL of all queries. */
  queries: string[]
  /** Current number of concurrent queries, and its maximum. */
  running: number
  most: number
  /** Blocks queries until they are released. */
  hold(): void
  release(): void
}

/** `isDelayed`: the queries that `hold` blocks. */
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
