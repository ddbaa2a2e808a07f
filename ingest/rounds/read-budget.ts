// Limits the total time of the reads for one tally. Reads that do not finish in time are skipped.
import type { Clock } from '../../infra/base/runtime/clock.ts'
import { hasCode } from '../../infra/base/runtime/errors.ts'
import { withDeadline } from '../../infra/base/runtime/retry.ts'

export type ReadBudget = {
  /** False if the time ran out first; the signal of the work has fired then. */
  spend(work: (signal: AbortSignal) => Promise<void>): Promise<boolean>
}

export type BudgetOptions = { budgetMs: number; clock: Clock; signal: AbortSignal }

export const createReadBudget = ({ budgetMs, clock, signal }: BudgetOptions): ReadBudget => {
  const untilMs = clock.now() + budgetMs
  return {
    spend: async (work) => {
      try {
        await withDeadline(Math.max(untilMs - clock.now(), 0), signal, work)
        return true
      } catch (error) {
        if (hasCode(error, 'DEADLINE_EXCEEDED')) return false
        throw error
      }
    },
  }
}

/** The node does not run more reads than this concurrently. */
const MAX_UNDER_WAY = 256

type Reading<Key> = { read: (key: Key) => Promise<void>; underWay?: number }

/** A few sequential chains, so that a million reads do not need a million promises. */
export const readEach = async <Key>(
  keys: Iterable<Key>,
  { read, underWay = MAX_UNDER_WAY }: Reading<Key>,
  signal: AbortSignal,
): Promise<void> => {
  const left = keys[Symbol.iterator]()
  const row = async () => {
    for (let next = left.next(); !next.done && !signal.aborted; next = left.next()) {
      await read(next.value)
    }
  }
  await Promise.all(Array.from({ length: underWay }, row))
}
