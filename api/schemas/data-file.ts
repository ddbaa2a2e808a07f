// Schema of the list of files under /data.
import { type Static, Type } from 'typebox'
import { AsOf, nullable } from './common.ts'

const DataFile = Type.Object(
  {
    url: Type.String(),
    kind: Type.Union([Type.Literal('whole'), Type.Literal('closed'), Type.Literal('open')], {
      description:
        '`whole`: all rows. `closed`: the rows of closed proposals, which never change. `open`: all rows that are in no `closed` file of the table',
    }),
    asOf: nullable(AsOf, { description: 'The height whose rows it has' }),
    rows: nullable(Type.Integer({ minimum: 0 })),
    bytes: nullable(Type.Integer({ minimum: 0 })),
    sha256: nullable(Type.String({ pattern: '^[0-9a-f]{64}$' }), {
      description:
        'Of the bytes, in hex; the ETag is the same. These are null until the file is written',
    }),
  },
  { title: 'DataFile', additionalProperties: true },
)

const DataColumn = Type.Object(
  {
    name: Type.String(),
    type: Type.String({ description: 'Type of ClickHouse' }),
    description: Type.String(),
  },
  { title: 'DataColumn', additionalProperties: true },
)

const DataTable = Type.Object(
  {
    name: Type.String(),
    description: Type.String(),
    files: Type.Array(DataFile),
    columns: Type.Array(DataColumn),
  },
  { title: 'DataTable', additionalProperties: true },
)
export type DataTable = Static<typeof DataTable>

export const DataList = Type.Object(
  {
    asOf: AsOf,
    tables: Type.Array(DataTable),
    links: Type.Object(
      { self: Type.String(), sql: Type.String({ description: 'Views for DuckDB' }) },
      { title: 'DataLinks', additionalProperties: true },
    ),
  },
  { title: 'DataList', additionalProperties: true },
)
export type DataList = Static<typeof DataList>
