// Collects every statement of the schema: databases, tables and views, as sent to ClickHouse.
import type { Store } from '../../../infra/base/clickhouse/client.ts'
import { createTables, pointViews } from '../../../projections/read-model/prepare.ts'

/** Records statements and answers like an empty database. */
const createNotingStore = (statements: string[]): Store => ({
  command: async (sql) => void statements.push(sql),
  select: async () => [],
  selectBytes: async () => Buffer.alloc(0),
  stream: () => Promise.reject(new Error('there is nothing to stream')),
  insert: async () => {},
  isResponding: async () => true,
  close: async () => {},
})

/** The statements of a first start, in order. */
export const readSchemaStatements = async (control = 'rollcall'): Promise<string[]> => {
  const statements: string[] = []
  const store = createNotingStore(statements)
  await createTables(store, { control, generation: 1 })
  await pointViews(store, { control, generation: 1 })
  return statements
}
