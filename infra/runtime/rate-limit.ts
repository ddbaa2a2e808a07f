// Limits requests per minute and address, in fixed windows with one or two map look-ups per request.
// Own code, because @fastify/rate-limit costs a third of the throughput and cannot send the fields of draft 10.
import { randomInt } from 'node:crypto'
import { clientKeys } from './client-address.ts'

const WINDOW_SECONDS = 60
/** Clients and sites counted exactly within one window, so that memory stays bounded. */
const MAX_EXACT = 200_000
/** Further clients share this number of counts: each client shares its count with few others. */
const SHARED_COUNTS = 65_536
/** A /48 has 65,536 networks of /64. Together they have the quota of this number of clients. */
const CLIENTS_PER_SITE = 16

export type RateLimiterOptions = {
  /** The name of the policy in the header fields. */
  name?: string
  /** The quota of an IPv6 /48, as a number of clients. */
  clientsPerSite?: number
}

/** Field values of draft-ietf-httpapi-ratelimit-headers-10. */
export type Quota = { isExceeded: boolean; policy: string; limit: string; resetSeconds: number }

export type RateLimiter = {
  take(address: string): Quota
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

/** The counts of one window. */
const createCounts = () => {
  const exact = new Map<string, number>()
  const hash = createHash()
  let shared: Uint32Array | undefined
  const isExact = (key: string) => exact.size < MAX_EXACT || exact.has(key)
  return {
    /** `shareBy` selects the shared count if there is no exact one left. */
    get: (key: string, shareBy: string): number =>
      isExact(key) ? (exact.get(key) ?? 0) : (shared?.[hash(shareBy)] ?? 0),
    add: (key: string, shareBy: string): number => {
      if (isExact(key)) {
        const count = (exact.get(key) ?? 0) + 1
        exact.set(key, count)
        return count
      }
      shared ??= new Uint32Array(SHARED_COUNTS)
      const at = hash(shareBy)
      const count = (shared[at] ?? 0) + 1
      shared[at] = count
      return count
    },
  }
}

/** The key of the shared count of the clients of a site, which is not the count of the site. */
const sharedWith = (site: string): string => `in ${site}`

export const createRateLimiter = (
  perMinute: number,
  now: () => number,
  { name = 'default', clientsPerSite = CLIENTS_PER_SITE }: RateLimiterOptions = {},
): RateLimiter => {
  const policy = `"${name}";q=${perMinute};w=${WINDOW_SECONDS}`
  const perSite = clientsPerSite * perMinute
  let counts = createCounts()
  let endsAtMs = 0
  const renew = (nowMs: number): void => {
    if (nowMs < endsAtMs && endsAtMs - nowMs <= WINDOW_SECONDS * 1_000) return
    counts = createCounts()
    endsAtMs = nowMs + WINDOW_SECONDS * 1_000
  }
  /** Counts a request and returns the remaining quota, which is negative if the request exceeds it. */
  const take = (address: string): number => {
    const { client, site } = clientKeys(address)
    if (site === undefined) return perMinute - counts.add(client, client)
    const leftOfSite = perSite - counts.add(site, site)
    // Clients of a site over its quota are not counted: they would fill the exact counts.
    if (leftOfSite < 0) return leftOfSite
    return Math.min(leftOfSite, perMinute - counts.add(client, sharedWith(site)))
  }
  return {
    isSpent: (address) => {
      renew(now())
      const { client, site } = clientKeys(address)
      const isSiteSpent = site !== undefined && counts.get(site, site) >= perSite
      return isSiteSpent || counts.get(client, site ? sharedWith(site) : client) >= perMinute
    },
    take: (address) => {
      const nowMs = now()
      renew(nowMs)
      const left = take(address)
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
