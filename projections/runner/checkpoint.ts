// The durable position of the projections, in the store that they write to: read at start, written after all rows.
import type { Store } from '../../infra/base/clickhouse/client.ts'
import { ORDINAL, SUB_LIMIT, toPosition } from '../../ingest/contract/envelope.ts'
import type { StoredCheckpoint } from '../contract/checkpoints.ts'
import type { CheckpointRow } from '../contract/tables/positions.ts'
import { TABLES } from '../contract/tables.ts'
import { timestampOrEpoch, wallClockTimestamp } from '../contract/timestamps.ts'
import type { ClosedProposal } from '../fold/state.ts'

/** The position of the written rows. */
export type Checkpoint = Pick<
  StoredCheckpoint,
  'nextOffset' | 'refoldOffset' | 'chainId' | 'height' | 'time' | 'tip' | 'limitations' | 'history'
>

/** The known position of the log. */
export type Lag = { logEnd: bigint; oldestWaitingSinceMs: number | undefined }

export const lagEvents = (
  { nextOffset }: Pick<Checkpoint, 'nextOffset'>,
  logEnd: bigint,
): bigint => (logEnd > nextOffset ? logEnd - nextOffset : 0n)

export const checkpointRow = (at: Checkpoint, lag: Lag, nowMs: number): CheckpointRow => ({
  ...at,
  time: timestampOrEpoch(at.time),
  limitations: JSON.stringify(at.limitations),
  history: at.history === null ? '' : JSON.stringify(at.history),
  logEnd: lag.logEnd,
  lagEvents: lagEvents(at, lag.logEnd),
  oldestWaitingSince:
    lag.oldestWaitingSinceMs === undefined ? null : wallClockTimestamp(lag.oldestWaitingSinceMs),
  writtenAt: wallClockTimestamp(nowMs),
})

/** The ordinal of the event that a watermark follows. */
const ORDINAL_SQL = `intDiv(position % ${toPosition({ height: 1, index: 0 })}, ${SUB_LIMIT})`

/**
 * Proposals that were closed and complete at the checkpoint. The tables may have later rows, from an interrupted commit. The
 * watermark of a proposal says what closed it. A snapshot and the events of past votes have ordinals of their own, and nothing
 * else changes such a proposal. It was closed at every checkpoint, so its later watermark counts, too.
 */
export const readClosedProposals = async (
  store: Store,
  database: string,
  at: Checkpoint,
): Promise<ClosedProposal[]> => {
  const before = toPosition({ height: at.height + 1, index: 0 }).toString()
  const rows = await store.select<{ proposal_id: string; is_earlier: boolean }>(
    `SELECT proposal_id, max(${ORDINAL_SQL} IN (${ORDINAL.before}, ${ORDINAL.history})) = 1 AS is_earlier
     FROM ${database}.${TABLES.watermarks.name}
     WHERE final AND NOT awaits AND (position < {before:UInt64} OR ${ORDINAL_SQL} = ${ORDINAL.history})
     GROUP BY proposal_id`,
    { before },
  )
  return rows.map((row) => ({ proposalId: row.proposal_id, isEarlier: Boolean(row.is_earlier) }))
}
