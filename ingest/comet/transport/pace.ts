// The pace of all requests to one URL: their order, how many at once and per second, and how long they pause after a refusal.
// It repeats a refused request only if its read has other answers. No endpoint tells its limit, so it is found as the rate of a TCP
// connection is: a refusal halves the rate, which rises quickly up to near the known limit, and slowly beyond it. Without a refusal there
// is no limit.
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

export type PaceState = {
  concurrent: number
  /** Null until a refusal shows a limit. */
  perSecond: number | null
  /** How long no request is sent; 0 without a pause. */
  pausedMs: number
  granted: number
  refused: number
  /** Over the last ten seconds. */
  grantedPerSecond: number
  /** Of the last minute, from 0 to 1; null without a request. */
  refusedShare: number | null
}

export type RunOptions = {
  signal?: AbortSignal | undefined
  /** Lower comes first; by default before all that have one. */
  order?: number | undefined
  /** Waits for all other requests, and never runs in more than half of the places. */
  isBackground?: boolean | undefined
  /** Asked after a refusal: whether the request gets another turn. */
  isPatient?: (() => boolean) | undefined
}

export type Pace = {
  /** Runs `request` in its turn, once if it is not refused. */
  run<T>(request: () => Promise<T>, options?: RunOptions): Promise<T>
  /** How long a new request would wait, unless it runs in the background; 0 without a limit. */
  waitMs(): number
  read(): PaceState
  close(): void
}

const FIRST_CONCURRENT = 8
/** Requests at once are added by each success, until the first refusal; then slowly. */
const GROWTH = { first: 1, later: 0.1 }
/** Without `Retry-After`: the first pause, doubled by each further refusal without a success between them. */
const FIRST_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 60_000
/** How often one request is sent. */
const MAX_TURNS = 6

const MIN_PER_SECOND = 0.5
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

const SHARE_SECONDS = 60
const RATE_SECONDS = 10

/** What was granted and refused: in all, and in each of the last seconds. */
const createCounts = (clock: Clock) => {
  const total = { granted: 0, refused: 0 }
  let seconds: { second: number; granted: number; refused: number }[] = []
  const nowSecond = () => Math.floor(clock.now() / 1_000)
  /** The current second is not over. */
  const grantedSince = (from: number, to: number) =>
    seconds
      .filter(({ second }) => second >= from && second < to)
      .reduce((sum, { granted }) => sum + granted, 0)
  return {
    count: (kind: 'granted' | 'refused') => {
      const second = nowSecond()
      if (seconds.at(-1)?.second !== second) {
        seconds = seconds.filter((each) => each.second > second - SHARE_SECONDS)
        seconds.push({ second, granted: 0, refused: 0 })
      }
      seconds.at(-1)![kind]++
      total[kind]++
    },
    /** In this second, or in the one before if those were more. */
    perSecond: (): number => {
      const second = nowSecond()
      return Math.max(grantedSince(second, second + 1), grantedSince(second - 1, second))
    },
    read: () => {
      const now = nowSecond()
      const recent = seconds.filter(({ second }) => second > now - SHARE_SECONDS)
      const refused = recent.reduce((sum, each) => sum + each.refused, 0)
      const all = refused + recent.reduce((sum, each) => sum + each.granted, 0)
      return {
        ...total,
        grantedPerSecond: grantedSince(now - RATE_SECONDS, now) / RATE_SECONDS,
        refusedShare: all === 0 ? null : refused / all,
      }
    },
  }
}

/** A bucket of tokens. `measured`: what was granted in the last second. */
export const createRequestRate = (clock: Clock, measured: () => number, maxPerSecond?: number) => {
  const most = maxPerSecond ?? Number.POSITIVE_INFINITY
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
    /** How long until the next request may start; 0 if it may now. */
    untilNextMs: () => {
      if (rate === null) return 0
      fill(rate)
      return tokens >= 1 ? 0 : Math.ceil(((1 - tokens) / rate) * 1_000)
    },
    started: () => {
      if (rate !== null) tokens -= 1
    },
    refused: () => {
      tokens = Math.min(tokens, 1)
      filledAtMs = clock.now()
      const granted = measured()
      if (granted === 0) {
        // Others may have used up the limit: this refusal does not show it.
        rate = Math.max(MIN_PER_SECOND, (rate ?? FIRST_PER_SECOND) / 2)
        return
      }
      const found = Math.min(rate ?? granted, granted)
      probe = found > limit * SAME_LIMIT ? Math.max(PROBE.least, probe / 2) : PROBE.first
      limit = found
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
  const counts = createCounts(clock)
  const rate = createRequestRate(clock, counts.perSecond, options.maxPerSecond)
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
    counts.count('refused')
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
    run: async (request, { signal, order = 0, isBackground = false, isPatient } = {}) => {
      for (let turns = 1; ; turns++) {
        await queue.wait({ order, isBackground }, signal)
        const slowdownsBefore = slowdowns
        try {
          const answer = await request()
          counts.count('granted')
          pauses = 0
          concurrent = Math.min(maxConcurrent, concurrent + growth)
          return answer
        } catch (error) {
          if (error instanceof LimitedError) refused(error, slowdownsBefore)
          else if (hasCode(error, 'DEADLINE_EXCEEDED')) halveConcurrent()
          if (!(error instanceof LimitedError && turns < MAX_TURNS && isPatient?.())) throw error
        } finally {
          queue.ended()
        }
      }
    },
    waitMs: () =>
      pausedMs() + (queue.length / (rate.perSecond() ?? Number.POSITIVE_INFINITY)) * 1_000,
    read: () => ({
      concurrent,
      perSecond: rate.perSecond(),
      pausedMs: pausedMs(),
      ...counts.read(),
    }),
    close: queue.close,
  }
}
