// Wraps every read of a store, such as to limit or to count it. Reads of pages leave connections for those of the checkpoint.
import pLimit from 'p-limit'
import { MAX_STORE_CONNECTIONS, type Store } from '../../infra/base/clickhouse/client.ts'

export type AroundRead = <Result>(read: () => Promise<Result>) => Promise<Result>

export const wrapReads = (store: Store, around: AroundRead): Store => ({
  ...store,
  select: (...query) => around(() => store.select(...query)),
  selectBytes: (...query) => around(() => store.selectBytes(...query)),
})

/** For the checkpoint of the served generation, for that of a former generation, and for the file of /data that is written. */
const RESERVED_CONNECTIONS = 3

export const MAX_READ_CONNECTIONS = MAX_STORE_CONNECTIONS - RESERVED_CONNECTIONS

export const withReservedConnections = (store: Store): Store => {
  const turns = pLimit(MAX_READ_CONNECTIONS)
  return wrapReads(store, (read) => turns(read))
}
