// Reads the checkpoint of each projection of a generation, for projections, API and commands.
import type { Store } from '../../infra/base/clickhouse/client.ts'
import type { History } from '../../ingest/contract/history-events.ts'
import type { Limitation } from '../../ingest/contract/limitations.ts'
import { AGENT_RUNNER, RUNNER } from './database.ts'
import type { StoredRowOf } from './table/define-table.ts'
import { type CheckpointRow, checkpoints } from './tables/positions.ts'
import { timestampToMs, timestampToRfc3339 } from './timestamps.ts'

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

const toCheckpoint = (row: CheckpointRow): StoredCheckpoint => ({
  projection: row.projection,
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

const selectCheckpoints = async (
  store: Pick<Store, 'select'>,
  database: string,
  { projection, ...options }: SelectOptions & { projection?: string },
): Promise<StoredCheckpoint[]> => {
  const rows = await store.select<StoredRowOf<typeof checkpoints>>(
    `SELECT * FROM ${database}.${checkpoints.name} FINAL
     ${projection === undefined ? '' : 'WHERE projection = {runner:String}'}`,
    projection === undefined ? {} : { runner: projection },
    options,
  )
  return rows.map((row) => toCheckpoint(checkpoints.decode(row)))
}

/** How far a generation is in both logs; 0 in one that is not projected. */
export type Position = Pick<StoredCheckpoint, 'nextOffset' | 'logEnd' | 'height' | 'writtenAt'> & {
  /** Position in the log of agents. */
  agentsOffset: bigint
}

export async function readPosition(
  store: Pick<Store, 'select'>,
  database: string,
): Promise<Position> {
  const checkpoints = await selectCheckpoints(store, database, {})
  const find = (runner: string) => checkpoints.find(({ projection }) => projection === runner)
  const of = find(RUNNER)
  return {
    nextOffset: of?.nextOffset ?? 0n,
    logEnd: of?.logEnd ?? 0n,
    height: of?.height ?? 0,
    writtenAt: of?.writtenAt ?? '',
    agentsOffset: find(AGENT_RUNNER)?.nextOffset ?? 0n,
  }
}

/** Undefined if the projection has written no checkpoint yet. */
export const readCheckpoint = async (
  store: Pick<Store, 'select'>,
  database: string,
  options: SelectOptions & { projection: string },
): Promise<StoredCheckpoint | undefined> => {
  const [checkpoint] = await selectCheckpoints(store, database, options)
  return checkpoint && checkpoint.nextOffset > 0n ? checkpoint : undefined
}
