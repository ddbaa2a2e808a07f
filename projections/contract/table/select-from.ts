// Selects rows of a declared table from the store.
import type { Store } from '../../../infra/base/clickhouse/client.ts'
import type { Selection } from './define-table.ts'

/** `source` is the query after `FROM`. */
export const selectFrom = async <Row>(
  store: Pick<Store, 'select'>,
  { sql, decode }: Selection<Row>,
  source: string,
  ...options: Parameters<Store['select']> extends [string, ...infer Rest] ? Rest : never
): Promise<Row[]> => {
  const rows = await store.select<object>(`SELECT ${sql} FROM ${source}`, ...options)
  return rows.map(decode)
}
