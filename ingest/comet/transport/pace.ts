// The pace of all requests to one URL: their order, how many at once, and how long they pause after a refusal.
import { linkedAbort, unlessAborted } from '../../../infra/base/runtime/abort.ts'
import type { Clock } from '../../../infra/base/runtime/clock.ts'
import { AppError, hasCode } from '../../../infra/base/runtime/errors.ts'
import { createRequestCounts, type RequestCounts } from './request-counts.ts'
import { createRequestRate } from './request-rate.ts'

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
  /** How long one request is repeated after refusals before it fails. */
  patienceMs: number
  clock: Clock
  /** Called for each refusal. */
  onRefused?: ((error: LimitedError) => void) | undefined
}

export type PaceState = ReturnType<RequestCounts['read']> & {
  concurrent: number
  /** Null until a refusal shows a limit. */
  perSecond: number | null
  /** How long no request is sent; 0 without a pause. */
  pausedMs: number
}

export type RunOptions = {
  signal?: AbortSignal | undefined
  /** Waits for all other requests, and never runs in more than half of the places. */
  isBackground?: boolean | undefined
}

export type Pace = {
  /** Runs `request` in its turn, and again after each `LimitedError` while the patience lasts. */
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
/** How long the first requests are repeated: an endpoint that grants none is refused with its reason. */
const FIRST_PATIENCE_MS = 2_000

/** Lower orders come first. */
type Place = { order: number; isBackground: boolean }
type Turn = Place & { start: () => void }

type Queue = {
  /** Resolves at the turn of a request. */
  wait(place: Place, signal: AbortSignal | undefined): Promise<void>
  ended(): void
  /** Waiting requests, without those in the background. */
  readonly length: number
  close(): void
}

const comesBefore = (one: Place, other: Place): boolean =>
  one.isBackground === other.isBackground ? one.order < other.order : other.isBackground

/** `untilNextMs`: how long until one more request may start while so many run; null: once one of them ends. */
const createQueue = (
  clock: Clock,
  {
    untilNextMs,
    onStart,
  }: { untilNextMs: (running: number, next: Place) => number | null; onStart: () => void },
): Queue => {
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
    while (waiting.length > 0) {
      const ms = untilNextMs(running, waiting[0]!)
      if (ms === null) return
      if (ms > 0) return void startIn(ms)
      onStart()
      running++
      waiting.shift()!.start()
    }
  }
  const ended = (): void => {
    running--
    start()
  }
  return {
    wait: async (place, signal = closing.signal) => {
      let hasStarted = false
      const turn: Turn = {
        ...place,
        start: () => {
          hasStarted = true
        },
      }
      const later = waiting.findIndex((each) => comesBefore(place, each))
      waiting.splice(later === -1 ? waiting.length : later, 0, turn)
      start()
      if (hasStarted) return
      const started = new Promise<void>((resolve) => {
        turn.start = resolve
      })
      try {
        await unlessAborted(unlessAborted(started, signal), closing.signal)
      } catch (error) {
        const at = waiting.indexOf(turn)
        if (at === -1) ended()
        else waiting.splice(at, 1)
        throw error
      }
    },
    ended,
    get length() {
      return waiting.filter(({ isBackground }) => !isBackground).length
    },
    close: () => closing.abort(),
  }
}

export const createPace = (options: PaceOptions): Pace => {
  const { maxConcurrent, patienceMs, clock } = options
  const rate = createRequestRate(clock, options.maxPerSecond)
  const counts = createRequestCounts(clock)
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
      if (running >= places) return null
      return pausedMs() || rate.untilNextMs()
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
  const grant = (): void => {
    counts.grant()
    pauses = 0
    rate.granted()
    concurrent = Math.min(maxConcurrent, concurrent + growth)
  }
  const refuse = (error: LimitedError, slowdownsBefore: number): void => {
    const { retryAfterMs } = error
    counts.refuse()
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
  const attempt = async <T>(request: () => Promise<T>): Promise<T> => {
    const slowdownsBefore = slowdowns
    try {
      const answer = await request()
      grant()
      return answer
    } catch (error) {
      if (error instanceof LimitedError) refuse(error, slowdownsBefore)
      else if (hasCode(error, 'DEADLINE_EXCEEDED')) halveConcurrent()
      throw error
    } finally {
      queue.ended()
    }
  }
  let orders = 0
  return {
    run: async (request, { signal, isBackground = false } = {}) => {
      const place = { order: ++orders, isBackground }
      let firstRefusalMs: number | undefined
      for (;;) {
        await queue.wait(place, signal)
        try {
          return await attempt(request)
        } catch (error) {
          if (!(error instanceof LimitedError)) throw error
          firstRefusalMs ??= clock.now()
          const patience =
            counts.read().granted > 0 ? patienceMs : Math.min(patienceMs, FIRST_PATIENCE_MS)
          if (clock.now() + pausedMs() - firstRefusalMs > patience) throw error
        }
      }
    },
    waitMs: () =>
      pausedMs() + (queue.length / (rate.perSecond() ?? Number.POSITIVE_INFINITY)) * 1e3,
    read: () => {
      return { concurrent, perSecond: rate.perSecond(), pausedMs: pausedMs(), ...counts.read() }
    },
    close: queue.close,
  }
}
