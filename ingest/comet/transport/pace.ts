// The pace of all requests to one URL: their order, how many at once and per second, and how long they pause after a refusal.
// No endpoint tells its limit, so it is found as the rate of a TCP connection is: a refusal halves the rate, which rises quickly up to
// near the known limit, and slowly beyond it. Without a refusal there is no limit.
import { linkedAbort } from '../../../infra/base/runtime/abort.ts'
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

/** A call that waits. Its start is followed by `run`. */
export type Turn = {
  /** Lower comes first. */
  readonly order: number
  /** Waits for all other calls, and never runs in more than half of the places. */
  readonly isBackground: boolean
  start(): void
}

export type Pace<T extends Turn> = ReturnType<typeof createPace<T>>

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
const createRequestRate = (clock: Clock, most = Number.POSITIVE_INFINITY) => {
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
    /** How many more may start now. */
    room: () => {
      if (rate === null) return Number.POSITIVE_INFINITY
      fill(rate)
      return Math.max(0, Math.floor(tokens))
    },
    started: (requests = 1) => {
      if (rate !== null) tokens -= requests
    },
    granted: (requests = 1) => {
      countSecond().now += requests
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

/** So many of the turns that wait may be looked at for one request. */
const SEARCHED = 100

export function createPace<T extends Turn>(options: PaceOptions) {
  const { maxConcurrent, clock } = options
  const rate = createRequestRate(clock, options.maxPerSecond)
  /** Each in order. */
  const foreground: T[] = []
  const background: T[] = []
  const queueOf = ({ isBackground }: Turn): T[] => (isBackground ? background : foreground)
  const closing = linkedAbort()
  let running = 0
  let isComing = false
  let isTimed = false
  let concurrent = Math.min(FIRST_CONCURRENT, maxConcurrent)
  let growth = GROWTH.first
  let pausedUntilMs = 0
  /** Refusals in a row. */
  let pauses = 0
  /** How often it slowed down: a refusal of a request from before the last time says nothing new. */
  let slowdowns = 0

  const pausedMs = () => Math.max(0, pausedUntilMs - clock.now())
  const startIn = async (ms: number): Promise<void> => {
    if (isTimed) return
    isTimed = true
    await clock.sleep(ms, closing.signal).catch(() => undefined)
    isTimed = false
    startNext()
  }
  const startNext = (): void => {
    while (!closing.signal.aborted) {
      const next = foreground[0] ?? background[0]
      if (!next) return
      const places = next.isBackground ? Math.max(1, concurrent / 2) : concurrent
      if (running >= Math.floor(places)) return
      const ms = pausedMs() || rate.untilNextMs()
      if (ms > 0) return void startIn(ms)
      rate.started()
      running++
      queueOf(next).shift()
      next.start()
    }
  }
  /** What begins in the same moment may share a request. */
  const startSoon = (): void => {
    if (isComing) return
    isComing = true
    setImmediate(() => {
      isComing = false
      startNext()
    })
  }
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
    enter: (turn: T): void => {
      const queue = queueOf(turn)
      // Nearly always the last one.
      const before = queue.findLastIndex(({ order }) => order <= turn.order)
      queue.splice(before + 1, 0, turn)
      startSoon()
    },
    leave: (turn: T): void => {
      const queue = queueOf(turn)
      const at = queue.indexOf(turn)
      if (at !== -1) queue.splice(at, 1)
    },
    /** Takes at most so many turns out, as far as the rate allows: they start with `first`, which has just started. */
    takeAlong: (first: T, most: number, isWanted: (turn: T) => boolean): T[] => {
      const room = Math.min(most, rate.room())
      const queue = queueOf(first)
      const searched = room < 1 ? [] : queue.splice(0, SEARCHED)
      const taken = searched.filter(isWanted).slice(0, room)
      queue.unshift(...searched.filter((each) => !taken.includes(each)))
      // Limits count each call of a request.
      rate.started(taken.length)
      return taken
    },
    /** Of a turn that has started: a request with so many calls. */
    run: async <Answer>(request: () => Promise<Answer>, calls = 1): Promise<Answer> => {
      const slowdownsBefore = slowdowns
      try {
        const answer = await request()
        rate.granted(calls)
        pauses = 0
        concurrent = Math.min(maxConcurrent, concurrent + growth)
        return answer
      } catch (error) {
        if (error instanceof LimitedError) refused(error, slowdownsBefore)
        else if (hasCode(error, 'DEADLINE_EXCEEDED')) halveConcurrent()
        throw error
      } finally {
        running--
        startNext()
      }
    },
    /** How long a new request would wait, unless it runs in the background; 0 without a limit. */
    waitMs: (): number =>
      pausedMs() + (foreground.length / (rate.perSecond() ?? Number.POSITIVE_INFINITY)) * 1_000,
    /** How long no request is sent after a refusal; 0 without a pause. */
    pausedMs,
    /** Starts nothing any more; returns what waited. */
    close: (): T[] => {
      closing.abort()
      return [...foreground.splice(0), ...background.splice(0)]
    },
  }
}
