// The snapshots that are served: of the active generation, polled and kept in memory, and of former ones for their cursors.
import { LRUCache } from 'lru-cache'
import type { Store } from '../../infra/base/clickhouse/client.ts'
import { type Clock, pause, systemClock } from '../../infra/base/runtime/clock.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { policies } from '../../infra/base/runtime/policies.ts'
import { supervise } from '../../infra/base/runtime/retry.ts'
import { toPosition } from '../../ingest/contract/envelope.ts'
import { readCheckpoint } from '../../projections/contract/checkpoints.ts'
import { CONTROL_DATABASE, toDatabaseName } from '../../projections/contract/database.ts'
import {
  findActive,
  GENERATION_LINGERS_MS,
  readGenerations,
} from '../../projections/contract/generations.ts'
import { TABLES } from '../../projections/contract/tables.ts'
import { timestampToMs } from '../../projections/contract/timestamps.ts'
import { createFreshnessMeter, type Freshness } from './freshness.ts'
import { MERGED_PART, READ_OPTIONS, selectFrom } from './queries/as-of.ts'
import type { Snapshot, Watermark } from './snapshot.ts'

/** A snapshot with the data that the next read needs. */
type CachedSnapshot = Snapshot & { nextOffset: bigint }

/** For a proposal with a replaced watermark: it exists, but its data is not served until the next snapshot. */
const NOTHING_YET: Watermark = { position: 0n, timeMs: 0, final: false, awaits: false }

type Marks = Pick<CachedSnapshot, 'watermarks' | 'changedAt'>

const NO_MARKS: Marks = { watermarks: new Map(), changedAt: 0n }

/**
 * Positions increase with each commit, so only newer watermarks are read. Those after the height belong to a commit without
 * a checkpoint yet. They are read from merged parts, because they may have replaced served ones.
 */
const readNewerMarks = async (
  store: Store,
  { database, height }: { database: string; height: number },
  known: Marks,
): Promise<Marks> => {
  const end = toPosition({ height: height + 1, index: 0 })
  const rows = await selectFrom(
    { store },
    TABLES.watermarks.all,
    `${database}.${TABLES.watermarks.name}
     WHERE position >= {since:UInt64} AND (position < {end:UInt64} OR ${MERGED_PART})
     ORDER BY position`,
    { since: known.changedAt.toString(), end: end.toString() },
  )
  const watermarks = new Map(known.watermarks)
  let { changedAt } = known
  for (const { proposalId, position, time, final, awaits } of rows) {
    const before = watermarks.get(proposalId)
    if (position >= end) {
      watermarks.set(proposalId, before ?? NOTHING_YET)
      continue
    }
    changedAt = position
    if (before && before.position > position) continue
    const isFinal = final || (before?.position === position && before.final)
    watermarks.set(proposalId, { position, timeMs: timestampToMs(time), final: isFinal, awaits })
  }
  return { watermarks, changedAt }
}

/** Undefined before the first checkpoint. */
const readSnapshot = async (
  store: Store,
  generation: number,
  before: CachedSnapshot | undefined,
): Promise<CachedSnapshot | undefined> => {
  const database = toDatabaseName(generation)
  const checkpoint = await readCheckpoint(store, database, READ_OPTIONS)
  if (!checkpoint) return undefined
  const { height, nextOffset } = checkpoint
  const same = before?.generation === generation ? before : undefined
  const marks =
    same?.nextOffset === nextOffset
      ? { watermarks: same.watermarks, changedAt: same.changedAt }
      : await readNewerMarks(store, { database, height }, same ?? NO_MARKS)
  return {
    ...marks,
    generation,
    database,
    height,
    nextOffset,
    chainId: checkpoint.chainId,
    timeMs: checkpoint.timeMs,
    tip: Math.max(checkpoint.tip, height),
    limitations: checkpoint.limitations,
    history: checkpoint.history,
    lagEvents: Number(checkpoint.lagEvents),
    waitingSinceMs: checkpoint.waitingSinceMs,
    writtenAtMs: timestampToMs(checkpoint.writtenAt),
  }
}

/** Shares a pending read among all that ask for the same. */
const createShared = <Key, Value>(read: (key: Key) => Promise<Value>) => {
  const pending = new Map<Key, Promise<Value>>()
  return (key: Key): Promise<Value> => {
    const started = pending.get(key) ?? read(key).finally(() => pending.delete(key))
    pending.set(key, started)
    return started
  }
}

type Generations = {
  /** The highest active generation; undefined before the first one is active. */
  active: number | undefined
  /** Wall clock until which the cursors of each former generation are valid. */
  former: ReadonlyMap<number, number>
}

/** The list at most so old. */
const createGenerationList = (store: Store, clock: Clock) => {
  let known: { generations: Generations; readAtMs: number } | undefined
  const read = createShared(async (_all: 'all'): Promise<Generations> => {
    const readAtMs = clock.now()
    const list = await readGenerations(store, CONTROL_DATABASE, READ_OPTIONS)
    const retired = list.filter(({ state }) => state === 'retired')
    const generations = {
      active: findActive(list)?.generation,
      former: new Map(
        retired.map((each) => [each.generation, each.changedAtMs + GENERATION_LINGERS_MS]),
      ),
    }
    known = { generations, readAtMs }
    return generations
  })
  return async (maxAgeMs: number): Promise<Generations> =>
    known && clock.now() - known.readAtMs < maxAgeMs ? known.generations : read('all')
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

/** Switches are rare, so the list of generations is read less often than the checkpoint. */
const GENERATION_MS = 500
/** The same for a cursor of an unknown generation. It limits the cost of invented cursors. */
const NEWER_MS = 50
/** After this time, a new generation is served also if it is behind the previous one. */
const BEHIND_MS = 10_000
/** Few snapshots are cached: switches are rare. */
const MAX_KNOWN = 5

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

export function createSnapshotSource(options: SnapshotSourceOptions): SnapshotSource {
  const { store, logger, pollMs, clock = systemClock } = options
  const meter = createFreshnessMeter(() => clock.now())
  const listGenerations = createGenerationList(store, clock)
  const known = new LRUCache<number, { snapshot: CachedSnapshot | undefined; readAtMs: number }>({
    max: MAX_KNOWN,
  })
  let current: CachedSnapshot | undefined
  let readAtMs = Number.NEGATIVE_INFINITY
  let behindSinceMs: number | undefined

  const read = createShared(async (generation: number) => {
    const startedMs = clock.now()
    const snapshot = await readSnapshot(store, generation, known.get(generation)?.snapshot)
    known.set(generation, { snapshot, readAtMs: startedMs })
    return snapshot
  })
  /**
   * A new generation is served when it is not behind the previous one, so that clients never read older data. The first
   * call for a generation that is behind starts the time limit.
   */
  const canSwitchTo = (next: CachedSnapshot | undefined, before: CachedSnapshot): boolean => {
    if (next && next.nextOffset >= before.nextOffset) return true
    behindSinceMs ??= clock.now()
    return clock.now() - behindSinceMs > BEHIND_MS
  }
  const select = async (generation: number): Promise<CachedSnapshot | undefined> => {
    const before = current
    const next = await read(generation)
    if (!before || before.generation === generation) return next
    if (!canSwitchTo(next, before)) return read(before.generation)
    behindSinceMs = undefined
    logger.info({ from: before.generation, to: generation }, 'switched to another generation')
    return next
  }
  const listeners: (() => void)[] = []
  const share = createShared(async (_current: 'current') => {
    const startedMs = clock.now()
    const { active } = await listGenerations(GENERATION_MS)
    current = active === undefined ? undefined : await select(active)
    readAtMs = startedMs
    if (!current) return
    meter.observe(current)
    for (const notify of listeners) notify()
  })
  const refresh = () => share('current')
  const findAt = async (generation: number, maxAgeMs: number): Promise<Snapshot | undefined> => {
    const entry = known.get(generation)
    return entry && clock.now() - entry.readAtMs < maxAgeMs ? entry.snapshot : read(generation)
  }
  const find = async (generation: number, maxAgeMs = pollMs): Promise<Snapshot | undefined> => {
    const isCurrent = () => current?.generation === generation
    if (!isCurrent()) {
      const list = await listGenerations(GENERATION_MS)
      const isNewer = list.active === undefined || generation > list.active
      // Another instance may have detected a switch before this one.
      const { active, former } = isNewer ? await listGenerations(NEWER_MS) : list
      const untilMs = former.get(generation)
      if (untilMs !== undefined && clock.now() < untilMs) return findAt(generation, maxAgeMs)
      if (active !== generation) return undefined
    }
    if (!isCurrent() || maxAgeMs === 0) await refresh()
    return isCurrent() ? current : findAt(generation, maxAgeMs)
  }
  return {
    current: () => current,
    find,
    freshness: () => meter.read(current, readAtMs),
    refresh,
    onRefresh: (listener) => void listeners.push(listener),
    ...createPoll(refresh, { clock, pollMs, logger }),
  }
}
