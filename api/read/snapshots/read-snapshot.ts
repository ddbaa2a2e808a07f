// Reads the snapshot of a generation: its checkpoint, and the watermarks that are newer than the previous snapshot.
import type { Store } from '../../../infra/base/clickhouse/client.ts'
import { toPosition } from '../../../ingest/contract/envelope.ts'
import { readCheckpoint } from '../../../projections/contract/checkpoints.ts'
import { toDatabaseName } from '../../../projections/contract/database.ts'
import type { WatermarkRow } from '../../../projections/contract/tables/proposals.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import { timestampToMs } from '../../../projections/contract/timestamps.ts'
import { MERGED_PART, READ_OPTIONS, selectFrom } from '../queries/as-of.ts'
import type { Snapshot, Watermark } from '../snapshot.ts'

/** A snapshot with the data that the next read needs. */
export type CachedSnapshot = Snapshot & { nextOffset: bigint }

/**
 * Watermarks from `since` up to `before`: later ones belong to a commit without a checkpoint yet. Later watermarks in
 * merged parts are included, because they may have replaced served ones.
 */
const readWatermarks = (
  store: Store,
  database: string,
  span: { since: bigint; before: bigint },
): Promise<WatermarkRow[]> =>
  selectFrom(
    { store },
    TABLES.watermarks.all,
    `${database}.${TABLES.watermarks.name}
     WHERE position >= {since:UInt64} AND (position < {before:UInt64} OR ${MERGED_PART})
     ORDER BY position`,
    { since: span.since.toString(), before: span.before.toString() },
  )

const addWatermarks = (
  before: ReadonlyMap<string, Watermark>,
  rows: readonly WatermarkRow[],
): ReadonlyMap<string, Watermark> => {
  const watermarks = new Map(before)
  for (const row of rows) {
    const { position } = row
    const known = watermarks.get(row.proposalId)
    if (known && known.position > position) continue
    const final = row.final || (known?.position === position && known.final)
    const { awaits } = row
    watermarks.set(row.proposalId, { position, timeMs: timestampToMs(row.time), final, awaits })
  }
  return watermarks
}

/** For a proposal with a replaced watermark: it exists, but its data is not served until the next snapshot. */
const NOTHING_YET: Watermark = { position: 0n, timeMs: 0, final: false, awaits: false }

const addReplaced = (
  watermarks: ReadonlyMap<string, Watermark>,
  rows: readonly WatermarkRow[],
): ReadonlyMap<string, Watermark> => {
  const unknown = rows.filter(({ proposalId: id }) => !watermarks.has(id))
  if (unknown.length === 0) return watermarks
  return new Map([
    ...watermarks,
    ...unknown.map(({ proposalId: id }): [string, Watermark] => [id, NOTHING_YET]),
  ])
}

type Marks = Pick<CachedSnapshot, 'watermarks' | 'changedAt'>

const NO_MARKS: Marks = { watermarks: new Map(), changedAt: 0n }

/** Positions increase with each commit, so only newer watermarks are read. */
const readNewerMarks = async (
  store: Store,
  at: { database: string; height: number },
  { watermarks, changedAt }: Marks,
): Promise<Marks> => {
  const before = toPosition({ height: at.height + 1, index: 0 })
  const rows = await readWatermarks(store, at.database, { since: changedAt, before })
  const committed = rows.filter(({ position }) => position < before)
  const replaced = rows.filter(({ position }) => position >= before)
  const latest = committed.at(-1)
  return {
    watermarks: addReplaced(addWatermarks(watermarks, committed), replaced),
    changedAt: latest?.position ?? changedAt,
  }
}

/** Undefined before the first checkpoint. */
export const readSnapshot = async (
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
