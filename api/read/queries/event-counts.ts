// The number of events of a proposal. After the first count, only newer events are counted.
import { createInnerQuery, generationVersion, type Query } from '../query.ts'
import { countEvents } from './events.ts'

type Counted = { before: string; total: number }

/** Counts events before a position. */
export const createEventCountQuery = (proposalId: string, before: string): Query<number> =>
  createInnerQuery({
    name: `events of ${proposalId} before ${before}`,
    proposalId,
    version: generationVersion,
    read: async (reads) => {
      const key = `last event count of ${proposalId} ${reads.snapshot.generation}`
      const counted = reads.cached<Counted>(key)
      const isEarlier = counted !== undefined && BigInt(counted.before) <= BigInt(before)
      const known = isEarlier ? counted : { before: '0', total: 0 }
      const span = { proposalId, from: known.before, before }
      const since = known.before === before ? 0 : await countEvents(reads, span)
      const value = known.total + since
      const ahead = new Map([[key, { before, total: value }]])
      return { value, consistency: 'consistent', isUncached: true, ahead }
    },
  })
