// What the files of /data have: the views of analysts as of the checkpoint, in a fixed order, with amounts that every reader keeps exact.
import {
  type AnalystView,
  describeViews,
  type ViewColumn,
} from '../../../projections/contract/analyst-views.ts'
import type { StoredTable } from '../../../projections/contract/table/define-table.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import { chainVersion, heightVersion, InconsistentRead } from '../query.ts'
import { isRecomputed, isSettled, type Snapshot } from '../snapshot.ts'
import { getSnapshotEnd, MERGED_PART, type StoreReads } from './as-of.ts'

export type SourceTable = {
  name: string
  comment: string
  columns: readonly ViewColumn[]
  /** Of `columns`, from the view `v`. */
  expressions: readonly string[]
  select: string
  /** Columns that no two rows share. */
  order: readonly string[]
  /** Changes whenever a row can change. */
  version(snapshot: Snapshot): string
  /** A table with one row for each vote also has a file for each part of it. */
  isParted: boolean
}

/** Readers of Parquet have decimals of 38 digits. An amount with more is NULL, and a column beside it has it as text. */
const WIDE = /^(?:Nullable\()?Decimal\(76, (\d+)\)\)?$/

type FileColumn = ViewColumn & { expression: string }

const toFileColumns = (
  { name, type: stored, comment }: ViewColumn,
  { columns }: AnalystView,
): FileColumn[] => {
  const type = stored.replace(/LowCardinality\((Nullable\(String\)|String)\)/, '$1')
  const scale = WIDE.exec(type)?.[1]
  if (scale === undefined) {
    return [
      { name, type, comment, expression: `CAST(v.${name}, '${type.replaceAll("'", "\\'")}')` },
    ]
  }
  const text = `toString(v.${name})`
  const exact = `toDecimal128OrNull(${text}, ${scale})`
  const amount = { name, type: `Nullable(Decimal(38, ${scale}))`, comment, expression: exact }
  const beside = `${name}_text`
  if (columns.some((column) => column.name === beside)) return [amount]
  return [
    amount,
    {
      name: beside,
      type: 'Nullable(String)',
      comment: `${name} as text if it has more than 38 digits, else NULL`,
      expression: `if(isNull(${exact}), ${text}, NULL)`,
    },
  ]
}

const VIEWS = describeViews()

const createTable = (
  name: string,
  order: string,
  { version = chainVersion, isParted = false }: Partial<SourceTable> = {},
): SourceTable => {
  const view = VIEWS.get(`v_${name}`)
  if (!view) throw new Error(`there is no view of ${name}`)
  const columns = view.columns.flatMap((column) => toFileColumns(column, view))
  const expressions = columns.map(({ expression, name: as }) => `${expression} AS ${as}`)
  return { ...view, name, columns, expressions, order: order.split(' '), version, isParted }
}

export const DATA_TABLES: readonly SourceTable[] = [
  createTable('proposals', 'proposal_id'),
  createTable('votes', 'proposal_id position', { isParted: true }),
  createTable('ballots', 'proposal_id round rank', { isParted: true }),
  createTable('deposits', 'proposal_id position denom amount_text'),
  createTable('tallies', 'proposal_id round'),
  // Stake changes without an event of a proposal.
  createTable('pools', 'operator_address', { version: heightVersion }),
]

/** A part of a table, by whole proposals. */
export type FilePart = { only: readonly string[] } | { except: readonly string[] }

const SOURCE = /\{database\}\.(\w+) FINAL/g

/** The column that says since when a row is the latest. */
const getVersion = (name: string): string =>
  Object.values<StoredTable & { version: string | undefined }>(TABLES).find(
    (each) => each.name === name,
  )?.version ?? 'position'

const buildView = ({ select }: SourceTable, snapshot: Snapshot): string =>
  select.replace(
    SOURCE,
    (_, name: string) =>
      `${snapshot.database}.${name} FINAL PREWHERE ${getVersion(name)} < ${getSnapshotEnd(snapshot)} OR ${MERGED_PART}`,
  )

const buildFilter = (part: FilePart | undefined): string => {
  if (part === undefined) return ''
  if ('only' in part) return `WHERE proposal_id IN (${part.only.join(', ')})`
  return part.except.length === 0 ? '' : `WHERE proposal_id NOT IN (${part.except.join(', ')})`
}

/** The same rows in the same order give the same bytes, if the same version of ClickHouse writes them in one thread. */
export function buildDataFile(table: SourceTable, snapshot: Snapshot, part?: FilePart): string {
  return `SELECT ${table.expressions.join(', ')}
   FROM (SELECT * FROM (${buildView(table, snapshot)}) ${buildFilter(part)}) AS v
   ORDER BY ${table.order.map((column) => `v.${column}`).join(', ')}
   FORMAT Parquet`
}

export const DATA_FILE_SETTINGS = {
  max_threads: 1,
  output_format_parquet_parallel_encoding: 0,
  output_format_parquet_row_group_size: 122_880,
  output_format_parquet_compression_method: 'zstd',
} as const

/** These queries read whole tables. */
const COUNT_OPTIONS = { timeoutMs: 120_000, settings: { max_threads: 1 } }

export async function countDataRows(
  { store, snapshot }: StoreReads,
  table: SourceTable,
  part?: FilePart,
): Promise<number> {
  const sql = `SELECT count() AS rows FROM (${buildView(table, snapshot)}) ${buildFilter(part)}`
  const [found] = await store.select<{ rows: string }>(sql, {}, COUNT_OPTIONS)
  return Number(found?.rows ?? 0)
}

/** Throws `InconsistentRead` if a merge may have replaced rows of the snapshot. Rows of settled proposals never change. */
export async function requireUnchanged(
  reads: StoreReads,
  { select }: SourceTable,
  part?: FilePart,
): Promise<void> {
  if (part !== undefined && 'only' in part) return
  const { store, snapshot } = reads
  const end = getSnapshotEnd(snapshot)
  const names = new Set([...select.matchAll(SOURCE)].map(([, name = '']) => name))
  const later = [...names].map(
    (name) =>
      `(SELECT count() FROM ${snapshot.database}.${name} WHERE ${getVersion(name)} >= ${end} AND ${MERGED_PART})`,
  )
  const sql = `SELECT toString(${later.join(' + ')}) AS rows`
  const [found] = await store.select<{ rows: string }>(sql, {}, COUNT_OPTIONS)
  if (found?.rows !== '0') throw new InconsistentRead('inFlight')
}

/**
 * The settled proposals in the order of their ends, up to the first that may still change: later ends follow. So a part keeps
 * its proposals for ever, on every instance. Recomputed votes can always change, so they are in no part.
 */
export function listSettled({ watermarks }: Snapshot): string[] {
  const all = [...watermarks].map(([id, watermark]) => ({ id, ...watermark }))
  if (all.some(({ position }) => position === 0n)) throw new InconsistentRead('inFlight')
  const closed = all
    .filter((each) => each.final && !isRecomputed(each))
    .sort((a, b) => Number(a.position - b.position) || Number(BigInt(a.id) - BigInt(b.id)))
  const end = closed.findIndex((each) => !isSettled(each))
  return (end < 0 ? closed : closed.slice(0, end)).map(({ id }) => id)
}

/** The proposals of each part that is complete. */
export async function readParts(
  { store, snapshot }: StoreReads,
  table: SourceTable,
  { settled, partRows }: { settled: readonly string[]; partRows: number },
): Promise<string[][]> {
  const counts = await store.select<{ id: string; rows: string }>(
    `SELECT proposal_id AS id, count() AS rows FROM (${buildView(table, snapshot)}) GROUP BY id`,
    {},
    COUNT_OPTIONS,
  )
  const rowsOf = new Map(counts.map(({ id, rows }) => [id, Number(rows)]))
  const parts: string[][] = []
  let part: string[] = []
  let rows = 0
  for (const id of settled) {
    part.push(id)
    rows += rowsOf.get(id) ?? 0
    if (rows < partRows) continue
    parts.push(part)
    part = []
    rows = 0
  }
  return parts
}
