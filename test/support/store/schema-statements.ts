// Every statement that the project's own migrations, views and databases are made with, as ClickHouse gets them.
import { readFileSync } from 'node:fs'
import type { Store } from '../../../infra/clickhouse/client.ts'
import { pointViews } from '../../../projections/read-model/analyst-views.ts'
import { migrate, readMigrations } from '../../../projections/read-model/migrate.ts'

const VIEWS = new URL('../../../projections/migrations/analyst-views.sql', import.meta.url)

/** Takes statements down, answers that there is nothing yet. */
const createNotingStore = (statements: string[]): Store => ({
  command: async (sql) => void statements.push(sql),
  select: async () => [],
  selectBytes: async () => Buffer.alloc(0),
  stream: () => Promise.reject(new Error('there is nothing to stream')),
  insert: async () => {},
  ping: async () => true,
  close: async () => {},
})

/** Those of a first start, in order. */
export const readSchemaStatements = async (control = 'rollcall'): Promise<string[]> => {
  const statements: string[] = []
  const store = createNotingStore(statements)
  await migrate(store, { control, generation: 1 })
  await pointViews(store, { control, generation: 1 })
  return statements
}

/** How many statements the files have, counted another way: by how they begin. */
export const countStatementStarts = (): number => {
  const texts = [...readMigrations().map(({ sql }) => sql), readFileSync(VIEWS, 'utf8')]
  const starts = texts.flatMap((text) => text.match(/^(?:CREATE|ALTER|DROP)\b/gm) ?? [])
  return starts.length
}
