// How many requests per second an endpoint grants. No endpoint tells its limit, so it is found as the rate of a TCP connection is.
// A refusal halves the rate. It rises quickly up to near the known limit, and slowly beyond it. Without a refusal there is no limit.
import type { Clock } from '../../../infra/base/runtime/clock.ts'

export type RequestRate = {
  /** Null until a refusal shows a limit. */
  perSecond(): number | null
  /** How long until the next request may start; 0 if it may now. */
  untilNextMs(): number
  started(): void
  granted(): void
  refused(): void
}

export const MIN_PER_SECOND = 0.5
/** The assumed rate of an endpoint that refuses the first request. */
const FIRST_PER_SECOND = 4
/** Requests that may start together have the tokens of this many seconds. */
const BURST_SECONDS = 0.25
/** Up to this share of a known limit the rate rises by half per second. */
const NEAR = 0.85
const FAST_GROWTH = 0.5
/** Share of the known limit that is added per second beyond it; halved each time the limit holds. */
const PROBE = { first: 0.01, least: 0.0005 }
/** A refusal at this share of the known limit confirms it. */
const SAME_LIMIT = 0.7
/** Beyond this multiple the known limit no longer holds. */
const NO_LIMIT = 1.5

/** A rate that no endpoint limits. */
const UNLIMITED = 5_000

/** Counts what was granted in the last second. */
const createMeter = (clock: Clock) => {
  let second = 0
  let before = 0
  let now = 0
  const turn = () => {
    const current = Math.floor(clock.now() / 1_000)
    if (current === second) return
    before = current === second + 1 ? now : 0
    now = 0
    second = current
  }
  return {
    count: () => {
      turn()
      now++
    },
    perSecond: () => {
      turn()
      return Math.max(now, before)
    },
  }
}

/** `maxPerSecond`: a limit that the operator knows. */
export const createRequestRate = (clock: Clock, maxPerSecond?: number): RequestRate => {
  const most = maxPerSecond ?? Number.POSITIVE_INFINITY
  const meter = createMeter(clock)
  let rate: number | null = maxPerSecond ?? null
  /** The rate of the last refusal. */
  let limit = Number.POSITIVE_INFINITY
  let probe = PROBE.first
  let tokens = 1
  let filledAtMs = clock.now()

  const grow = (from: number, seconds: number): number | null => {
    if (from > UNLIMITED && maxPerSecond === undefined) return null
    if (from > limit * NO_LIMIT) {
      limit = Number.POSITIVE_INFINITY
      probe = PROBE.first
    }
    const next =
      from >= limit * NEAR
        ? from + limit * probe * seconds
        : Math.min(limit * NEAR, from * (1 + FAST_GROWTH * seconds))
    return Math.min(next, most)
  }
  const fill = (perSecond: number): void => {
    const seconds = Math.max(0, clock.now() - filledAtMs) / 1_000
    filledAtMs = clock.now()
    const burst = Math.max(1, perSecond * BURST_SECONDS)
    // A rate that is not used shows nothing about the limit.
    if (tokens < burst) rate = grow(perSecond, Math.min(seconds, 1))
    tokens = Math.min(burst, tokens + seconds * perSecond)
  }
  return {
    perSecond: () => rate,
    untilNextMs: () => {
      if (rate === null) return 0
      fill(rate)
      return tokens >= 1 ? 0 : Math.ceil(((1 - tokens) / rate) * 1_000)
    },
    started: () => {
      if (rate !== null) tokens -= 1
    },
    granted: meter.count,
    refused: () => {
      tokens = Math.min(tokens, 1)
      filledAtMs = clock.now()
      const measured = meter.perSecond()
      if (measured === 0) {
        // Others may have used up the limit: this refusal does not show it.
        rate = Math.max(MIN_PER_SECOND, (rate ?? FIRST_PER_SECOND) / 2)
        return
      }
      const found = Math.min(rate ?? measured, measured)
      probe = found > limit * SAME_LIMIT ? Math.max(PROBE.least, probe / 2) : PROBE.first
      limit = found
      rate = Math.max(MIN_PER_SECOND, found / 2)
    },
  }
}
