// Snapshots of former generations, which are read only for requests with a cursor of them.
import { LRUCache } from 'lru-cache'
import type { Store } from '../../../infra/base/clickhouse/client.ts'
import type { Clock } from '../../../infra/base/runtime/clock.ts'
import { type CachedSnapshot, readSnapshot } from './read-snapshot.ts'

type Known = { snapshot: CachedSnapshot | undefined; readAtMs: number }

export type FormerGenerations = {
  /** The snapshot, at most `maxAgeMs` old. */
  find(generation: number, maxAgeMs: number): Promise<CachedSnapshot | undefined>
  /** The cached snapshot of any age. */
  getCached(generation: number): CachedSnapshot | undefined
  /** Stores the last snapshot of a generation after a switch. */
  put(snapshot: CachedSnapshot, readAtMs: number): void
}

/** Switches are rare, so few snapshots are cached. */
const MAX_KNOWN = 4

export const createFormerGenerations = (options: {
  store: Store
  clock: Clock
}): FormerGenerations => {
  const { store, clock } = options
  const known = new LRUCache<number, Known>({ max: MAX_KNOWN })
  const pending = new Map<number, Promise<CachedSnapshot | undefined>>()

  const refreshGeneration = async (generation: number): Promise<CachedSnapshot | undefined> => {
    const readAtMs = clock.now()
    const snapshot = await readSnapshot(store, generation, known.get(generation)?.snapshot)
    known.set(generation, { snapshot, readAtMs })
    return snapshot
  }
  return {
    find: (generation, maxAgeMs) => {
      const entry = known.get(generation)
      if (entry && clock.now() - entry.readAtMs < maxAgeMs) return Promise.resolve(entry.snapshot)
      const started =
        pending.get(generation) ??
        refreshGeneration(generation).finally(() => pending.delete(generation))
      pending.set(generation, started)
      return started
    },
    getCached: (generation) => known.get(generation)?.snapshot,
    put: (snapshot, readAtMs) => void known.set(snapshot.generation, { snapshot, readAtMs }),
  }
}
