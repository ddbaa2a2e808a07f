// What may be served right now: the active generation, its checkpoint, and each proposal's watermark.
// Polled and held in memory, so that a page costs no query to find out whether it is still right.
import type { Store } from '../infra/clickhouse/client.ts'
import { type Clock, systemClock } from '../infra/runtime/clock.ts'
import type { Logger } from '../infra/runtime/logger.ts'
import { positionOf } from '../ingest/contract/envelope.ts'
import {
  type CheckpointRow,
  CONTROL_DATABASE,
  databaseOf,
  RUNNER,
  TABLE,
  type WatermarkRow,
} from '../projections/contract/read-model.ts'
import { parseTimestamp } from './queries/values.ts'
import { createTipClock, type TipClock } from './tip-clock.ts'

export type Watermark = { position: bigint; timeMs: number; final: boolean }

/** One look. Immutable: what is read under it is kept under its keys, whatever is looked at meanwhile. */
export type Served = {
  generation: number
  database: string
  chainId: string
  height: number
  timeMs: number
  tip: number
  lagEvents: number
  /** Wall clock since which the oldest height in the log waits; null where none does. */
  waitingSinceMs: number | null
  /** Wall clock of the projections' last sign of life. */
  writtenAtMs: number
  /** Latest position of any watermark: moves with every fact that a list may show. */
  changedAt: bigint
  /** By canonical proposal id. None is newer than the checkpoint. */
  watermarks: ReadonlyMap<string, Watermark>
}

export type Freshness = {
  /** How long the oldest height that is known and not served has waited; null where nothing is known. */
  seconds: number | null
  /** The served height has moved lately. */
  isMoving: boolean
  /** The store answers and the projections write to it. */
  isHeard: boolean
}

export type ServedState = {
  /** Undefined until something was projected. */
  current(): Served | undefined
  freshness(): Freshness
  /** Looks again now; rejects where the store cannot be asked. */
  refresh(): Promise<void>
  /** Looks again and again until aborted. */
  follow(signal: AbortSignal): Promise<void>
}

export type ServedStateOptions = { store: Store; log: Logger; pollMs: number; clock?: Clock }

/** A state that was not read for this long is not known to be right. */
const STALE_MS = 10_000
const QUERY_TIMEOUT_MS = 5_000
/** A rebuilt generation is a rare thing, and the one before it still answers: not asked for at every look. */
const GENERATION_MS = 500

type Held = Served & { nextOffset: string }

const readGeneration = async (store: Store): Promise<number | undefined> => {
  const [row] = await store.select<{ generation: number }>(
    `SELECT generation FROM ${CONTROL_DATABASE}.generations FINAL
     WHERE state = 'active' ORDER BY generation DESC LIMIT 1`,
    {},
    { timeoutMs: QUERY_TIMEOUT_MS },
  )
  return row?.generation
}

const readCheckpoint = async (
  store: Store,
  database: string,
): Promise<CheckpointRow | undefined> => {
  const [row] = await store.select<CheckpointRow>(
    `SELECT * FROM ${database}.${TABLE.checkpoints} FINAL WHERE projection = {runner:String}`,
    { runner: RUNNER },
    { timeoutMs: QUERY_TIMEOUT_MS },
  )
  return row
}

/** Watermarks from `since` up to `before`: later ones belong to a commit whose checkpoint is to come. */
const readWatermarks = async (
  store: Store,
  database: string,
  span: { since: bigint; before: bigint },
): Promise<WatermarkRow[]> =>
  await store.select<WatermarkRow>(
    `SELECT proposal_id, position, time, final FROM ${database}.${TABLE.watermarks}
     WHERE position >= {since:UInt64} AND position < {before:UInt64} ORDER BY position`,
    { since: span.since.toString(), before: span.before.toString() },
    { timeoutMs: QUERY_TIMEOUT_MS },
  )

const addWatermarks = (
  before: ReadonlyMap<string, Watermark>,
  rows: readonly WatermarkRow[],
): ReadonlyMap<string, Watermark> => {
  const watermarks = new Map(before)
  for (const row of rows) {
    const position = BigInt(row.position)
    const known = watermarks.get(row.proposal_id)
    if (known && known.position > position) continue
    const final = row.final || (known?.position === position && known.final)
    watermarks.set(row.proposal_id, { position, timeMs: parseTimestamp(row.time), final })
  }
  return watermarks
}

type Marks = Pick<Held, 'watermarks' | 'changedAt'>

const NO_MARKS: Marks = { watermarks: new Map(), changedAt: 0n }

/** Positions of a later commit lie after those of an earlier one, so only the newest are read. */
const newerMarks = async (
  store: Store,
  at: { database: string; height: number },
  { watermarks, changedAt }: Marks,
): Promise<Marks> => {
  const before = positionOf({ height: at.height + 1, index: 0 })
  const rows = await readWatermarks(store, at.database, { since: changedAt, before })
  const latest = rows.at(-1)
  if (!latest) return { watermarks, changedAt }
  return { watermarks: addWatermarks(watermarks, rows), changedAt: BigInt(latest.position) }
}

const look = async (
  store: Store,
  generation: number,
  before: Held | undefined,
): Promise<Held | undefined> => {
  const database = databaseOf(generation)
  const row = await readCheckpoint(store, database)
  if (!row || row.next_offset === '0') return undefined
  const same = before?.generation === generation ? before : undefined
  const height = Number(row.height)
  const marks =
    same?.nextOffset === row.next_offset
      ? { watermarks: same.watermarks, changedAt: same.changedAt }
      : await newerMarks(store, { database, height }, same ?? NO_MARKS)
  return {
    ...marks,
    ...{ generation, database, height },
    chainId: row.chain_id,
    timeMs: parseTimestamp(row.time),
    tip: Math.max(Number(row.tip), height),
    lagEvents: Number(row.lag_events),
    waitingSinceMs:
      row.oldest_waiting_since === null ? null : parseTimestamp(row.oldest_waiting_since),
    writtenAtMs: parseTimestamp(row.written_at),
    nextOffset: row.next_offset,
  }
}

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

export const createServedState = (options: ServedStateOptions): ServedState => {
  const { store, log, pollMs, clock = systemClock } = options
  const tipClock = createTipClock(() => clock.now())
  let held: Held | undefined
  let readAtMs = Number.NEGATIVE_INFINITY
  let looking: Promise<void> | undefined
  let isFailing = false

  let active: { generation: number; readAtMs: number } | undefined

  const activeGeneration = async (nowMs: number): Promise<number | undefined> => {
    if (active && nowMs - active.readAtMs < GENERATION_MS) return active.generation
    const generation = await readGeneration(store)
    active = generation === undefined ? undefined : { generation, readAtMs: nowMs }
    return generation
  }
  const lookNow = async () => {
    const startedMs = clock.now()
    const generation = await activeGeneration(startedMs)
    held = generation === undefined ? undefined : await look(store, generation, held)
    readAtMs = startedMs
    if (held) tipClock.observe(held)
  }
  const refresh = (): Promise<void> => {
    looking ??= lookNow().finally(() => {
      looking = undefined
    })
    return looking
  }
  const attempt = async () => {
    try {
      await refresh()
      if (isFailing) log.info({}, 'read what may be served again')
      isFailing = false
    } catch (error) {
      if (!isFailing) log.warn({ error }, 'could not read what may be served')
      isFailing = true
    }
  }
  return {
    current: () => held,
    freshness: () => freshnessOf({ held, readAtMs, nowMs: clock.now() }, tipClock),
    refresh,
    follow: async (signal) => {
      while (!signal.aborted) {
        await attempt()
        await clock.sleep(pollMs, signal).catch(() => undefined)
      }
    },
  }
}
