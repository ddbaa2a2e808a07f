// What every query of the read API is given, how long it may take, and how it reads rows as of the checkpoint.
import type { Store } from '../../../infra/clickhouse/client.ts'
import { toPosition } from '../../../ingest/contract/envelope.ts'
import type { Snapshot } from '../snapshot.ts'

export type StoreReads = { store: Store; snapshot: Snapshot }

export const READ_OPTIONS = {
  timeoutMs: 5_000,
  settings: {
    // Pages are short ranges of the primary key: more threads only cost.
    max_threads: 1,
    output_format_parallel_formatting: 0,
    output_format_json_escape_forward_slashes: 0,
  },
} as const

/** The first position that is not served: rows from there on belong to a commit whose checkpoint is to come. */
export const getSnapshotEnd = ({ height }: Snapshot): bigint =>
  toPosition({ height: height + 1, index: 0 })

/** True for a part that was merged from others, by its name: `all_<first block>_<last block>_<level>`. */
export const MERGED_PART = `splitByChar('_', _part)[2] != splitByChar('_', _part)[3]`

/**
 * The condition under which rows are as of the checkpoint. PREWHERE comes before FINAL, so that a later row replaces
 * nothing. Only in a merged part it may have done so: then it is let through, for `isSettled` and `endOfServed` to find.
 */
const buildSnapshotCondition = (snapshot: Snapshot): string =>
  `PREWHERE version < ${getSnapshotEnd(snapshot)} OR ${MERGED_PART}`

/** The table expression after `FROM`: the latest version of each row as of the checkpoint. Conditions follow with `WHERE`. */
export const buildLatestTable = (snapshot: Snapshot, table: string): string =>
  `${snapshot.database}.${table} FINAL ${buildSnapshotCondition(snapshot)}`

/** The same with earlier versions beside the latest. */
export const buildVersionsTable = (snapshot: Snapshot, table: string): string =>
  `${snapshot.database}.${table} ${buildSnapshotCondition(snapshot)}`

/** The rows of a later commit have replaced some of those that are served: the page has to be read again. */
export class RowsReplaced extends Error {
  constructor() {
    super('rows were replaced by those of a later commit while they were read')
    this.name = 'RowsReplaced'
  }
}

/** False for a row, or the latest of several, of a later commit. */
export const isInSnapshot = (snapshot: Snapshot, version: string | undefined): boolean =>
  BigInt(version ?? 0) < getSnapshotEnd(snapshot)

/** For sums and counts, which show no row: throws where any that they are made of is of a later commit. */
export const requireInSnapshot = (snapshot: Snapshot, latest: string | undefined): void => {
  if (!isInSnapshot(snapshot, latest)) throw new RowsReplaced()
}

/** True where no row follows an event later than what may be served of its proposal. */
export const isConsistent = (
  rows: readonly { proposal_id: string; version: string }[],
  { watermarks }: Snapshot,
): boolean =>
  rows.every(({ proposal_id: id, version }) => {
    const watermark = watermarks.get(id)
    return watermark !== undefined && BigInt(version) <= watermark.position
  })

const OPEN = ['deposit_period', 'voting_period']

/** True where the row says closed and the watermark does not: a close is served whole or not at all. */
export const isFinalizing = (
  { proposal_id: id, status }: { proposal_id: string; status: string },
  { watermarks }: Snapshot,
): boolean => !OPEN.includes(status) && watermarks.get(id)?.final !== true
