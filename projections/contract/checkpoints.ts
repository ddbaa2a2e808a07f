// Reads the checkpoint of each projection of a generation, for projections, API and commands.
import type { Store } from '../../infra/base/clickhouse/client.ts'
import type { History } from '../../ingest/contract/history-events.ts'
import type { Limitation } from '../../ingest/contract/limitations.ts'
import { type Digits, TABLE, type Timestamp } from './read-model.ts'
import { timestampToMs, timestampToRfc3339 } from './timestamps.ts'

export type CheckpointRow = {
  projection: string
  next_offset: Digits
  refold_offset: Digits
  chain_id: string
  height: Digits
  time: Timestamp
  tip: Digits
  /** JSON array; absent in tables that were not migrated yet. */
  limitations?: string
  /** JSON object; empty if there is none, absent in tables that were not migrated yet. */
  history?: string
  log_end: Digits
  lag_events: Digits
  oldest_waiting_since: Timestamp | null
  written_at: Timestamp
}

export type StoredCheckpoint = {
  /** `RUNNER` or `AGENT_RUNNER`. */
  projection: string
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

const parseCheckpoint = (row: CheckpointRow): StoredCheckpoint => ({
  projection: row.projection,
  nextOffset: BigInt(row.next_offset),
  refoldOffset: BigInt(row.refold_offset),
  chainId: row.chain_id,
  height: Number(row.height),
  time: timestampToRfc3339(row.time),
  timeMs: timestampToMs(row.time),
  tip: Number(row.tip),
  limitations: JSON.parse(row.limitations ?? '[]') as Limitation[],
  history: row.history ? (JSON.parse(row.history) as History) : null,
  logEnd: BigInt(row.log_end),
  lagEvents: Number(row.lag_events),
  waitingSinceMs:
    row.oldest_waiting_since === null ? null : timestampToMs(row.oldest_waiting_since),
  writtenAt: row.written_at,
})

/** The checkpoints of all projections of one generation. */
export const readCheckpoints = async (
  store: Pick<Store, 'select'>,
  database: string,
): Promise<StoredCheckpoint[]> => {
  const rows = await store.select<CheckpointRow>(
    `SELECT * FROM ${database}.${TABLE.checkpoints} FINAL`,
  )
  return rows.map(parseCheckpoint)
}

/** Undefined if the projection has written no checkpoint yet. */
export const readCheckpoint = async (
  store: Pick<Store, 'select'>,
  database: string,
  { projection, ...options }: SelectOptions & { projection: string },
): Promise<StoredCheckpoint | undefined> => {
  const [row] = await store.select<CheckpointRow>(
    `SELECT * FROM ${database}.${TABLE.checkpoints} FINAL WHERE projection = {runner:String}`,
    { runner: projection },
    options,
  )
  return row && row.next_offset !== '0' ? parseCheckpoint(row) : undefined
}
