// Shared parts of queries: timeout, settings, and conditions that read rows as of the checkpoint.
import type { Store } from '../../../infra/clickhouse/client.ts'
import { toPosition } from '../../../ingest/contract/envelope.ts'
import type { Snapshot } from '../snapshot.ts'

export type StoreReads = { store: Store; snapshot: Snapshot }

export const READ_OPTIONS = {
  timeoutMs: 5_000,
  settings: {
    // Pages are short ranges of the primary key: more threads would not make them faster.
    max_threads: 1,
    output_format_json_escape_forward_slashes: 0,
  },
} as const

/** The first position that is not served. Later rows belong to a commit without a checkpoint yet. */
export const getSnapshotEnd = ({ height }: Snapshot): bigint =>
  toPosition({ height: height + 1, index: 0 })

/** True for a merged part. The name of a part is `all_<first block>_<last block>_<level>`. */
export const MERGED_PART = `splitByChar('_', _part)[2] != splitByChar('_', _part)[3]`

/**
 * Selects rows as of the checkpoint. PREWHERE runs before FINAL, so later rows replace nothing. In a merged part a later
 * row may have replaced an earlier one. It is then selected, and `isConsistent` or `requireInSnapshot` detects it.
 */
const buildSnapshotCondition = (snapshot: Snapshot): string =>
  `PREWHERE version < ${getSnapshotEnd(snapshot)} OR ${MERGED_PART}`

/** The table expression after `FROM`: the latest version of each row as of the checkpoint. `WHERE` can follow. */
export const buildLatestTable = (snapshot: Snapshot, table: string): string =>
  `${snapshot.database}.${table} FINAL ${buildSnapshotCondition(snapshot)}`

/** The same with all versions of each row. */
export const buildVersionsTable = (snapshot: Snapshot, table: string): string =>
  `${snapshot.database}.${table} ${buildSnapshotCondition(snapshot)}`

/** Rows of a later commit have replaced served rows: the query must be read again. */
export class RowsReplaced extends Error {
  constructor() {
    super('rows of a later commit replaced rows during the read')
    this.name = 'RowsReplaced'
  }
}

/** False for a row of a later commit. */
export const isInSnapshot = (snapshot: Snapshot, version: string | undefined): boolean =>
  BigInt(version ?? 0) < getSnapshotEnd(snapshot)

/** For sums and counts: throws if one of their rows belongs to a later commit. */
export const requireInSnapshot = (snapshot: Snapshot, latest: string | undefined): void => {
  if (!isInSnapshot(snapshot, latest)) throw new RowsReplaced()
}

/** True if no row is later than the watermark of its proposal. */
export const isConsistent = (
  rows: readonly { proposal_id: string; version: string }[],
  { watermarks }: Snapshot,
): boolean =>
  rows.every(({ proposal_id: id, version }) => {
    const watermark = watermarks.get(id)
    return watermark !== undefined && BigInt(version) <= watermark.position
  })

const OPEN = ['deposit_period', 'voting_period']

/** True if the row is closed and the watermark is not final. A close is served as a whole or not at all. */
export const isFinalizing = (
  { proposal_id: id, status }: { proposal_id: string; status: string },
  { watermarks }: Snapshot,
): boolean => !OPEN.includes(status) && watermarks.get(id)?.final !== true
