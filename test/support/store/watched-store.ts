// A store that counts queries and can block them until a test releases them.
import type { Store } from '../../../infra/base/clickhouse/client.ts'

/** `isDelayed`: the queries that `hold` blocks. */
export const watchStore = (store: Store, isDelayed: (sql: string) => boolean = () => true) => {
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
  const watched = {
    ...store,
    /** The SQL of all queries. */
    queries: [] as string[],
    /** Current number of concurrent queries, and its maximum. */
    running: 0,
    most: 0,
    /** Blocks queries until they are released. */
    hold: () => {
      delay = new Promise((resolve) => {
        open = resolve
      })
    },
    release: () => {
      open()
      delay = undefined
    },
    select: <Row>(...[sql, ...rest]: Parameters<Store['select']>) =>
      watch(sql, () => store.select<Row>(sql, ...rest)),
    selectBytes: (...[sql, ...rest]: Parameters<Store['selectBytes']>) =>
      watch(sql, () => store.selectBytes(sql, ...rest)),
  }
  return watched
}
