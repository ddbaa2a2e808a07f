// A ClickHouse with the tables of the recorded demo chain, for scripts that record what the API answers.
import type { Recording } from '../../../infra/app/demo/recording.ts'
import { createStore, type Store } from '../../../infra/base/clickhouse/client.ts'
import { createTables } from '../../../projections/read-model/prepare.ts'
import { projectAll } from '../fold/run-projections.ts'
import { indexDemoChain } from '../log/demo-log.ts'
import { startClickHouseServer } from '../store/clickhouse-server.ts'
import { activateGeneration } from '../store/read-model-seed.ts'

/** Into a store with empty tables. */
export const projectDemoChain = async (store: Store, recording?: Recording): Promise<void> => {
  const demo = await indexDemoChain(undefined, {}, recording)
  await projectAll(demo.log, store)
  await demo.remove()
}

/** Calls `use` with the store. */
export const withDemoStore = async (use: (store: Store) => Promise<void>): Promise<void> => {
  const server = await startClickHouseServer()
  const store = createStore(server.address)
  try {
    await createTables(store, { control: 'rollcall', generation: 1 })
    await activateGeneration(store)
    await projectDemoChain(store)
    await use(store)
  } finally {
    await store.close()
    await server.stop()
  }
}
