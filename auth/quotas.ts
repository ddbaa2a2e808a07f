// How often registrations, claims and revocations may be asked for: by one address, by one network, and by all together.
// The common budget never shuts out a network that used little of it: a flood from elsewhere must not stop a revocation.
import type { Clock } from '../infra/runtime/clock.ts'
import { addressKey, createRateLimiter } from '../infra/runtime/rate-limit.ts'

export type Verdict = { isExceeded: boolean; resetSeconds: number }

export type Quota = {
  /** Counts one request of this address. */
  take(address: string): Verdict
}

export type QuotaLimits = { perAddress: number; total: number }

/** An IPv6 /48 holds 65,536 of the /64s that count as one address. */
const ADDRESSES_PER_NETWORK = 4
/** So many a minute are left to every network once the common budget is spent. */
const RESERVED_PER_NETWORK = 5
const EVERYONE = 'everyone'

/** An IPv6 /48; an IPv4 address counts as a network of its own. */
export const networkKey = (address: string): string => {
  const key = addressKey(address)
  return key.includes(':') ? `${key.split(':').slice(0, 3).join('-')}/48` : key
}

export const createQuota = ({ perAddress, total }: QuotaLimits, clock: Clock): Quota => {
  const limiter = (perMinute: number) => createRateLimiter(perMinute, () => clock.now())
  const address = limiter(perAddress)
  const network = limiter(perAddress * ADDRESSES_PER_NETWORK)
  const everyone = limiter(total)
  const reserved = limiter(RESERVED_PER_NETWORK)
  return {
    take: (from) => {
      const own = address.take(from)
      if (own.isExceeded) return own
      const key = networkKey(from)
      // Of an IPv4 address the first limit is the stricter one.
      const shared = key.endsWith('/48') ? network.take(key) : own
      if (shared.isExceeded) return shared
      const common = everyone.take(EVERYONE)
      return common.isExceeded ? reserved.take(key) : common
    },
  }
}
