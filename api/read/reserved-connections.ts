// The store as pages read it: a few connections are left for what must never wait, such as the look at the checkpoint.
import pLimit from 'p-limit'
import { MAX_STORE_CONNECTIONS, type Store } from '../../infra/clickhouse/client.ts'

/** For the look at the checkpoint of the served generation, and for one at a former generation. */
const RESERVED_CONNECTIONS = 2

export const withReservedConnections = (store: Store): Store => {
  const turns = pLimit(MAX_STORE_CONNECTIONS - RESERVED_CONNECTIONS)
  return {
    ...store,
    select: (...query) => turns(() => store.select(...query)),
    selectBytes: (...query) => turns(() => store.selectBytes(...query)),
  }
}
