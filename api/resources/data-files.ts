// `GET /api/data`: the files of all data, as Parquet. It writes those that are not current, and does not wait for large ones.
import { API_PATHS } from '../../auth/contract/service.ts'
import type { DataFiles, ListedFile } from '../read/data-files.ts'
import { ApiProblem } from '../read/problems.ts'
import { DATA_TABLES } from '../read/queries/data-files.ts'
import { formatTime } from '../read/queries/values.ts'
import type { SnapshotSource } from '../read/snapshots.ts'
import { createAsOf } from '../schemas/common.ts'
import { DataList } from '../schemas/data-file.ts'
import { type Operation, withReadProblems } from './operation.ts'

export const dataFiles: Operation = {
  operationId: 'listDataFiles',
  path: API_PATHS.dataList,
  tag: 'Service',
  summary: 'List the Parquet files',
  guide: 'all data as Parquet files, for DuckDB, pandas or ClickHouse',
  description:
    'The Parquet files of all proposals, votes, ballots, deposits, tallies and pools, with the meaning of their columns. A file is at most 60 seconds older than the tables. It supports range requests; its `ETag` is its SHA-256.',
  queryParameters: [],
  answer: DataList,
  problems: withReadProblems(API_PATHS.dataList),
  kind: 'fresh',
}

/** A file that takes longer is listed without its numbers. */
const WAIT_MS = 2_000

export type DataOptions = {
  files: DataFiles
  snapshots: Pick<SnapshotSource, 'current'>
  baseUrl: string
}

export async function createDataList({
  files,
  snapshots,
  baseUrl,
}: DataOptions): Promise<DataList> {
  const listed = await files.list(WAIT_MS)
  const snapshot = snapshots.current()
  if (!snapshot) throw new ApiProblem('nothing-projected', 'No height is indexed yet.')
  const toFile = ({ path, kind, file }: ListedFile) => ({
    url: `${baseUrl}${API_PATHS.data}${path}`,
    kind,
    asOf: file?.asOf ?? null,
    rows: file?.rows ?? null,
    bytes: file?.bytes ?? null,
    sha256: file?.sha256 ?? null,
  })
  return {
    asOf: createAsOf(snapshot.chainId, snapshot.height, formatTime(snapshot.timeMs)),
    tables: DATA_TABLES.map(({ name, comment, columns }) => ({
      name,
      description: comment,
      files: listed.filter(({ table }) => table.name === name).map(toFile),
      columns: columns.map(({ name, type, comment: description }) => ({ name, type, description })),
    })),
    links: { self: baseUrl + dataFiles.path, sql: baseUrl + API_PATHS.dataSql },
  }
}

/** The views are of whole files: a part gets another name once it is complete. */
export function writeDataSql(serviceUrl: string): string {
  const views = DATA_TABLES.map(
    ({ name, comment }) =>
      `-- ${comment}\nCREATE OR REPLACE VIEW rollcall.${name} AS FROM '${serviceUrl}${API_PATHS.data}${name}.parquet';\n`,
  )
  const columns = `-- Columns: ${serviceUrl}${API_PATHS.data}\n`
  return `-- Views for DuckDB: duckdb -init rollcall.sql\n${columns}CREATE SCHEMA IF NOT EXISTS rollcall;\n${views.join('')}`
}
