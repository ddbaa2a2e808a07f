// What may be served right now: the active generation, its checkpoint, and each proposal's watermark.
// Polled and held in memory, so that a page costs no query to find out whether it is still right.
import type { Store } from '../../../infra/clickhouse/client.ts'
import { type Clock, pause, systemClock } from '../../../infra/runtime/clock.ts'
import type { Logger } from '../../../infra/runtime/logger.ts'
import { policies } from '../../../infra/runtime/policies.ts'
import { supervise } from '../../../infra/runtime/supervise.ts'
import type { Snapshot } from '../snapshot.ts'
import { createFormerGenerations } from './former-generations.ts'
import { createGenerationList } from './generation-list.ts'
import { type CachedSnapshot, readSnapshot } from './read-snapshot.ts'
import { createTipClock, type TipClock } from './tip-clock.ts'

export type Freshness = {
  /** How long the oldest height that is known and not served has waited; null where nothing is known. */
  seconds: number | null
  /** The served height has moved lately. */
  isMoving: boolean
  /** The store answers and the projections write to it. */
  isReachable: boolean
}

export type SnapshotSource = {
  /** Undefined until something was projected. */
  current(): Snapshot | undefined
  freshness(): Freshness
  /**
   * A generation for whoever follows a cursor of it, looked at less than `maxAgeMs` ago: the one that is served,
   * or one that was until lately. Undefined where it answers no more. Rejects where the store cannot be asked.
   */
  find(generation: number, maxAgeMs?: number): Promise<Snapshot | undefined>
  /** Looks again now; rejects where the store cannot be asked. */
  refresh(): Promise<void>
  /** `heard` is called after every look that found something; it must not throw. */
  onRefresh(listener: () => void): void
  /** Looks again and again until aborted. */
  follow(signal: AbortSignal): Promise<void>
  /** Something newer was committed: `follow` looks at once, and once more where it is looking already. */
  wake(): void
}

export type SnapshotSourceOptions = { store: Store; logger: Logger; pollMs: number; clock?: Clock }

/** A state that was not read for this long is not known to be right. */
const STALE_MS = 10_000
/** A rebuilt generation is a rare thing, and the one before it still answers: not asked for at every look. */
const GENERATION_MS = 500
/** As above, for a cursor of a generation that is not known here: whoever makes one up is not to cost more. */
const NEWER_MS = 50
/** So long a new generation may be behind the one before it. */
const BEHIND_MS = 10_000

type FreshnessInput = { cached: CachedSnapshot | undefined; readAtMs: number; nowMs: number }

/** Nobody knows of heights that came while nothing was heard: the silence counts as waiting. */
const computeFreshness = (
  { cached, readAtMs, nowMs }: FreshnessInput,
  tipClock: TipClock,
): Freshness => {
  if (!cached) return { seconds: null, isMoving: false, isReachable: false }
  const silentMs = nowMs - Math.min(readAtMs, cached.writtenAtMs)
  const isReachable = silentMs < STALE_MS
  const { waitedMs, isMoving } = tipClock.read()
  const inLogMs = cached.waitingSinceMs === null ? 0 : nowMs - cached.waitingSinceMs
  const longestMs = Math.max(waitedMs, inLogMs, isReachable ? 0 : silentMs, 0)
  return { seconds: longestMs / 1_000, isMoving, isReachable }
}

const createPoll = (
  refresh: () => Promise<void>,
  { clock, pollMs, logger }: { clock: Clock; pollMs: number; logger: Logger },
): Pick<SnapshotSource, 'follow' | 'wake'> => {
  let wakeUp = new AbortController()
  const pollUntilAborted = async (signal: AbortSignal, works: () => void): Promise<void> => {
    while (!signal.aborted) {
      wakeUp = new AbortController()
      await refresh()
      works()
      await pause(pollMs, AbortSignal.any([signal, wakeUp.signal]), clock)
    }
  }
  return {
    follow: (signal) =>
      supervise((works) => pollUntilAborted(signal, works), {
        policy: policies.poll(pollMs),
        signal,
        clock,
        onFailure: (error, failures) => {
          if (failures === 1) logger.warn({ error }, 'could not read what may be served')
        },
        onRecovery: () => logger.info({}, 'read what may be served again'),
      }),
    wake: () => wakeUp.abort(),
  }
}

export const createSnapshotSource = (options: SnapshotSourceOptions): SnapshotSource => {
  const { store, logger, pollMs, clock = systemClock } = options
  const tipClock = createTipClock(() => clock.now())
  let cached: CachedSnapshot | undefined
  let readAtMs = Number.NEGATIVE_INFINITY
  let refreshing: Promise<void> | undefined

  const generations = createGenerationList(store, clock)
  const formers = createFormerGenerations({ store, clock })
  let behindSinceMs: number | undefined

  /** A new generation is served once it is not behind the one before; readers must not go back in time. */
  const canSwitchTo = (
    next: CachedSnapshot | undefined,
    before: CachedSnapshot,
    nowMs: number,
  ): boolean => {
    if (next && BigInt(next.nextOffset) >= BigInt(before.nextOffset)) return true
    behindSinceMs ??= nowMs
    return nowMs - behindSinceMs > BEHIND_MS
  }
  const selectSnapshot = async (
    generation: number,
    nowMs: number,
  ): Promise<CachedSnapshot | undefined> => {
    const before = cached
    const known = before?.generation === generation ? before : formers.getCached(generation)
    const next = await readSnapshot(store, generation, known)
    if (!before || before.generation === generation) return next
    if (!canSwitchTo(next, before, nowMs)) return readSnapshot(store, before.generation, before)
    behindSinceMs = undefined
    formers.put(before, nowMs)
    logger.info({ from: before.generation, to: generation }, 'served another generation')
    return next
  }
  const listeners: (() => void)[] = []
  const refreshNow = async () => {
    const startedMs = clock.now()
    const { active } = await generations.read(GENERATION_MS)
    cached = active === undefined ? undefined : await selectSnapshot(active, startedMs)
    readAtMs = startedMs
    if (!cached) return
    tipClock.observe(cached)
    for (const notify of listeners) notify()
  }
  const refresh = (): Promise<void> => {
    refreshing ??= refreshNow().finally(() => {
      refreshing = undefined
    })
    return refreshing
  }
  const find = async (generation: number, maxAgeMs = pollMs): Promise<Snapshot | undefined> => {
    if (cached?.generation !== generation) {
      const known = await generations.read(GENERATION_MS)
      const isNewer = known.active === undefined || generation > known.active
      // Another instance may have heard of a switch before this one.
      const { active, former } = isNewer ? await generations.read(NEWER_MS) : known
      const untilMs = former.get(generation)
      if (untilMs !== undefined && clock.now() < untilMs) return formers.find(generation, maxAgeMs)
      if (active !== generation) return undefined
    }
    if (cached?.generation !== generation || maxAgeMs === 0) await refresh()
    return cached?.generation === generation ? cached : formers.find(generation, maxAgeMs)
  }
  return {
    current: () => cached,
    find,
    freshness: () => computeFreshness({ cached, readAtMs, nowMs: clock.now() }, tipClock),
    refresh,
    onRefresh: (listener) => void listeners.push(listener),
    ...createPoll(refresh, { clock, pollMs, logger }),
  }
}
