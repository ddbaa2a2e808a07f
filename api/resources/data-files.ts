// `GET /api/data`: the files of all data, as Parquet. It writes those that are not current, and does not wait for large ones.
import { API_PATHS } from '../../auth/contract/service.ts'
import { ApiProblem } from '../problem.ts'
import type { DataFile, DataFileName, DataFiles } from '../read/data-files.ts'
import { DATA_TABLES } from '../read/queries/data-files.ts'
import { formatTime } from '../read/queries/values.ts'
import type { SnapshotSource } from '../read/snapshots/snapshot-source.ts'
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

/** Where a table has parts, the file of all its rows is only written for those who read it. */
const describe = async (
  files: DataFiles,
  name: DataFileName,
  isOnlyFile: boolean,
): Promise<DataFile | undefined> => {
  if (name.kind === 'whole' && !isOnlyFile) return files.known(name)
  try {
    return await files.describe(name, WAIT_MS)
  } catch (error) {
    if (error instanceof ApiProblem) return undefined
    throw error
  }
}

export async function createDataList({
  files,
  snapshots,
  baseUrl,
}: DataOptions): Promise<DataList> {
  const names = await files.list()
  const describeTable = async ({ name, comment, columns }: (typeof DATA_TABLES)[number]) => {
    const own = names.filter(({ table }) => table.name === name)
    const found = own.map(async (each) => {
      const file = await describe(files, each, own.length === 1)
      return {
        url: `${baseUrl}${API_PATHS.data}${each.path}`,
        kind: each.kind,
        asOf: file?.asOf ?? null,
        rows: file?.rows ?? null,
        bytes: file?.bytes ?? null,
        sha256: file?.sha256 ?? null,
      }
    })
    return {
      name,
      description: comment,
      files: await Promise.all(found),
      columns: columns.map(({ name: column, type, comment: about }) => ({
        name: column,
        type,
        description: about,
      })),
    }
  }
  const tables = await Promise.all(DATA_TABLES.map(describeTable))
  const snapshot = snapshots.current()
  if (!snapshot) throw new ApiProblem('nothing-projected', 'No height is indexed yet.')
  return {
    asOf: createAsOf(snapshot.chainId, snapshot.height, formatTime(snapshot.timeMs)),
    tables,
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
