// Caches the results of queries per snapshot, and shares one read among all requests that wait for it.
import type { Store } from '../../infra/base/clickhouse/client.ts'
import type { DisplayUnit } from '../display-unit.ts'
import { type ByteCache, estimateMemory } from './byte-cache.ts'
import { createQueryKey, type Found, type Query, type Reads } from './query.ts'
import type { Snapshot } from './snapshot.ts'

export type QueryCache = {
  /** The cached value, if any. */
  find<Value>(query: Query<Value, unknown>, snapshot: Snapshot): Found<Value> | undefined
  /** The pending read, if any. */
  reading<Value>(
    query: Query<Value, unknown>,
    snapshot: Snapshot,
  ): Promise<Found<Value>> | undefined
  /** From the cache, from the pending read, or from a new read. */
  read<Value>(query: Query<Value, unknown>, snapshot: Snapshot): Promise<Found<Value>>
}

export const createQueryCache = (
  store: Store,
  memory: ByteCache,
  displayUnit?: DisplayUnit,
): QueryCache => {
  const cached = memory.area<Found<unknown>>('query', ({ value }) => estimateMemory(value))
  const readings = new Map<string, Promise<Found<unknown>>>()

  const start = async <Value>(
    query: Query<Value, unknown>,
    snapshot: Snapshot,
  ): Promise<Found<Value>> => {
    const reads: Reads = {
      store,
      snapshot,
      displayUnit,
      use: (other) => read(other, snapshot),
      cached: <Other>(key: string) => (cached.get(key) as Found<Other> | undefined)?.value,
    }
    const found = await query.read(reads)
    if (!found.isUncached) cached.set(createQueryKey(query, snapshot), { value: found.value })
    for (const [key, value] of found.ahead ?? []) cached.set(key, { value })
    return found
  }
  const find = <Value>(query: Query<Value, unknown>, snapshot: Snapshot) =>
    cached.get(createQueryKey(query, snapshot)) as Found<Value> | undefined

  const read = async <Value>(
    query: Query<Value, unknown>,
    snapshot: Snapshot,
  ): Promise<Found<Value>> => {
    const known = find(query, snapshot)
    if (known) return known
    const key = createQueryKey(query, snapshot)
    const started = readings.get(key) ?? start(query, snapshot).finally(() => readings.delete(key))
    readings.set(key, started)
    return (await started) as Found<Value>
  }
  return {
    find,
    reading: <Value>(query: Query<Value, unknown>, snapshot: Snapshot) =>
      readings.get(createQueryKey(query, snapshot)) as Promise<Found<Value>> | undefined,
    read,
  }
}
