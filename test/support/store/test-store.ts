// A migrated store for one test file, in its own ClickHouse, with an active first generation.
import { afterAll, beforeAll } from 'vitest'
import type { Store } from '../../../infra/base/clickhouse/client.ts'
import { createTables } from '../../../projections/read-model/prepare.ts'
import { startTestClickHouse, type TestClickHouse } from './clickhouse.ts'
import { activateGeneration } from './read-model-seed.ts'

/** Exists during all tests of the file; `seed` fills it once before the first test. */
export const useTestStore = (seed?: (store: Store) => Promise<void>): { readonly store: Store } => {
  let clickhouse: TestClickHouse | undefined
  beforeAll(async () => {
    clickhouse = await startTestClickHouse()
    await createTables(clickhouse.store, { control: 'rollcall', generation: 1 })
    await activateGeneration(clickhouse.store)
    await seed?.(clickhouse.store)
  })
  afterAll(() => clickhouse?.stop())
  return {
    get store() {
      if (!clickhouse) throw new Error('the store exists after the first `beforeAll`')
      return clickhouse.store
    },
  }
}
