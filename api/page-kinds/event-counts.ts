// How many events a proposal has: counted once, then only what came since. Events are never taken back.
import { LRUCache } from 'lru-cache'
import type { Store } from '../../infra/clickhouse/client.ts'
import { countEvents } from '../queries/list-events.ts'
import type { Served } from '../served/served.ts'

const MAX_PROPOSALS = 1_000

export type EventCounts = {
  /** Those before a position. */
  count(served: Served, proposalId: string, before: string): Promise<number>
}

export const createEventCounts = (store: Store): EventCounts => {
  const known = new LRUCache<string, { before: string; total: number }>({ max: MAX_PROPOSALS })
  return {
    count: async (served, proposalId, before) => {
      const key = `${served.generation}/${proposalId}`
      const counted = known.get(key)
      if (counted?.before === before) return counted.total
      const isLater = counted !== undefined && BigInt(counted.before) < BigInt(before)
      const from = isLater ? counted.before : '0'
      const since = await countEvents({ store, served }, { proposalId, from, before })
      const total = since + (isLater ? counted.total : 0)
      known.set(key, { before, total })
      return total
    },
  }
}
