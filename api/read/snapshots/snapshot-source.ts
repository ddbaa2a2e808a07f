// Polls the current snapshot: the active generation, its checkpoint, and the watermarks. Requests use it from memory.
import type { Store } from '../../../infra/base/clickhouse/client.ts'
import { type Clock, pause, systemClock } from '../../../infra/base/runtime/clock.ts'
import type { Logger } from '../../../infra/base/runtime/logger.ts'
import { policies } from '../../../infra/base/runtime/policies.ts'
import { supervise } from '../../../infra/base/runtime/retry.ts'
import type { Snapshot } from '../snapshot.ts'
import { type Behind, computeBehind, findSilence } from './behind.ts'
import { type CatchUp, type CatchUpMeter, createCatchUpMeter } from './catch-up.ts'
import { createFormerGenerations } from './former-generations.ts'
import { createGenerationList } from './generation-list.ts'
import { type CachedSnapshot, readSnapshot } from './read-snapshot.ts'
import { createTipClock, type TipClock } from './tip-clock.ts'

export type Freshness = {
  /** Age of the oldest known height that is not served yet; null if no height is known. */
  seconds: number | null
  /** The served height has increased recently. */
  isMoving: boolean
  /** The store responds and the projections write to it. */
  isReachable: boolean
  behind: Behind
  /** What is still to come of the past. Null if nothing is, and while the tip is not known. */
  catchUp: CatchUp | null
  /** Block time of the last block, if no new one comes. */
  silentSinceMs: number | null
}

export type SnapshotSource = {
  /** Undefined before the first checkpoint. */
  current(): Snapshot | undefined
  freshness(): Freshness
  /**
   * The snapshot of a generation for a cursor, at most `maxAgeMs` old. Undefined if cursors of the generation have
   * expired. Rejects if the store is unavailable.
   */
  find(generation: number, maxAgeMs?: number): Promise<Snapshot | undefined>
  /** Reads a new snapshot. Rejects if the store is unavailable. */
  refresh(): Promise<void>
  /** `listener` is called after every read with a snapshot. It must not throw. */
  onRefresh(listener: () => void): void
  /** Polls until aborted. */
  follow(signal: AbortSignal): Promise<void>
  /** Makes `follow` read immediately, or once more after a pending read. */
  wake(): void
}

export type SnapshotSourceOptions = { store: Store; logger: Logger; pollMs: number; clock?: Clock }

/** After this time without a read, the state counts as unreachable. */
const STALE_MS = 10_000
/** Switches are rare, so the list of generations is read less often than the checkpoint. */
const GENERATION_MS = 500
/** The same for a cursor of an unknown generation. It limits the cost of invented cursors. */
const NEWER_MS = 50
/** After this time, a new generation is served also if it is behind the previous one. */
const BEHIND_MS = 10_000

type FreshnessInput = { cached: CachedSnapshot | undefined; readAtMs: number; nowMs: number }
type Meters = { tipClock: TipClock; catchUpMeter: CatchUpMeter }

/** New heights are unknown while the store or the projections do not respond, so this time counts as waiting. */
const computeFreshness = (
  { cached, readAtMs, nowMs }: FreshnessInput,
  { tipClock, catchUpMeter }: Meters,
): Freshness => {
  const { waitedMs, isMoving, isTipKnown } = tipClock.read()
  const behind = computeBehind(cached, { nowMs, isTipKnown })
  const silentSinceMs = findSilence(cached, isTipKnown)
  const catchUp = behind.heights === null ? null : catchUpMeter.read()
  const known = { behind, catchUp, silentSinceMs }
  if (!cached) return { seconds: null, isMoving: false, isReachable: false, ...known }
  const silentMs = nowMs - Math.min(readAtMs, cached.writtenAtMs)
  const isReachable = silentMs < STALE_MS
  const inLogMs = cached.waitingSinceMs === null ? 0 : nowMs - cached.waitingSinceMs
  const longestMs = Math.max(waitedMs, inLogMs, isReachable ? 0 : silentMs, 0)
  return { seconds: longestMs / 1_000, isMoving, isReachable, ...known }
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
          if (failures === 1) logger.warn({ error }, 'could not read the snapshot')
        },
        onRecovery: () => logger.info({}, 'read the snapshot again'),
      }),
    wake: () => wakeUp.abort(),
  }
}

export const createSnapshotSource = (options: SnapshotSourceOptions): SnapshotSource => {
  const { store, logger, pollMs, clock = systemClock } = options
  const tipClock = createTipClock(() => clock.now())
  const catchUpMeter = createCatchUpMeter(() => clock.now())
  let cached: CachedSnapshot | undefined
  let readAtMs = Number.NEGATIVE_INFINITY
  let refreshing: Promise<void> | undefined

  const generations = createGenerationList(store, clock)
  const formers = createFormerGenerations({ store, clock })
  let behindSinceMs: number | undefined

  /**
   * A new generation is served when it is not behind the previous one, so that clients never read older data. The first
   * call for a generation that is behind starts the time limit.
   */
  const canSwitchTo = (
    next: CachedSnapshot | undefined,
    before: CachedSnapshot,
    nowMs: number,
  ): boolean => {
    if (next && next.nextOffset >= before.nextOffset) return true
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
    logger.info({ from: before.generation, to: generation }, 'switched to another generation')
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
    catchUpMeter.observe(cached)
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
      // Another instance may have detected a switch before this one.
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
    freshness: () =>
      computeFreshness({ cached, readAtMs, nowMs: clock.now() }, { tipClock, catchUpMeter }),
    refresh,
    onRefresh: (listener) => void listeners.push(listener),
    ...createPoll(refresh, { clock, pollMs, logger }),
  }
}
