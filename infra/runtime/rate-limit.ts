// Requests a minute per address, in fixed windows: one or two map look-ups a request, dropped at each window's end.
// Own code because @fastify/rate-limit alone costs a third of the pages a second and cannot send draft 10's fields.
import { randomInt } from 'node:crypto'
import { clientKeys } from './client-address.ts'

const WINDOW_SECONDS = 60
/** Clients and sites counted exactly within one window, so that memory stays bounded. */
const MAX_EXACT = 200_000
/** Those beyond share this many counts: each newcomer shares its own with few others. */
const SHARED_COUNTS = 65_536
/** A /48 has 65,536 networks of /64: together they may make as many requests as this many clients. */
const CLIENTS_PER_SITE = 16

export type RateLimiterOptions = {
  /** The policy's name in the header fields. */
  name?: string
  /** How many clients' quota an IPv6 /48 has. */
  clientsPerSite?: number
}

/** Field values of draft-ietf-httpapi-ratelimit-headers-10. */
export type Quota = { isExceeded: boolean; policy: string; limit: string; resetSeconds: number }

export type RateLimiter = {
  take(address: string): Quota
  /** Whether the next one is one too many; counts nothing. */
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
    /** `shareBy` decides which count is shared where no exact one is left. */
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

/** What the clients of one site share where there is no exact count left; the site's own count is another. */
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
  /** Counts a request; what is left after it is negative where it is one too many. */
  const take = (address: string): number => {
    const { client, site } = clientKeys(address)
    if (site === undefined) return perMinute - counts.add(client, client)
    const leftOfSite = perSite - counts.add(site, site)
    // Clients of a site that is beyond its quota are not counted: they would fill the exact counts.
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
