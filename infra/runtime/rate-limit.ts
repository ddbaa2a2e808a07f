// Requests a minute per address, in fixed windows: one map look-up a request, forgotten whole at each window's end.
// Own code because @fastify/rate-limit alone costs a third of the pages a second and cannot send draft 10's fields.

const WINDOW_SECONDS = 60
/** Addresses counted apart within one window; those beyond share one count, so memory stays bounded. */
const MAX_ADDRESSES = 200_000
const THE_REST = 'the rest'

/** Field values of draft-ietf-httpapi-ratelimit-headers-10. */
export type Quota = { isExceeded: boolean; policy: string; limit: string; resetSeconds: number }

export type RateLimiter = {
  take(address: string): Quota
  /** Whether the next one is one too many; counts nothing. */
  isSpent(address: string): boolean
}

/** One count for a whole IPv6 /64: that is what one household or machine is given. */
export const addressKey = (address: string): string => {
  if (!address.includes(':')) return address
  if (address.startsWith('::ffff:') && address.includes('.')) return address.slice(7)
  const [head = '', tail] = address.split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(8 - front.length - back.length, 0)
  return [...front, ...Array<string>(zeros).fill('0'), ...back].slice(0, 4).join(':')
}

/** `name` is the policy's, which clients are told. */
export const createRateLimiter = (
  perMinute: number,
  now: () => number,
  name = 'default',
): RateLimiter => {
  const policy = `"${name}";q=${perMinute};w=${WINDOW_SECONDS}`
  let counts = new Map<string, number>()
  let endsAtMs = 0
  const renew = (nowMs: number): void => {
    if (nowMs < endsAtMs && endsAtMs - nowMs <= WINDOW_SECONDS * 1_000) return
    counts = new Map()
    endsAtMs = nowMs + WINDOW_SECONDS * 1_000
  }
  const keyOf = (address: string): string => {
    const wanted = addressKey(address)
    return counts.size < MAX_ADDRESSES || counts.has(wanted) ? wanted : THE_REST
  }
  return {
    isSpent: (address) => {
      renew(now())
      return (counts.get(keyOf(address)) ?? 0) >= perMinute
    },
    take: (address) => {
      const nowMs = now()
      renew(nowMs)
      const key = keyOf(address)
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      const remaining = Math.max(perMinute - count, 0)
      const resetSeconds = Math.max(Math.ceil((endsAtMs - nowMs) / 1_000), 1)
      return {
        isExceeded: count > perMinute,
        policy,
        limit: `"${name}";r=${remaining};t=${resetSeconds}`,
        resetSeconds,
      }
    },
  }
}
