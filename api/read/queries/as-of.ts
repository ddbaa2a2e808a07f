// Shared parts of queries: timeout, settings, and conditions that read rows as of the checkpoint.

import type { Store } from '../../../infra/base/clickhouse/client.ts'
import { toPosition } from '../../../ingest/contract/envelope.ts'
import { isOpen } from '../../proposal-status.ts'
import { type Inconsistency, InconsistentRead } from '../query.ts'
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

/** All rows of a query, within the limits of a page read. */
export const selectRows = <Row>(
  { store }: Pick<StoreReads, 'store'>,
  sql: string,
  params: Readonly<Record<string, unknown>> = {},
): Promise<Row[]> => store.select<Row>(sql, params, READ_OPTIONS)

/** The first position that is not served. Later rows belong to a commit without a checkpoint yet. */
export const getSnapshotEnd = ({ height }: Snapshot): bigint =>
  toPosition({ height: height + 1, index: 0 })

/** True for a merged part. The name of a part is `all_<first block>_<last block>_<level>`. */
export const MERGED_PART = `splitByChar('_', _part)[2] != splitByChar('_', _part)[3]`

/**
 * Selects rows as of the checkpoint. PREWHERE runs before FINAL, so later rows replace nothing. In a merged part a later
 * row may have replaced an earlier one. It is then selected, and `requireConsistent` or `requireInSnapshot` detects it.
 */
const buildSnapshotCondition = (snapshot: Snapshot): string =>
  `PREWHERE version < ${getSnapshotEnd(snapshot)} OR ${MERGED_PART}`

/** The table expression after `FROM`: the latest version of each row as of the checkpoint. `WHERE` can follow. */
export const buildLatestTable = (snapshot: Snapshot, table: string): string =>
  `${snapshot.database}.${table} FINAL ${buildSnapshotCondition(snapshot)}`

/** The same with all versions of each row. */
export const buildVersionsTable = (snapshot: Snapshot, table: string): string =>
  `${snapshot.database}.${table} ${buildSnapshotCondition(snapshot)}`

/** Throws `InconsistentRead` if one of the versions belongs to a later commit. */
export const requireInSnapshot = (
  snapshot: Snapshot,
  ...versions: readonly (string | undefined)[]
): void => {
  const end = getSnapshotEnd(snapshot)
  if (versions.some((version) => BigInt(version ?? 0) >= end))
    throw new InconsistentRead('inFlight')
}

type VersionedRow = { proposal_id: string; version: string }

/** True if no row is later than the watermark of its proposal. */
export const areConsistent = (rows: readonly VersionedRow[], { watermarks }: Snapshot): boolean =>
  rows.every(({ proposal_id: id, version }) => {
    const watermark = watermarks.get(id)
    return watermark !== undefined && BigInt(version) <= watermark.position
  })

/** Throws `InconsistentRead` if a row is later than the watermark of its proposal. */
export const requireConsistent = (rows: readonly VersionedRow[], snapshot: Snapshot): void => {
  if (!areConsistent(rows, snapshot)) throw new InconsistentRead('inFlight')
}

type ProposalState = VersionedRow & { status: string }

/** True if the row is closed and the watermark is not final. A close is served as a whole or not at all. */
const isFinalizing = (proposal: ProposalState, { watermarks }: Snapshot): boolean =>
  !isOpen(proposal) && watermarks.get(proposal.proposal_id)?.final !== true

/** Why a proposal and its tallies do not have one state, if they do not. */
export const findInconsistency = (
  proposal: ProposalState,
  tallies: readonly VersionedRow[],
  snapshot: Snapshot,
): Inconsistency | undefined => {
  if (isFinalizing(proposal, snapshot)) return 'finalizing'
  return areConsistent([proposal, ...tallies], snapshot) ? undefined : 'inFlight'
}

/** Throws `InconsistentRead`. */
export const requireOneState = (
  proposal: ProposalState,
  tallies: readonly VersionedRow[],
  snapshot: Snapshot,
): void => {
  const inconsistency = findInconsistency(proposal, tallies, snapshot)
  if (inconsistency) throw new InconsistentRead(inconsistency)
}
