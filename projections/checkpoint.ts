// The durable position of the projections, in the store that they write to: read at start, written after all rows.
import type { Store } from '../infra/clickhouse/client.ts'
import { toPosition } from '../ingest/contract/envelope.ts'
import type { StoredCheckpoint } from './contract/checkpoints.ts'
import { type CheckpointRow, TABLE } from './contract/read-model.ts'
import { timestampOrEpoch, wallClockTimestamp } from './fold/timestamps.ts'

/** The position of the written rows. */
export type Checkpoint = Pick<
  StoredCheckpoint,
  'nextOffset' | 'refoldOffset' | 'chainId' | 'height' | 'time' | 'tip' | 'limitations'
>

/** The known position of the log. */
export type Lag = { logEnd: bigint; oldestWaitingSinceMs: number | undefined }

export const lagEvents = (
  { nextOffset }: Pick<Checkpoint, 'nextOffset'>,
  logEnd: bigint,
): bigint => (logEnd > nextOffset ? logEnd - nextOffset : 0n)

export const checkpointRow = (
  at: Checkpoint,
  lag: Lag,
  { projection, nowMs }: { projection: string; nowMs: number },
): CheckpointRow => ({
  projection,
  next_offset: at.nextOffset.toString(),
  refold_offset: at.refoldOffset.toString(),
  chain_id: at.chainId,
  height: String(at.height),
  time: timestampOrEpoch(at.time),
  tip: String(at.tip),
  limitations: JSON.stringify(at.limitations),
  log_end: lag.logEnd.toString(),
  lag_events: lagEvents(at, lag.logEnd).toString(),
  oldest_waiting_since:
    lag.oldestWaitingSinceMs === undefined ? null : wallClockTimestamp(lag.oldestWaitingSinceMs),
  written_at: wallClockTimestamp(nowMs),
})

/** Proposals that were closed at the checkpoint. The tables may have later ones, from an interrupted commit. */
export const readClosedProposals = async (
  store: Store,
  database: string,
  at: Checkpoint,
): Promise<string[]> => {
  const before = toPosition({ height: at.height + 1, index: 0 }).toString()
  const rows = await store.select<{ proposal_id: string }>(
    `SELECT proposal_id FROM ${database}.${TABLE.watermarks}
     WHERE final AND position < {before:UInt64} GROUP BY proposal_id`,
    { before },
  )
  return rows.map((row) => row.proposal_id)
}
