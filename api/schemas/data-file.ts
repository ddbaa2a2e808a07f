// Schema of the list of files under /data.
import { type Static, Type } from 'typebox'
import { AsOf, count, nullable, openComponent, text } from './common.ts'

const DataFile = openComponent('DataFile', {
  url: Type.String(),
  kind: Type.Union([Type.Literal('whole'), Type.Literal('closed'), Type.Literal('open')], {
    description:
      '`whole`: all rows. `closed`: the rows of closed proposals, which never change. `open`: all rows that are in no `closed` file of the table',
  }),
  asOf: nullable(AsOf, 'The height whose rows it has'),
  rows: nullable(count()),
  bytes: nullable(count()),
  sha256: nullable(
    Type.String({ pattern: '^[0-9a-f]{64}$' }),
    'Of the bytes, in hex; the ETag is the same. These are null until the file is written',
  ),
})

const DataColumn = openComponent('DataColumn', {
  name: Type.String(),
  type: text('Type of ClickHouse'),
  description: Type.String(),
})

const DataTable = openComponent('DataTable', {
  name: Type.String(),
  description: Type.String(),
  files: Type.Array(DataFile),
  columns: Type.Array(DataColumn),
})
export type DataTable = Static<typeof DataTable>

export const DataList = openComponent('DataList', {
  asOf: AsOf,
  tables: Type.Array(DataTable),
  links: openComponent('DataLinks', { self: Type.String(), sql: text('Views for DuckDB') }),
})
export type DataList = Static<typeof DataList>
