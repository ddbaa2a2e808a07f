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
import { type Held, readSnapshot } from './read-snapshot.ts'
import { createTipClock, type TipClock } from './tip-clock.ts'

export type Freshness = {
  /** How long the oldest height that is known and not served has waited; null where nothing is known. */
  seconds: number | null
  /** The served height has moved lately. */
  isMoving: boolean
  /** The store answers and the projections write to it. */
  isHeard: boolean
}

export type SnapshotSource = {
  /** Undefined until something was projected. */
  current(): Snapshot | undefined
  freshness(): Freshness
  /**
   * A generation for whoever follows a cursor of it, looked at less than `maxAgeMs` ago: the one that is served,
   * or one that was until lately. Undefined where it answers no more. Rejects where the store cannot be asked.
   */
  of(generation: number, maxAgeMs?: number): Promise<Snapshot | undefined>
  /** Looks again now; rejects where the store cannot be asked. */
  refresh(): Promise<void>
  /** `heard` is called after every look that found something; it must not throw. */
  onLook(heard: () => void): void
  /** Looks again and again until aborted. */
  follow(signal: AbortSignal): Promise<void>
  /** Something newer was committed: `follow` looks at once, and once more where it is looking already. */
  wake(): void
}

export type SnapshotSourceOptions = { store: Store; log: Logger; pollMs: number; clock?: Clock }

/** A state that was not read for this long is not known to be right. */
const STALE_MS = 10_000
/** A rebuilt generation is a rare thing, and the one before it still answers: not asked for at every look. */
const GENERATION_MS = 500
/** As above, for a cursor of a generation that is not known here: whoever makes one up is not to cost more. */
const NEWER_MS = 50
/** So long a new generation may be behind the one before it. */
const BEHIND_MS = 10_000

type Heard = { held: Held | undefined; readAtMs: number; nowMs: number }

/** Nobody knows of heights that came while nothing was heard: the silence counts as waiting. */
const freshnessOf = ({ held, readAtMs, nowMs }: Heard, tipClock: TipClock): Freshness => {
  if (!held) return { seconds: null, isMoving: false, isHeard: false }
  const silentMs = nowMs - Math.min(readAtMs, held.writtenAtMs)
  const isHeard = silentMs < STALE_MS
  const { waitedMs, isMoving } = tipClock.read()
  const inLogMs = held.waitingSinceMs === null ? 0 : nowMs - held.waitingSinceMs
  const longestMs = Math.max(waitedMs, inLogMs, isHeard ? 0 : silentMs, 0)
  return { seconds: longestMs / 1_000, isMoving, isHeard }
}

const createPoll = (
  readSnapshot: () => Promise<void>,
  { clock, pollMs, log }: { clock: Clock; pollMs: number; log: Logger },
): Pick<SnapshotSource, 'follow' | 'wake'> => {
  let wakeUp = new AbortController()
  const lookOn = async (signal: AbortSignal, works: () => void): Promise<void> => {
    while (!signal.aborted) {
      wakeUp = new AbortController()
      await readSnapshot()
      works()
      await pause(pollMs, AbortSignal.any([signal, wakeUp.signal]), clock)
    }
  }
  return {
    follow: (signal) =>
      supervise((works) => lookOn(signal, works), {
        policy: policies.poll(pollMs),
        ...{ signal, clock },
        onFailure: (error, failures) => {
          if (failures === 1) log.warn({ error }, 'could not read what may be served')
        },
        onRecovery: () => log.info({}, 'read what may be served again'),
      }),
    wake: () => wakeUp.abort(),
  }
}

export const createSnapshotSource = (options: SnapshotSourceOptions): SnapshotSource => {
  const { store, log, pollMs, clock = systemClock } = options
  const tipClock = createTipClock(() => clock.now())
  let held: Held | undefined
  let readAtMs = Number.NEGATIVE_INFINITY
  let looking: Promise<void> | undefined

  const generations = createGenerationList(store, clock)
  const formers = createFormerGenerations({ store, clock })
  let behindSinceMs: number | undefined

  /** A new generation is served once it is not behind the one before; readers must not go back in time. */
  const adopt = (next: Held | undefined, before: Held, nowMs: number): boolean => {
    if (next && BigInt(next.nextOffset) >= BigInt(before.nextOffset)) return true
    behindSinceMs ??= nowMs
    return nowMs - behindSinceMs > BEHIND_MS
  }
  const lookAt = async (generation: number, nowMs: number): Promise<Held | undefined> => {
    const before = held
    const known = before?.generation === generation ? before : formers.held(generation)
    const next = await readSnapshot(store, generation, known)
    if (!before || before.generation === generation) return next
    if (!adopt(next, before, nowMs)) return readSnapshot(store, before.generation, before)
    behindSinceMs = undefined
    formers.put(before, nowMs)
    log.info({ from: before.generation, to: generation }, 'served another generation')
    return next
  }
  const hearers: (() => void)[] = []
  const lookNow = async () => {
    const startedMs = clock.now()
    const { active } = await generations.read(GENERATION_MS)
    held = active === undefined ? undefined : await lookAt(active, startedMs)
    readAtMs = startedMs
    if (!held) return
    tipClock.observe(held)
    for (const heard of hearers) heard()
  }
  const refresh = (): Promise<void> => {
    looking ??= lookNow().finally(() => {
      looking = undefined
    })
    return looking
  }
  const of = async (generation: number, maxAgeMs = pollMs): Promise<Snapshot | undefined> => {
    if (held?.generation !== generation) {
      const known = await generations.read(GENERATION_MS)
      const isNewer = known.active === undefined || generation > known.active
      // Another instance may have heard of a switch before this one.
      const { active, former } = isNewer ? await generations.read(NEWER_MS) : known
      const untilMs = former.get(generation)
      if (untilMs !== undefined && clock.now() < untilMs) return formers.of(generation, maxAgeMs)
      if (active !== generation) return undefined
    }
    if (held?.generation !== generation || maxAgeMs === 0) await refresh()
    return held?.generation === generation ? held : formers.of(generation, maxAgeMs)
  }
  return {
    current: () => held,
    of,
    freshness: () => freshnessOf({ held, readAtMs, nowMs: clock.now() }, tipClock),
    refresh,
    onLook: (heard) => void hearers.push(heard),
    ...createPoll(refresh, { clock, pollMs, log }),
  }
}
