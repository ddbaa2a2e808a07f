// Reads how far the tables of a generation are, for projections, API and commands.
import type { Store } from '../../infra/base/clickhouse/client.ts'
import type { History } from '../../ingest/contract/history-events.ts'
import type { Limitation } from '../../ingest/contract/limitations.ts'
import type { StoredRowOf } from './table/define-table.ts'
import { type CheckpointRow, checkpoints } from './tables/positions.ts'
import { timestampToMs, timestampToRfc3339 } from './timestamps.ts'

export type StoredCheckpoint = {
  /** First log offset that is not projected. */
  nextOffset: bigint
  /** The offset from which open state must be folded at start. */
  refoldOffset: bigint
  chainId: string
  height: number
  /** Block time of that height, RFC 3339 with nanoseconds. */
  time: string
  timeMs: number
  /** The latest height of the node at the last observation. */
  tip: number
  /** Of the chain, in the last marker. */
  limitations: readonly Limitation[]
  /** How far the history before the first indexed height is, in the last marker; null if there is none. */
  history: History | null
  logEnd: bigint
  lagEvents: number
  /** Wall clock since which the oldest record is pending; null if none is. */
  waitingSinceMs: number | null
  /** As stored: every heartbeat changes it, independent of the writer's clock. */
  writtenAt: string
}

type SelectOptions = NonNullable<Parameters<Store['select']>[2]>

const toCheckpoint = (row: CheckpointRow): StoredCheckpoint => ({
  nextOffset: row.nextOffset,
  refoldOffset: row.refoldOffset,
  chainId: row.chainId,
  height: row.height,
  time: timestampToRfc3339(row.time),
  timeMs: timestampToMs(row.time),
  tip: row.tip,
  limitations: JSON.parse(row.limitations) as Limitation[],
  history: row.history ? (JSON.parse(row.history) as History) : null,
  logEnd: row.logEnd,
  lagEvents: Number(row.lagEvents),
  waitingSinceMs: row.oldestWaitingSince === null ? null : timestampToMs(row.oldestWaitingSince),
  writtenAt: row.writtenAt,
})

/** Undefined if nothing is projected yet. */
export async function readCheckpoint(
  store: Pick<Store, 'select'>,
  database: string,
  options?: SelectOptions,
): Promise<StoredCheckpoint | undefined> {
  const [row] = await store.select<StoredRowOf<typeof checkpoints>>(
    `SELECT * FROM ${database}.${checkpoints.name} FINAL`,
    {},
    options,
  )
  const checkpoint = row && toCheckpoint(checkpoints.decode(row))
  return checkpoint && checkpoint.nextOffset > 0n ? checkpoint : undefined
}
