// Rate limits of registrations, claims and revocations: per address, per network, and in total.
// The total never blocks a network that used little of it: a flood from other networks must not stop a revocation.

import { createRateLimiter, type RateLimiterOptions } from '../infra/base/http/limits/rate-limit.ts'
import type { Clock } from '../infra/base/runtime/clock.ts'

export type QuotaResult = { isExceeded: boolean; resetSeconds: number }

export type Quota = {
  /** Counts one request of this address. */
  take(address: string): QuotaResult
}

/** Requests a minute. `perDay`: of what one address can append to the log, which keeps it. */
export type QuotaLimits = { perAddress: number; total: number; perDay?: number }

/** Facts stay in the log, so a network has less than the quota of reads. */
const ADDRESSES_PER_NETWORK = 4
/** Requests a minute that each network keeps after the common budget is spent. */
const RESERVED_PER_NETWORK = 5
const DAY_SECONDS = 86_400
/** Not an address: one count for all. */
const EVERYBODY = ''

export const createQuota = (limits: QuotaLimits, clock: Clock): Quota => {
  const { perAddress, total, perDay = Number.POSITIVE_INFINITY } = limits
  const limiter = (perWindow: number, options?: RateLimiterOptions) =>
    createRateLimiter(perWindow, () => clock.now(), options)
  const own = limiter(perAddress, { clientsPerSite: ADDRESSES_PER_NETWORK, total })
  const day = limiter(perDay, { clientsPerSite: ADDRESSES_PER_NETWORK, windowSeconds: DAY_SECONDS })
  const reserved = limiter(RESERVED_PER_NETWORK, { clientsPerSite: 1 })
  const budget = limiter(total)
  return {
    take: (from) => {
      const result = own.take(from)
      if (result.isExceeded) return result
      const allowed = budget.take(EVERYBODY).isExceeded ? reserved.take(from) : result
      if (allowed.isExceeded) return allowed
      const ofDay = day.take(from)
      return ofDay.isExceeded ? ofDay : allowed
    },
  }
}
