// The queue of voters whose delegations the snapshot left to the heights after it.
import { type GovernanceEvent, stakeChangesIn } from '../contract/events.ts'
import type { ReadLater } from './open-stakes.ts'

export type ReadVoters = { done: number; total: number }

export type UnreadVoters = {
  /** At a start: the voters whose delegations the log lacks. */
  begin(left: ReadLater): void
  /** These voters have no ballot on an open proposal any more. */
  release(voters: readonly string[]): void
  /** The voters to read at a height: those of `named` that are not read yet, and the next ones by address. */
  take(named: readonly string[], heightsBehind: number | 'first height'): string[]
  /** The reads of these events have ended. */
  completed(events: readonly GovernanceEvent[]): void
  /** Undefined once all are read. */
  progress(): ReadVoters | undefined
}

/** Near the tip only once those before are read: a slow endpoint would have pruned the states of the next heights. */
const PER_HEIGHT = 200
/** Far behind the tip, blocks are more urgent. */
const PER_HEIGHT_BEHIND = 10
const BEHIND = 1_000

export const createUnreadVoters = (): UnreadVoters => {
  const unread = new Set<string>()
  /** Planned, with reads that have not ended. */
  const reading = new Set<string>()
  /** Those to read, by address. */
  let order: string[] = []
  let total = 0
  let next = 0

  const remove = (voters: Iterable<string>): void => {
    for (const voter of voters) {
      unread.delete(voter)
      reading.delete(voter)
    }
  }
  const takeNext = (limit: number): string[] => {
    const taken: string[] = []
    while (taken.length < limit && next < order.length) {
      const voter = order[next++]
      if (voter !== undefined && unread.has(voter)) taken.push(voter)
    }
    return taken
  }
  const limitAt = (heightsBehind: number | 'first height'): number => {
    // Appended at once: it is the first page.
    if (heightsBehind === 'first height') return 0
    if (heightsBehind > BEHIND) return PER_HEIGHT_BEHIND
    return reading.size > 0 ? 0 : PER_HEIGHT
  }
  return {
    begin: (left) => {
      for (const voter of left.voters) unread.add(voter)
      order = [...unread].sort()
      total = left.total
    },
    release: remove,
    take: (named, heightsBehind) => {
      if (unread.size === 0) return []
      const voters = [
        ...new Set([
          ...named.filter((voter) => unread.has(voter)),
          ...takeNext(limitAt(heightsBehind)),
        ]),
      ]
      for (const voter of voters) {
        unread.delete(voter)
        reading.add(voter)
      }
      return voters
    },
    completed: (events) => {
      if (reading.size === 0) return
      for (const event of events) {
        if (event.type !== 'rollcall.stake.changed.v1') continue
        for (const { voter } of stakeChangesIn(event)) reading.delete(voter)
      }
    },
    progress: () => {
      const left = unread.size + reading.size
      return left === 0 ? undefined : { done: total - left, total }
    },
  }
}
