// Tests of what a service gets in its environment, and what only over a pipe.
import { expect, it } from 'vitest'
import { resolveDataPaths } from '../../../../../infra/app/data-dir.ts'
import { readMachineConfig } from '../../../../../infra/app/machine-settings.ts'
import { planMachine } from '../../../../../infra/app/start/machine.ts'
import { readStoreAccess } from '../../../../../infra/base/clickhouse/settings.ts'

const plan = (env: Record<string, string>) => {
  const config = readMachineConfig(env)
  const settings = { config, store: readStoreAccess(env), api: { host: '127.0.0.1', port: 0 } }
  return planMachine(settings, env, resolveDataPaths('/srv/rollcall'))
}

it.each([
  {},
  { CLICKHOUSE_URL: 'http://clickhouse.example:8123', CLICKHOUSE_PASSWORD: 'p' },
  { CLICKHOUSE_URL: 'http://clickhouse.example:8123', CLICKHOUSE_CLUSTER: 'all' },
])('a service reaches the planned store, and its environment has no password: %j', async (env) => {
  const { store, secrets, writer, reader } = await plan({ ...env, KAFKA_BROKERS: 'kafka:9092' })
  for (const service of [writer, reader]) {
    expect(readStoreAccess({ ...service.env, ...secrets })).toEqual(store)
    const text = JSON.stringify(service.env)
    expect(text).not.toContain(`"${store.password || 'none'}"`)
    expect(text).not.toMatch(/PASSWORD|KAFKA/)
  }
})
