// Reads of the store: with connections left for those of the checkpoint, and refused at once while the store answers nothing at all.
// A store that is only slow answers other reads.
import pLimit from 'p-limit'
import { MAX_STORE_CONNECTIONS, type Store } from '../../infra/base/clickhouse/client.ts'
import { type Clock, systemClock } from '../../infra/base/runtime/clock.ts'
import { AppError, hasCode } from '../../infra/base/runtime/errors.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { every } from '../../infra/base/runtime/retry.ts'

export type AroundRead = <Result>(read: () => Promise<Result>) => Promise<Result>

/** Wraps every read, such as to limit or to count it. */
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

export type StoreLiveness = {
  /** The same store. Each of its answers shows that it does not hang, also an error. */
  store: Store
  /** The result of `read`. Rejects with `STORE_UNAVAILABLE` while the store hangs, without waiting for `read`. */
  whileAlive: AroundRead
  /** Checks until aborted. */
  follow(signal: AbortSignal): Promise<void>
}

/**
 * The store hangs after seven checks without an answer, which is within 2 s. After `ping` checks it is asked without a
 * query, because all queries of a busy store can be slow. A check that comes late counts once, so a busy API never takes
 * its own delay for that of the store.
 */
export const LIVENESS_CHECKS = { everyMs: 250, ping: 3, limit: 7 } as const

const createHanging = () =>
  new AppError('STORE_UNAVAILABLE', 'the store answers no query', { retryable: true })

export const createStoreLiveness = (
  store: Store,
  { logger, clock = systemClock }: { logger: Logger; clock?: Clock | undefined },
): StoreLiveness => {
  let pending = 0
  /** Checks with a pending read since the last answer. */
  let silentChecks = 0
  const waiting = new Set<(error: AppError) => void>()
  const isHanging = () => silentChecks >= LIVENESS_CHECKS.limit

  const answered = (): void => {
    if (isHanging()) logger.info({}, 'the store answers again')
    silentChecks = 0
  }
  const observe: AroundRead = async (read) => {
    pending += 1
    try {
      const result = await read()
      answered()
      return result
    } catch (error) {
      if (!hasCode(error, 'DEADLINE_EXCEEDED') && !hasCode(error, 'ABORTED')) answered()
      throw error
    } finally {
      pending -= 1
    }
  }
  let isPinging = false
  const ping = async (): Promise<void> => {
    if (isPinging) return
    isPinging = true
    if (await store.isResponding()) answered()
    isPinging = false
  }
  const check = (): void => {
    if (pending === 0) return
    silentChecks += 1
    if (silentChecks >= LIVENESS_CHECKS.ping) void ping()
    if (silentChecks === LIVENESS_CHECKS.limit) logger.warn({}, 'the store answers no query')
    if (isHanging()) for (const reject of waiting) reject(createHanging())
  }
  return {
    store: wrapReads(store, observe),
    whileAlive: async (read) => {
      // Without a pending read, only a new one can find out that the store answers again.
      if (isHanging() && pending > 0) throw createHanging()
      return new Promise((resolve, reject) => {
        waiting.add(reject)
        read()
          .then(resolve, reject)
          .finally(() => waiting.delete(reject))
      })
    },
    follow: (signal) => every(LIVENESS_CHECKS.everyMs, { signal, clock }, check),
  }
}
