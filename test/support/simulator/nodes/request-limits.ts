// Decides which requests a gateway refuses: a token bucket that names a pause, and a punishment of bursts without one.
import type { Clock } from '../../../../infra/base/runtime/clock.ts'

export type RateLimit = {
  perSecond: number
  /** The largest number of requests at once. */
  burst: number
  /** Sent as `Retry-After` with each refusal. */
  retryAfterSeconds: number
}

export type BurstLimit = {
  /** More requests than this within `withinMs` are a burst. */
  requests: number
  withinMs: number
  /** How long every request is refused after a burst. */
  punishedMs: number
}

export type Limits = { rate?: RateLimit; bursts?: BurstLimit }

export type Refusal = { status: 403 | 413 | 429 | 503; retryAfterSeconds?: number }

type Limit = () => Refusal | undefined

const createBucket = ({ perSecond, burst, retryAfterSeconds }: RateLimit, clock: Clock): Limit => {
  let tokens = burst
  let filledAtMs = clock.now()
  return () => {
    const nowMs = clock.now()
    tokens = Math.min(burst, tokens + ((nowMs - filledAtMs) / 1_000) * perSecond)
    filledAtMs = nowMs
    if (tokens < 1) return { status: 429, retryAfterSeconds }
    tokens -= 1
    return undefined
  }
}

const createBurstLimit = ({ requests, withinMs, punishedMs }: BurstLimit, clock: Clock): Limit => {
  let arrivals: number[] = []
  let punishedUntilMs = 0
  let refusals = 0
  return () => {
    const nowMs = clock.now()
    if (nowMs >= punishedUntilMs) {
      arrivals = [...arrivals.filter((atMs) => atMs > nowMs - withinMs), nowMs]
      if (arrivals.length <= requests) return undefined
      arrivals = []
      punishedUntilMs = nowMs + punishedMs
    }
    return { status: refusals++ % 2 === 0 ? 403 : 503 }
  }
}

/** Each call is one request. */
export const createRequestLimits = ({ rate, bursts }: Limits, clock: Clock): Limit => {
  const limits = [
    ...(bursts ? [createBurstLimit(bursts, clock)] : []),
    ...(rate ? [createBucket(rate, clock)] : []),
  ]
  return () => {
    for (const limit of limits) {
      const refusal = limit()
      if (refusal) return refusal
    }
    return undefined
  }
}
