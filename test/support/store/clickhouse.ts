// Provides an empty ClickHouse for one test file, without other users at the same time.
import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { createStore, type Store } from '../../../infra/base/clickhouse/client.ts'
import { CONTROL_DATABASE } from '../../../projections/contract/database.ts'
import {
  type ClickHouseAddress,
  type ClickHouseServer,
  startClickHouseServer,
} from './clickhouse-server.ts'

export type TestClickHouse = Awaited<ReturnType<typeof startTestClickHouse>>

export const dropDatabases = async (store: Store, control: string) => {
  const rows = await store.select<{ name: string }>(
    'SELECT name FROM system.databases WHERE name = {control:String} OR startsWith(name, {prefix:String})',
    { control, prefix: `${control}_` },
  )
  for (const { name } of rows) await store.command(`DROP DATABASE ${name} SYNC`)
}

/** The instance that `share-clickhouse.ts` started for this worker; undefined in projects without it. */
const sharedServer = (): ClickHouseServer | undefined => {
  const address: ClickHouseAddress | undefined =
    inject('clickHouses')?.[Number(process.env['VITEST_POOL_ID']) - 1]
  return address && { address, stop: async () => {} }
}

export const startTestClickHouse = async () => {
  const server = sharedServer() ?? (await startClickHouseServer())
  const { isForeign, ...address } = server.address
  const store = createStore(address)
  /** A control database for only this test, for `migrate`; generations are `<control>_<n>`. */
  const control = isForeign ? `rollcall_test_${randomBytes(6).toString('hex')}` : CONTROL_DATABASE
  await dropDatabases(store, control)
  const stop = async () => {
    if (isForeign) await dropDatabases(store, control)
    await store.close()
    await server.stop()
  }
  return { store, ...address, control, stop }
}
