// The pace of all requests to one URL: their order, how many at once and per second, and how long they pause after a refusal.
// No endpoint tells its limit, so it is found as the rate of a TCP connection is: a refusal halves the rate, which rises quickly up to
// near the known limit, and slowly beyond it. Without a refusal there is no limit.
import { abortedError, linkedAbort, onAbort } from '../../../infra/base/runtime/abort.ts'
import type { Clock } from '../../../infra/base/runtime/clock.ts'
import { AppError, hasCode } from '../../../infra/base/runtime/errors.ts'

/** The endpoint limits requests: not a fault, and the same request succeeds later. */
export class LimitedError extends AppError {
  /** What `Retry-After` says; null without it. */
  readonly retryAfterMs: number | null
  constructor(message: string, retryAfterMs: number | null = null) {
    super('RPC_LIMITED', message, { retryable: true })
    this.retryAfterMs = retryAfterMs
  }
}

export type PaceOptions = {
  maxConcurrent: number
  /** A limit that the operator knows; by default it is found. */
  maxPerSecond?: number | undefined
  clock: Clock
  /** Called for each refusal. */
  onRefused?: ((error: LimitedError) => void) | undefined
}

export type RunOptions = {
  signal?: AbortSignal | undefined
  /** Lower comes first; by default before all that have one. */
  order?: number | undefined
  /** Waits for all other requests, and never runs in more than half of the places. */
  isBackground?: boolean | undefined
}

export type Pace = {
  /** Runs `request` in its turn. */
  run<T>(request: () => Promise<T>, options?: RunOptions): Promise<T>
  /** How long a new request would wait, unless it runs in the background; 0 without a limit. */
  waitMs(): number
  /** How long no request is sent after a refusal; 0 without a pause. */
  pausedMs(): number
  close(): void
}

const FIRST_CONCURRENT = 8
/** Requests at once are added by each success, until the first refusal; then slowly. */
const GROWTH = { first: 1, later: 0.1 }
/** Without `Retry-After`: the first pause, doubled by each further refusal without a success between them. */
const FIRST_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 60_000

const MIN_PER_SECOND = 0.5
/** The assumed rate of an endpoint that refuses the first request. */
const FIRST_PER_SECOND = 4
/** Requests that may start together have the tokens of this many seconds. */
const BURST_SECONDS = 0.25
/** Up to this share of the limit the rate rises by half per second, and beyond it by this share of the limit. */
const NEAR = 0.85
const GROWTH_PER_SECOND = { fast: 0.5, slow: 0.005 }
/** Beyond this multiple the limit no longer holds. */
const NO_LIMIT = 1.5
/** A rate that no endpoint limits. */
const UNLIMITED = 5_000

/** A bucket of tokens. `limit`: the rate of the last refusal. */
export const createRequestRate = (clock: Clock, most = Number.POSITIVE_INFINITY) => {
  let rate: number | null = Number.isFinite(most) ? most : null
  let limit = Number.POSITIVE_INFINITY
  let tokens = 1
  let filledAtMs = clock.now()
  /** Of this second, and of the one before. */
  let granted = { second: 0, now: 0, before: 0 }

  const countSecond = () => {
    const second = Math.floor(clock.now() / 1_000)
    if (second === granted.second) return granted
    const before = second === granted.second + 1 ? granted.now : 0
    granted = { second, now: 0, before }
    return granted
  }
  const grow = (from: number, seconds: number): number | null => {
    if (from > UNLIMITED && most === Number.POSITIVE_INFINITY) return null
    if (from > limit * NO_LIMIT) limit = Number.POSITIVE_INFINITY
    const { fast, slow } = GROWTH_PER_SECOND
    const near = limit * NEAR
    const next =
      from >= near ? from + limit * slow * seconds : Math.min(near, from * (1 + fast * seconds))
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
    /** How long until the next request may start; 0 if it may now. */
    untilNextMs: () => {
      if (rate === null) return 0
      fill(rate)
      return tokens >= 1 ? 0 : Math.ceil(((1 - tokens) / rate) * 1_000)
    },
    started: () => {
      if (rate !== null) tokens -= 1
    },
    granted: () => {
      countSecond().now++
    },
    refused: () => {
      tokens = Math.min(tokens, 1)
      filledAtMs = clock.now()
      const { now, before } = countSecond()
      const measured = Math.max(now, before)
      // Others may have used up the limit: without a granted request, the refusal does not show it.
      if (measured > 0) limit = Math.min(rate ?? measured, measured)
      const found = measured > 0 ? limit : (rate ?? FIRST_PER_SECOND)
      rate = Math.max(MIN_PER_SECOND, found / 2)
    },
  }
}

type Turn = { order: number; isBackground: boolean; start: () => void }

const comesBefore = (one: Turn, other: Turn): boolean =>
  one.isBackground === other.isBackground ? one.order < other.order : other.isBackground

/** `untilNextMs`: how long until one more request may start while so many run; null: once one of them ends. */
const createQueue = (
  clock: Clock,
  {
    untilNextMs,
    onStart,
  }: { untilNextMs: (running: number, next: Turn) => number | null; onStart: () => void },
) => {
  const waiting: Turn[] = []
  const closing = linkedAbort()
  let running = 0
  let isTimed = false

  const startIn = async (ms: number): Promise<void> => {
    if (isTimed) return
    isTimed = true
    await clock.sleep(ms, closing.signal).catch(() => undefined)
    isTimed = false
    if (!closing.signal.aborted) start()
  }
  const start = (): void => {
    for (let next = waiting[0]; next; next = waiting[0]) {
      const ms = untilNextMs(running, next)
      if (ms === null) return
      if (ms > 0) return void startIn(ms)
      onStart()
      running++
      waiting.shift()
      next.start()
    }
  }
  return {
    /** Resolves at the turn of a request. */
    wait: (place: Omit<Turn, 'start'>, signal = closing.signal): Promise<void> =>
      new Promise((resolve, reject) => {
        let unlinks: (() => void)[] = []
        const unlink = () => {
          for (const each of unlinks) each()
        }
        const turn: Turn = {
          ...place,
          start: () => {
            unlink()
            resolve()
          },
        }
        const leave = () => {
          const at = waiting.indexOf(turn)
          if (at !== -1) waiting.splice(at, 1)
          unlink()
          reject(abortedError(signal))
        }
        if (signal.aborted || closing.signal.aborted) return leave()
        unlinks = [onAbort(signal, leave), onAbort(closing.signal, leave)]
        const later = waiting.findIndex((each) => comesBefore(turn, each))
        waiting.splice(later === -1 ? waiting.length : later, 0, turn)
        start()
      }),
    ended: () => {
      running--
      start()
    },
    /** Waiting requests, without those in the background. */
    get length() {
      return waiting.filter(({ isBackground }) => !isBackground).length
    },
    close: () => closing.abort(),
  }
}

export function createPace(options: PaceOptions): Pace {
  const { maxConcurrent, clock } = options
  const rate = createRequestRate(clock, options.maxPerSecond)
  let concurrent = Math.min(FIRST_CONCURRENT, maxConcurrent)
  let growth = GROWTH.first
  let pausedUntilMs = 0
  /** Refusals in a row. */
  let pauses = 0
  /** How often it slowed down: a refusal of a request from before the last time says nothing new. */
  let slowdowns = 0

  const pausedMs = () => Math.max(0, pausedUntilMs - clock.now())
  const queue = createQueue(clock, {
    untilNextMs: (running, { isBackground }) => {
      const places = Math.floor(isBackground ? Math.max(1, concurrent / 2) : concurrent)
      return running >= places ? null : pausedMs() || rate.untilNextMs()
    },
    onStart: rate.started,
  })
  const halveConcurrent = () => {
    concurrent = Math.max(1, concurrent / 2)
    growth = GROWTH.later
  }
  const pause = (ms: number) => {
    pausedUntilMs = Math.max(pausedUntilMs, clock.now() + Math.min(ms, MAX_PAUSE_MS))
  }
  const refused = (error: LimitedError, slowdownsBefore: number): void => {
    const { retryAfterMs } = error
    options.onRefused?.(error)
    if (retryAfterMs !== null) pause(retryAfterMs)
    if (slowdownsBefore < slowdowns) return
    slowdowns++
    // A refusal of the first request after a pause says only that the pause was too short.
    if (pauses === 0) {
      halveConcurrent()
      rate.refused()
    }
    if (retryAfterMs === null) pause(FIRST_PAUSE_MS * 2 ** Math.min(pauses, 10))
    pauses++
  }
  return {
    run: async (request, { signal, order = 0, isBackground = false } = {}) => {
      await queue.wait({ order, isBackground }, signal)
      const slowdownsBefore = slowdowns
      try {
        const answer = await request()
        rate.granted()
        pauses = 0
        concurrent = Math.min(maxConcurrent, concurrent + growth)
        return answer
      } catch (error) {
        if (error instanceof LimitedError) refused(error, slowdownsBefore)
        else if (hasCode(error, 'DEADLINE_EXCEEDED')) halveConcurrent()
        throw error
      } finally {
        queue.ended()
      }
    },
    waitMs: () =>
      pausedMs() + (queue.length / (rate.perSecond() ?? Number.POSITIVE_INFINITY)) * 1_000,
    pausedMs,
    close: queue.close,
  }
}
