// Shared parts of queries: timeout, settings, conditions that read rows as of the checkpoint, ranges of rows by their key, and whether a
// proposal exists.
import type { Store } from '../../../infra/base/clickhouse/client.ts'
import { toPosition } from '../../../ingest/contract/envelope.ts'
import type { Selection } from '../../../projections/contract/table/define-table.ts'
import { selectFrom as selectDeclared } from '../../../projections/contract/table/select-from.ts'
import { isOpen } from '../../words/status.ts'
import { ApiProblem } from '../problems.ts'
import { type Inconsistency, InconsistentRead } from '../query.ts'
import type { Snapshot, Watermark } from '../snapshot.ts'

export type StoreReads = { store: Store; snapshot: Snapshot }

export const READ_OPTIONS = {
  timeoutMs: 5_000,
  settings: {
    // Pages are short ranges of the primary key: more threads would not make them faster.
    max_threads: 1,
    output_format_json_escape_forward_slashes: 0,
  },
} as const

/** Rows of a declared table, within the limits of a page read. `source` is the query after `FROM`. */
export const selectFrom = <Row>(
  { store }: Pick<StoreReads, 'store'>,
  selection: Selection<Row>,
  source: string,
  params: Readonly<Record<string, unknown>> = {},
): Promise<Row[]> => selectDeclared(store, selection, source, params, READ_OPTIONS)

/** Of a text column: enough to recognize that a text is longer than it may be. */
export const takeCharacters =
  (count: number) =>
  (column: string): string =>
    `substringUTF8(${column}, 1, ${count})`

/** Rows that only one query has, such as sums. They are as the store prints them. */
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

type TableName = { name: string }

/** The table expression after `FROM`: the latest version of each row as of the checkpoint. `WHERE` can follow. */
export const buildLatestTable = (snapshot: Snapshot, { name }: TableName): string =>
  `${snapshot.database}.${name} FINAL ${buildSnapshotCondition(snapshot)}`

/** The same with all versions of each row. */
export const buildVersionsTable = (snapshot: Snapshot, { name }: TableName): string =>
  `${snapshot.database}.${name} ${buildSnapshotCondition(snapshot)}`

/**
 * The latest version of rows as of the checkpoint. `rest` is a condition and an order. Throws `InconsistentRead` if the version
 * of a row is selected and belongs to a later commit.
 */
export async function selectLatest<Row>(
  reads: StoreReads,
  table: TableName,
  selection: Selection<Row>,
  rest = '',
  params: Readonly<Record<string, unknown>> = {},
): Promise<Row[]> {
  const source = `${buildLatestTable(reads.snapshot, table)} ${rest}`
  const rows = await selectFrom(reads, selection, source, params)
  const versions = rows.map((row) => (row as { version?: bigint }).version)
  requireInSnapshot(reads.snapshot, ...versions)
  return rows
}

/** Throws `InconsistentRead` if one of the versions belongs to a later commit. */
export const requireInSnapshot = (
  snapshot: Snapshot,
  ...versions: readonly (bigint | string | undefined)[]
): void => {
  const end = getSnapshotEnd(snapshot)
  if (versions.some((version) => BigInt(version ?? 0) >= end))
    throw new InconsistentRead('inFlight')
}

/** The number of rows of a source. Throws `InconsistentRead` if one of them belongs to a later commit. */
export async function countRows(
  reads: StoreReads,
  source: string,
  params: Readonly<Record<string, unknown>> = {},
  condition = 'true',
): Promise<number> {
  const [row] = await selectRows<{ total: string; latest: string }>(
    reads,
    `SELECT countIf(${condition}) AS total, max(version) AS latest FROM ${source}`,
    params,
  )
  requireInSnapshot(reads.snapshot, row?.latest)
  return Number(row?.total ?? 0)
}

const KEY_TYPES = {
  proposal_id: 'UInt64',
  round: 'UInt16',
  rank: 'UInt32',
  height: 'UInt64',
} as const
type KeyColumn = keyof typeof KEY_TYPES

type Keyset = {
  /** The query after `FROM`; it ends with a condition. */
  source: string
  params?: Readonly<Record<string, unknown>>
  /** The columns of the key; the last rows come first, unless `isAscending`. */
  order: readonly KeyColumn[]
  isAscending?: boolean
  /** The key of the row before the first one, or the number of rows before it. */
  after?: Readonly<Partial<Record<KeyColumn, string | number>>> | undefined
  offset?: number
  limit: number
}

/** A range of rows in the order of their key, and the number of all rows of the source. */
export async function readKeyset<Row>(
  reads: StoreReads,
  selection: Selection<Row>,
  { source, params = {}, order, isAscending = false, after, offset = 0, limit }: Keyset,
): Promise<{ rows: Row[]; total: number }> {
  const values = order.map((column) => `{after_${column}:${KEY_TYPES[column]}}`)
  const bound = after
    ? `AND (${order.join(', ')}) ${isAscending ? '>' : '<'} (${values.join(', ')})`
    : ''
  const key = Object.entries(after ?? {}).map(([column, value]) => [`after_${column}`, value])
  const columns = order.map((column) => `${column}${isAscending ? '' : ' DESC'}`)
  const [rows, total] = await Promise.all([
    selectFrom(
      reads,
      selection,
      `${source} ${bound} ORDER BY ${columns.join(', ')} LIMIT {limit:UInt64} OFFSET {offset:UInt64}`,
      { ...params, ...Object.fromEntries(key), offset, limit },
    ),
    countRows(reads, source, params),
  ])
  return { rows, total }
}

type VersionedRow = { proposalId: string; version: bigint }

/** True if no row is later than the watermark of its proposal. */
export const areConsistent = (rows: readonly VersionedRow[], { watermarks }: Snapshot): boolean =>
  rows.every(({ proposalId: id, version }) => {
    const watermark = watermarks.get(id)
    return watermark !== undefined && version <= watermark.position
  })

/** Throws `InconsistentRead` if a row is later than the watermark of its proposal. */
export const requireConsistent = (rows: readonly VersionedRow[], snapshot: Snapshot): void => {
  if (!areConsistent(rows, snapshot)) throw new InconsistentRead('inFlight')
}

type ProposalState = VersionedRow & { status: string }

/** True if the row is closed and the watermark is not final. A close is served as a whole or not at all. */
const isFinalizing = (proposal: ProposalState, { watermarks }: Snapshot): boolean =>
  !isOpen(proposal) && watermarks.get(proposal.proposalId)?.final !== true

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

export const notFound = (proposalId: string): ApiProblem =>
  new ApiProblem('proposal-not-found', `This chain has no proposal ${proposalId}.`)

/** Every proposal has a watermark, so an unknown id needs no query. Throws `proposal-not-found`. */
export const requireWatermark = ({ watermarks }: Snapshot, proposalId: string): Watermark => {
  const watermark = watermarks.get(proposalId)
  if (!watermark) throw notFound(proposalId)
  return watermark
}
