// Collects every statement of the project's migrations, views and databases, as sent to ClickHouse.
import { readFileSync } from 'node:fs'
import type { Store } from '../../../infra/base/clickhouse/client.ts'
import { pointViews } from '../../../projections/read-model/analyst-views.ts'
import { migrate, readMigrations } from '../../../projections/read-model/migrate.ts'

const VIEWS = new URL('../../../projections/migrations/analyst-views.sql', import.meta.url)

/** Records statements and answers like an empty database. */
const createNotingStore = (statements: string[]): Store => ({
  command: async (sql) => void statements.push(sql),
  select: async () => [],
  selectBytes: async () => Buffer.alloc(0),
  stream: () => Promise.reject(new Error('there is nothing to stream')),
  insert: async () => {},
  ping: async () => true,
  isResponding: async () => true,
  close: async () => {},
})

/** The statements of a first start, in order. */
export const readSchemaStatements = async (control = 'rollcall'): Promise<string[]> => {
  const statements: string[] = []
  const store = createNotingStore(statements)
  await migrate(store, { control, generation: 1 })
  await pointViews(store, { control, generation: 1 })
  return statements
}

/** The number of statements in the files, counted independently by their first words. */
export const countStatementStarts = (): number => {
  const texts = [...readMigrations().map(({ sql }) => sql), readFileSync(VIEWS, 'utf8')]
  const starts = texts.flatMap((text) => text.match(/^(?:CREATE|ALTER|DROP)\b/gm) ?? [])
  return starts.length
}
