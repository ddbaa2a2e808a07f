// Limits the requests of an address and what they cost, in fixed windows with one or two map look-ups per request.
// Own code, because @fastify/rate-limit costs a third of the throughput and cannot send the fields of draft 10.
import { randomInt } from 'node:crypto'
import { type Count, type Counts, createClientShares, createExactCounts } from './client-shares.ts'

const MINUTE_SECONDS = 60
/** A request may keep the process busy for so long, on average of those in a window. */
const BUSY_MS_PER_REQUEST = 5
/** Of a small quota: a single request can take longer than its share. */
const LEAST_BUSY_MS = 2_000
/** Clients and sites counted exactly within one window, so that memory stays bounded. */
const MAX_EXACT = 200_000
/** Further clients share this number of counts: each client shares its count with few others. */
const SHARED_COUNTS = 65_536
/** A /48 has 65,536 networks of /64. Together they have the quota of this number of clients. */
const CLIENTS_PER_SITE = 16

export type RateLimiterOptions = {
  /** The name of the policy in the header fields. */
  name?: string
  /** By default a minute. */
  windowSeconds?: number
  /** The quota of an IPv6 /48, as a number of clients. */
  clientsPerSite?: number
  /** The quota of all clients together, of which a /48 has at most a quarter. This limiter does not count it. */
  total?: number
}

/** Field values of draft-ietf-httpapi-ratelimit-headers-10. */
export type Quota = { isExceeded: boolean; policy: string; limit: string; resetSeconds: number }

export type RateLimiter = {
  take(address: string): Quota
  /** Adds the time for which requests of the address kept the process busy. */
  charge(address: string, busyMs: number): void
  /** Whether the next request would exceed the quota; counts nothing. */
  isSpent(address: string): boolean
}

/** FNV-1a from a random start: clients cannot choose with which clients they share a count. */
const createHash = () => {
  const start = randomInt(2 ** 32)
  return (key: string): number => {
    let hash = start
    for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 16_777_619)
    return (hash >>> 0) % SHARED_COUNTS
  }
}

/** The counts of one window: exact ones for the first clients and sites, then shared ones. */
const createBoundedCounts = (): Counts => {
  const exact = createExactCounts()
  const hash = createHash()
  const shared = new Map<number, Count>()
  let size = 0
  return {
    find: (key, shareBy) =>
      exact.find(key, shareBy) ?? (size < MAX_EXACT ? undefined : shared.get(hash(shareBy))),
    create: (key, shareBy) => {
      if (size >= MAX_EXACT) {
        const count = shared.get(hash(shareBy)) ?? { value: 0, work: 0 }
        shared.set(hash(shareBy), count)
        return count
      }
      size += 1
      return exact.create(key, shareBy)
    },
    // Counts of a quota end with their window.
    delete: () => undefined,
  }
}

export const createRateLimiter = (
  perWindow: number,
  now: () => number,
  options: RateLimiterOptions = {},
): RateLimiter => {
  const { name = 'default', windowSeconds = MINUTE_SECONDS } = options
  const { clientsPerSite = CLIENTS_PER_SITE, total } = options
  const msPerRequest = Math.max(BUSY_MS_PER_REQUEST, LEAST_BUSY_MS / perWindow)
  const policy = `"${name}";q=${perWindow};w=${windowSeconds}`
  const limits = { perClient: perWindow, clientsPerSite, ...(total === undefined ? {} : { total }) }
  let shares = createClientShares(limits, createBoundedCounts())
  let endsAtMs = 0
  const renew = (nowMs: number): void => {
    if (nowMs < endsAtMs && endsAtMs - nowMs <= windowSeconds * 1_000) return
    shares = createClientShares(limits, createBoundedCounts())
    endsAtMs = nowMs + windowSeconds * 1_000
  }
  return {
    isSpent: (address) => {
      renew(now())
      return shares.left(address) <= 0
    },
    charge: (address, busyMs) => {
      renew(now())
      shares.charge(address, busyMs / msPerRequest)
    },
    take: (address) => {
      const nowMs = now()
      renew(nowMs)
      const left = shares.take(address)
      const resetSeconds = Math.max(Math.ceil((endsAtMs - nowMs) / 1_000), 1)
      return {
        isExceeded: left < 0,
        policy,
        limit: `"${name}";r=${Math.max(left, 0)};t=${resetSeconds}`,
        resetSeconds,
      }
    },
  }
}
