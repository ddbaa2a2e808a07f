// `/data/`: the Parquet files of all data, and what is in them.
import { API_PATHS } from '../../auth/contract/service.ts'
import type { DataList, DataTable } from '../schemas/data-file.ts'
import { Details, type ItemColumn, Listing, Section, Table } from '../view/blocks.tsx'
import type { Document } from '../view/page.tsx'
import { Code, Link, Time, Unknown } from '../view/parts.tsx'
import type { PageContext } from '../view/paths.ts'

function Count({ of }: { of: number | null }) {
  return of === null ? <Unknown /> : of.toLocaleString('en')
}

const toName = ({ url }: { url: string }): string =>
  url.slice(url.lastIndexOf(API_PATHS.data) + API_PATHS.data.length)

const FILE_COLUMNS: readonly ItemColumn<DataTable['files'][number]>[] = [
  {
    name: 'File',
    cell: (file) => <Link to={`${API_PATHS.data}${toName(file)}`}>{toName(file)}</Link>,
  },
  { name: 'Rows', isNumber: true, cell: ({ rows }) => <Count of={rows} /> },
  { name: 'Bytes', isNumber: true, cell: ({ bytes }) => <Count of={bytes} /> },
  { name: 'Height', isNumber: true, cell: ({ asOf }) => asOf?.height ?? <Unknown /> },
  { name: 'Time', cell: ({ asOf }) => <Time of={asOf?.time ?? null} /> },
  {
    name: 'SHA-256',
    cell: ({ sha256 }) => (sha256 === null ? <Unknown /> : <Code>{sha256}</Code>),
  },
]

const COLUMNS: readonly ItemColumn<DataTable['columns'][number]>[] = [
  { name: 'Column', cell: ({ name }) => <Code>{name}</Code> },
  { name: 'Type', cell: ({ type }) => <Code>{type}</Code> },
  { name: 'Meaning', cell: ({ description }) => description },
]

function TableFiles({ name, description, files, columns }: DataTable) {
  return (
    <Section id={name} title={name}>
      <p>{description}.</p>
      <Table label={`Files of ${name}`} caption="" columns={FILE_COLUMNS} items={files} />
      <Details id={`${name}-columns`} summary="Columns">
        <Table label={`Columns of ${name}`} caption="" columns={COLUMNS} items={columns} />
      </Details>
    </Section>
  )
}

export function writeData({ asOf, tables }: DataList, at: PageContext): Document {
  const url = `${at.serviceUrl ?? at.baseUrl}${API_PATHS.data}tallies.parquet`
  return {
    title: 'Data',
    description: 'All data as Parquet files, for DuckDB, pandas or ClickHouse.',
    path: API_PATHS.data,
    json: API_PATHS.dataList,
    asOf,
    body: (
      <>
        <p class="lead">
          All data as Parquet files. A file is at most 60 seconds older than the tables of Rollcall.
          Numbers are not known until the file is written, which its first reader waits for.
        </p>
        <Listing>{`duckdb -c "FROM '${url}'"`}</Listing>
        <p>
          Amounts are exact, in base units. An amount of more than 38 digits is NULL, and its column
          with _text has all digits. <Link to={API_PATHS.dataSql}>Views for DuckDB</Link> name all
          files.
        </p>
        {tables.map((table) => (
          <TableFiles {...table} />
        ))}
      </>
    ),
  }
}
