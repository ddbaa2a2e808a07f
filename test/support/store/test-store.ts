// A store as it is served, for one test file: a ClickHouse of its own, migrated, its first generation the active one.
import { afterAll, beforeAll } from 'vitest'
import type { Store } from '../../../infra/clickhouse/client.ts'
import { migrate } from '../../../projections/read-model/migrate.ts'
import { startTestClickHouse, type TestClickHouse } from './clickhouse.ts'
import { activateGeneration } from './read-model-seed.ts'

/** From before the first test to after the last; `tellStory` fills it once, before the first. */
export const useTestStore = (seed?: (store: Store) => Promise<void>): { readonly store: Store } => {
  let clickhouse: TestClickHouse | undefined
  beforeAll(async () => {
    clickhouse = await startTestClickHouse()
    await migrate(clickhouse.store, { control: 'rollcall', generation: 1 })
    await activateGeneration(clickhouse.store)
    await seed?.(clickhouse.store)
  })
  afterAll(() => clickhouse?.stop())
  return {
    get store() {
      if (!clickhouse) throw new Error('the store is there from the first `beforeAll` on')
      return clickhouse.store
    },
  }
}
