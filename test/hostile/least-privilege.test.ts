// The example deployments give each service only the access that it needs to store, log and network.
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { createStore, type Store } from '../../infra/base/clickhouse/client.ts'
import { startEmbeddedClickHouse } from '../../infra/base/clickhouse/embedded-server.ts'
import { createTables } from '../../projections/read-model/prepare.ts'
import { createApiRig } from '../support/api/api-rig.ts'
import { CLOSED_VOTE, seedStory } from '../support/api/api-story.ts'
import { silentLogger } from '../support/process/log-lines.ts'
import { createTemporaryDirectory } from '../support/process/temporary-directory.ts'
import { readCompose, readDeployFile, readManifests } from '../support/source/deploy-files.ts'
import { activateGeneration } from '../support/store/read-model-seed.ts'

const USERS = readDeployFile('clickhouse/users.xml')
const readUserXml = (name: string): string =>
  new RegExp(`<users>[\\s\\S]*?<${name}>([\\s\\S]*?)</${name}>`).exec(USERS)?.[1] ?? ''
const readGrants = (name: string): string[] =>
  [...readUserXml(name).matchAll(/<query>GRANT ([^<]+)<\/query>/g)].map(([, grant = '']) => grant)

describe('the api, as the store user that the example gives it', () => {
  let reader: Store
  beforeAll(async () => {
    const directory = createTemporaryDirectory('reader')
    const dataDir = join(directory.path, 'clickhouse')
    // The example sets `readonly` to 2 as well.
    expect(USERS).toContain('<reader><readonly>2</readonly></reader>')
    const reads = readGrants('reader').map((grant) => grant.replace('SELECT ON ', ''))
    const readers = [{ username: 'reader', password: 'b', reads }]
    const engine = await startEmbeddedClickHouse({
      dataDir,
      password: 'a',
      readers,
      logger: silentLogger(),
    })
    const store = createStore(engine)
    await createTables(store, { control: 'rollcall', generation: 1 })
    await activateGeneration(store)
    await seedStory(store)
    reader = createStore({ url: engine.url, username: 'reader', password: 'b' })
    return async () => {
      await Promise.all([reader.close(), store.close()])
      await engine.close()
      directory.remove()
    }
  })

  it('answers every kind of page', { tags: 'api:no-token-needed' }, async () => {
    const { ask } = await createApiRig(reader)
    for (const url of [
      '/api/health',
      '/api/proposals',
      '/api/proposals?q=a',
      `/api/proposals/${CLOSED_VOTE}`,
      ...['votes', 'ballots', 'events', 'evidence'].map(
        (part) => `/api/proposals/${CLOSED_VOTE}/${part}`,
      ),
      '/api/pools',
      '/',
      '/proposals',
      `/proposals/${CLOSED_VOTE}`,
      '/pools',
      '/status',
      '/feed.atom',
    ]) {
      expect([url, (await ask(url)).status]).toEqual([url, 200])
    }
  })

  it('cannot write, drop or administer anything', { tags: 'deploy:api-cannot-write' }, async () => {
    expect(readGrants('reader').length).toBeGreaterThan(0)
    expect(readGrants('reader').filter((grant) => !grant.startsWith('SELECT ON rollcall'))).toEqual(
      [],
    )
    expect(readUserXml('reader')).not.toContain('access_management')
    for (const statement of [
      'INSERT INTO rollcall.generations SELECT * FROM rollcall.generations',
      'DROP TABLE rollcall_1.proposals',
      'ALTER TABLE rollcall_1.proposals DELETE WHERE 1',
      'CREATE DATABASE other',
      "CREATE USER other IDENTIFIED BY 'x'",
      'SYSTEM STOP LISTEN HTTP',
      "SELECT * FROM file('x.csv', 'CSV', 'a String')",
    ]) {
      await expect(reader.command(statement), statement).rejects.toThrow(/ACCESS_DENIED|READONLY/)
    }
  })
})

const { services, networks } = readCompose()
const on = (network: string) =>
  Object.entries(services)
    .filter(([, { networks: joined }]) => joined.includes(network))
    .map(([name]) => name)
    .sort()

describe('compose.yaml', () => {
  it('lets only services that use the log reach its brokers, and no monitoring service', {
    tags: 'deploy:brokers-are-isolated',
  }, () => {
    const brokers = ['kafka-1', 'kafka-2', 'kafka-3']
    for (const broker of brokers) expect(services[broker]?.networks).toEqual(['log'])
    expect(on('log')).toEqual(
      [...brokers, 'api', 'auth', 'ingest', 'kafka-exporter', 'projections'].sort(),
    )
    expect(on('store')).toEqual(['api', 'clickhouse', 'projections'])
    for (const name of ['log', 'store', 'metrics', 'edge']) {
      expect(networks[name]?.internal, name).toBe(true)
    }
  })

  it('drops every capability, and every writable path but volumes', () => {
    const writable = ['grafana']
    for (const [name, service] of Object.entries(services)) {
      expect([name, service.cap_drop]).toEqual([name, ['ALL']])
      expect([name, service.security_opt]).toEqual([name, ['no-new-privileges:true']])
      if (!writable.includes(name)) expect([name, service.read_only]).toEqual([name, true])
    }
  })

  it('gives the api no private key and no right to write to the store', {
    tags: 'deploy:api-cannot-write',
  }, () => {
    const { environment = {}, volumes = [] } = services['api'] ?? {}
    // The Parquet files of /data, and no keys.
    expect(volumes).toEqual(['files:/var/lib/rollcall'])
    expect(environment).toMatchObject({ CLICKHOUSE_USERNAME: 'reader' })
    expect(environment).toHaveProperty('JWKS_URL')
    expect(environment).not.toHaveProperty('AUTH_KEYS')
  })
})

describe('the manifests', () => {
  const manifests = readManifests()

  it('give the api no private key and no right to write to the store', {
    tags: 'deploy:api-cannot-write',
  }, () => {
    const api = manifests.find(
      ({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'api',
    )
    const text = JSON.stringify(api?.spec)
    expect(text).toContain('"CLICKHOUSE_READER_PASSWORD"')
    expect(text).toContain('"JWKS_URL"')
    expect(text).not.toContain('AUTH_KEYS')
    expect(text).not.toContain('"key":"CLICKHOUSE_PASSWORD"')
  })

  it('speak to the brokers with TLS and an account', () => {
    const settings = manifests.find(({ kind }) => kind === 'ConfigMap')?.data
    expect(settings).toMatchObject({ KAFKA_TLS: 'true', KAFKA_SASL_MECHANISM: 'scram-sha-512' })
  })

  it('block connections to internal addresses, including shared addresses of providers', () => {
    const outward = manifests.filter((each) => JSON.stringify(each).includes('0.0.0.0/0'))
    expect(outward.map(({ metadata }) => metadata.name).sort()).toEqual(['chain', 'issuers'])
    for (const policy of outward) {
      expect(JSON.stringify(policy)).toContain('"100.64.0.0/10"')
    }
  })
})
