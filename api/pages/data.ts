// `/data/`: the Parquet files of all data, and what is in them.

import { API_PATHS } from '../../auth/contract/service.ts'
import type { PageContext } from '../document/context.ts'
import { code, type Inline, link, time, UNKNOWN } from '../document/line.ts'
import {
  type Block,
  column,
  type Document,
  folded,
  listing,
  numberColumn,
  paragraph,
  section,
  table,
} from '../document/tree.ts'
import type { DataList, DataTable } from '../schemas/data-file.ts'

type File = DataTable['files'][number]
type Column = DataTable['columns'][number]

const count = (value: number | null): Inline => value?.toLocaleString('en') ?? UNKNOWN

const toName = ({ url }: File): string =>
  url.slice(url.lastIndexOf(API_PATHS.data) + API_PATHS.data.length)

const FILE_COLUMNS = [
  column<File>('File', (file) => link(`${API_PATHS.data}${toName(file)}`, toName(file))),
  numberColumn<File>('Rows', ({ rows }) => count(rows)),
  numberColumn<File>('Bytes', ({ bytes }) => count(bytes)),
  numberColumn<File>('Height', ({ asOf }) => asOf?.height ?? UNKNOWN),
  column<File>('Time', ({ asOf }) => (asOf ? time(asOf.time) : UNKNOWN)),
  column<File>('SHA-256', ({ sha256 }) => (sha256 === null ? UNKNOWN : code(sha256))),
]

const COLUMNS = [
  column<Column>('Column', ({ name }) => code(name)),
  column<Column>('Type', ({ type }) => code(type)),
  column<Column>('Meaning', ({ description }) => description),
]

const describeTable = ({ name, description, files, columns }: DataTable): Block =>
  section(
    { id: name, title: name },
    paragraph(`${description}.`),
    table({ label: `Files of ${name}`, caption: '', columns: FILE_COLUMNS, items: files }),
    folded(
      `${name}-columns`,
      'Columns',
      table({ label: `Columns of ${name}`, caption: '', columns: COLUMNS, items: columns }),
    ),
  )

export function writeData({ asOf, tables }: DataList, at: PageContext): Document {
  const url = `${at.serviceUrl ?? at.baseUrl}${API_PATHS.data}tallies.parquet`
  return {
    title: 'Data',
    description: 'All data as Parquet files, for DuckDB, pandas or ClickHouse.',
    path: API_PATHS.data,
    json: API_PATHS.dataList,
    asOf,
    blocks: [
      paragraph(
        'All data as Parquet files. A file is at most 60 seconds older than the tables of Rollcall. ' +
          'Numbers are not known until the file is written, which its first reader waits for.',
        'lead',
      ),
      listing(`duckdb -c "FROM '${url}'"`),
      paragraph([
        'Amounts are exact, in base units. An amount of more than 38 digits is NULL, ' +
          'and its column with _text has all digits. ',
        link(API_PATHS.dataSql, 'Views for DuckDB'),
        ' name all files.',
      ]),
      ...tables.map(describeTable),
    ],
  }
}
