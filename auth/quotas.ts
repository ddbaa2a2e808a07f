// Rate limits of registrations, claims and revocations: per address, per network, and in total.
// The total never blocks a network that used little of it: a flood from other networks must not stop a revocation.

import { createRateLimiter, type RateLimiterOptions } from '../infra/base/http/limits/rate-limit.ts'
import type { Clock } from '../infra/base/runtime/clock.ts'

export type QuotaResult = { isExceeded: boolean; resetSeconds: number }

export type Quota = {
  /** Counts one request of this address. */
  take(address: string): QuotaResult
}

export type QuotaLimits = { perAddress: number; total: number }

/** Facts stay in the log, so a network has less than the quota of reads. */
const ADDRESSES_PER_NETWORK = 4
/** Requests a minute that each network keeps after the common budget is spent. */
const RESERVED_PER_NETWORK = 5
const WINDOW_MS = 60_000

/** One count for all callers, in fixed windows. */
const createCommonBudget = (perMinute: number, clock: Clock): (() => boolean) => {
  let left = perMinute
  let endsAtMs = 0
  return () => {
    const nowMs = clock.now()
    if (nowMs >= endsAtMs || endsAtMs - nowMs > WINDOW_MS) {
      left = perMinute
      endsAtMs = nowMs + WINDOW_MS
    }
    left = Math.max(-1, left - 1)
    return left >= 0
  }
}

export const createQuota = ({ perAddress, total }: QuotaLimits, clock: Clock): Quota => {
  const limiter = (perMinute: number, options?: RateLimiterOptions) =>
    createRateLimiter(perMinute, () => clock.now(), options)
  const own = limiter(perAddress, { clientsPerSite: ADDRESSES_PER_NETWORK, total })
  const reserved = limiter(RESERVED_PER_NETWORK, { clientsPerSite: 1 })
  const isWithinBudget = createCommonBudget(total, clock)
  return {
    take: (from) => {
      const result = own.take(from)
      if (result.isExceeded || isWithinBudget()) return result
      return reserved.take(from)
    },
  }
}
