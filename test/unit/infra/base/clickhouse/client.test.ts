// Tests of the client without a ClickHouse.
import { expect, it } from 'vitest'
import { createStore } from '../../../../../infra/base/clickhouse/client.ts'

it('reports an unreachable store as unavailable and retryable', async () => {
  const store = createStore({ url: 'http://127.0.0.1:9', username: 'x', password: 'y' })
  await expect(store.select('SELECT 1')).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    retryable: true,
  })
  expect(await store.ping()).toBe(false)
  await store.close()
})
