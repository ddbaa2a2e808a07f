// Reads how far the tables of a generation are, for projections, API and commands.
import type { Store } from '../../infra/base/clickhouse/client.ts'
import type { History } from '../../ingest/contract/history-events.ts'
import type { Limitation } from '../../ingest/contract/limitations.ts'
import { selectFrom } from './table/select-from.ts'
import { type CheckpointRow, checkpoints } from './tables/positions.ts'
import { timestampToMs, timestampToRfc3339 } from './timestamps.ts'

/** `waitingSinceMs`: wall clock since which the oldest record is pending; null if none is. */
export type StoredCheckpoint = Omit<CheckpointRow, 'limitations' | 'history'> & {
  /** RFC 3339 with nanoseconds. */
  time: string
  timeMs: number
  limitations: readonly Limitation[]
  history: History | null
  waitingSinceMs: number | null
}

type SelectOptions = NonNullable<Parameters<Store['select']>[2]>

const toCheckpoint = (row: CheckpointRow): StoredCheckpoint => ({
  ...row,
  time: timestampToRfc3339(row.time),
  timeMs: timestampToMs(row.time),
  limitations: JSON.parse(row.limitations) as Limitation[],
  history: row.history ? (JSON.parse(row.history) as History) : null,
  waitingSinceMs: row.oldestWaitingSince === null ? null : timestampToMs(row.oldestWaitingSince),
})

/** Undefined if nothing is projected yet. */
export async function readCheckpoint(
  store: Pick<Store, 'select'>,
  database: string,
  options?: SelectOptions,
): Promise<StoredCheckpoint | undefined> {
  const source = `${database}.${checkpoints.name} FINAL`
  const [row] = await selectFrom(store, checkpoints.all, source, {}, options)
  return row && row.nextOffset > 0n ? toCheckpoint(row) : undefined
}
