// Limits the connections of page reads, so that reads of the checkpoint always have a connection.
import pLimit from 'p-limit'
import { MAX_STORE_CONNECTIONS, type Store } from '../../infra/base/clickhouse/client.ts'
import { wrapReads } from './store-reads.ts'

/** For the checkpoint of the served generation, and for the checkpoint of a former generation. */
const RESERVED_CONNECTIONS = 2

export const MAX_READ_CONNECTIONS = MAX_STORE_CONNECTIONS - RESERVED_CONNECTIONS

export const withReservedConnections = (store: Store): Store => {
  const turns = pLimit(MAX_READ_CONNECTIONS)
  return wrapReads(store, (read) => turns(read))
}
