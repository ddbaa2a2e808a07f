// A store in memory for tests with the rules of ReplacingMergeTree; it answers only the queries of the projections.

import type { Store } from '../../../infra/base/clickhouse/client.ts'
import { ORDINAL, ordinalAt } from '../../../ingest/contract/envelope.ts'
import { STOPPED } from '../../../projections/contract/stopped-proposals.ts'
import type { StoredRowOf, Table } from '../../../projections/contract/table/define-table.ts'
import type { SnakeCase } from '../../../projections/contract/table/record.ts'
import { generations } from '../../../projections/contract/tables/positions.ts'
import { TABLES as GENERATION_TABLES } from '../../../projections/contract/tables.ts'

const DECLARED = { ...GENERATION_TABLES, generations }

export type TableRows = {
  [Name in keyof typeof DECLARED as SnakeCase<Name>]: StoredRowOf<(typeof DECLARED)[Name]>
}
export type TableName = keyof TableRows

const BY_NAME = new Map<string, Table>(Object.values(DECLARED).map((table) => [table.name, table]))
export const TABLES = [...BY_NAME.keys()] as TableName[]

type Row = Record<string, unknown>

const compare = (one: unknown, other: unknown): number => {
  const [left, right] = [String(one), String(other)]
  const isNumeric = /^\d+$/.test(left) && /^\d+$/.test(right)
  if (isNumeric) return Number(BigInt(left) - BigInt(right))
  return left < right ? -1 : left > right ? 1 : 0
}

export type MemoryTables = {
  insert(table: TableName, rows: readonly object[]): void
  /** The result of `SELECT … FINAL` in key order. */
  final<T extends TableName>(table: T): TableRows[T][]
  /** All written rows. */
  written(table: TableName): number
}

export const createMemoryTables = (): MemoryTables => {
  const tables = new Map<TableName, Row[]>()
  const getRows = (table: TableName): Row[] => tables.get(table) ?? []
  return {
    insert(table, rows) {
      const stored = rows.map((row) => JSON.parse(JSON.stringify(row)) as Row)
      tables.set(table, [...getRows(table), ...stored])
    },
    final<T extends TableName>(table: T) {
      const { key = [], version } = BY_NAME.get(table) ?? {}
      const latest = new Map<string, Row>()
      for (const row of getRows(table)) {
        const id = JSON.stringify(key.map((column) => String(row[column])))
        const known = latest.get(id)
        // Among equal versions the last inserted row wins.
        const wins = !known || !version || compare(row[version], known[version]) >= 0
        if (wins) latest.set(id, row)
      }
      const inKeyOrder = [...latest.values()].sort((one, other) => {
        for (const column of key) {
          const order = compare(one[column], other[column])
          if (order !== 0) return order
        }
        return 0
      })
      return inKeyOrder as TableRows[T][]
    },
    written: (table) => getRows(table).length,
  }
}

export type MemoryStore = Store & {
  tables: MemoryTables
  /** Called before each insert; its error fails the insert. */
  onInsert: (table: TableName, rows: readonly object[]) => void
}

export const createMemoryStore = (tables: MemoryTables = createMemoryTables()): MemoryStore => {
  const select = (sql: string, query: Record<string, unknown>): unknown[] => {
    if (sql.includes('AS differing')) return [{ stopped: '0', differing: '0' }]
    if (sql.includes('.generations')) {
      const isActiveOnly = sql.includes("state = 'active'")
      return tables.final('generations').filter(({ state }) => !isActiveOnly || state === 'active')
    }
    if (sql.includes('.checkpoints')) {
      return tables.final('checkpoints')
    }
    if (sql.includes('.watermarks')) {
      const before = BigInt(String(query['before']))
      return tables
        .final('watermarks')
        .map((row) => ({ ...row, ordinal: ordinalAt(BigInt(row.position)) }))
        .filter(({ final, awaits }) => final && !awaits)
        .filter((row) => BigInt(row.position) < before || row.ordinal === ORDINAL.history)
        .map((row) => ({
          ...row,
          is_earlier: [ORDINAL.before, ORDINAL.history].some((each) => each === row.ordinal),
        }))
    }
    if (sql.includes('.proposals')) {
      const { ids } = query as { ids?: bigint[] }
      return tables
        .final('proposals')
        .filter(({ proposal_id: id, history_reason: reason }) =>
          ids ? ids.map(String).includes(id) : reason?.includes(STOPPED),
        )
    }
    throw new Error(`the store in memory does not support this query: ${sql}`)
  }
  const store: MemoryStore = {
    tables,
    onInsert: () => {},
    insert: async (qualified, rows) => {
      const table = qualified.split('.').at(-1) as TableName
      await Promise.resolve()
      store.onInsert(table, rows)
      tables.insert(table, rows)
    },
    select: <Row>(sql: string, query?: Record<string, unknown>) =>
      Promise.resolve(select(sql, query ?? {}) as Row[]),
    selectBytes: (sql) => Promise.reject(new Error(`the store in memory has no formats: ${sql}`)),
    stream: (sql) => Promise.reject(new Error(`the store in memory streams nothing: ${sql}`)),
    command: () => Promise.resolve(),
    isResponding: () => Promise.resolve(true),
    close: () => Promise.resolve(),
  }
  return store
}
