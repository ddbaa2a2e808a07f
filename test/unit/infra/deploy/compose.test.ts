// Tests of compose.yaml: required secrets, published ports and existing settings.
import { describe, expect, it } from 'vitest'
import { PATHS } from '../../../../auth/contract/service.ts'
import { limitSettings, READER_LIMITS } from '../../../../infra/base/clickhouse/readers.ts'
import { readCompose, readDeployFile, readEnvFile } from '../../../support/source/deploy-files.ts'
import { settingNames } from '../../../support/source/setting-names.ts'

const { services } = readCompose()
const named = Object.entries(services)
const own = ['ingest', 'projections', 'api', 'auth'] as const

describe('compose.yaml', () => {
  it('names the version of each image', () => {
    for (const [name, { image }] of named) {
      expect(image, name).toMatch(/^[\w./-]+:v?\d+\.\d+\.\d+[\w.-]*$/)
    }
  })

  it('gives an analyst the limits of the embedded ClickHouse, the views alone, and a password', () => {
    const users = readDeployFile('clickhouse/users.xml')
    for (const { setting, value, max } of limitSettings(READER_LIMITS)) {
      expect(users).toContain(`<${setting}>${value}</${setting}>`)
      const constraint = max === undefined ? '<const/>' : `<min>1</min><max>${max}</max>`
      expect(users).toContain(`<${setting}>${constraint}</${setting}>`)
    }
    const analyst = /<users>[\s\S]*<analyst>([\s\S]*?)<\/analyst>/.exec(users)?.[1]
    expect(analyst?.match(/GRANT [^<]+/g)).toEqual(['GRANT SELECT ON rollcall.v_*'])
    expect(analyst).toContain('<password from_env="ANALYST_PASSWORD"/>')
  })

  it('publishes only the ports of the gateway, by default on loopback', () => {
    const published = named.filter(([, { ports }]) => ports !== undefined)
    expect(published.map(([name]) => name)).toEqual(['gateway'])
    for (const port of services['gateway']?.ports ?? []) expect(port).toContain('127.0.0.1')
  })

  it.each(own)('%s gets only settings that exist', (name) => {
    const given = Object.keys(services[name]?.environment ?? {})
    expect(given.length).toBeGreaterThan(4)
    expect(given.filter((each) => !settingNames().has(each))).toEqual([])
  })

  it('contains no secret: each comes from .env, and nothing starts without it', {
    tags: 'deploy:no-default-secrets',
  }, () => {
    const isSecret = (name: string) => /PASSWORD|SECRET|TOKEN/.test(name)
    const secrets = named.flatMap(([, { environment = {} }]) =>
      Object.entries(environment).filter(([name]) => isSecret(name)),
    )
    expect(secrets.length).toBeGreaterThan(4)
    for (const [name, value] of secrets) expect(value, name).toMatch(/^\$\{[A-Z_]+:\?[^}]+\}$/)
  })

  it('.env.example has every requested variable, and no value for the required ones', {
    tags: 'deploy:no-default-secrets',
  }, () => {
    const text = readDeployFile('compose.yaml') + readDeployFile('compose.tls.yaml')
    const used = new Set([...text.matchAll(/\$\{([A-Z_]+)/g)].map(([, name = '']) => name))
    const needed = [...readDeployFile('compose.yaml').matchAll(/\$\{([A-Z_]+):\?/g)].map(
      ([, name = '']) => name,
    )
    const example = readEnvFile('.env.example')
    expect([...used].filter((name) => !example.has(name))).toEqual([])
    expect([...example.keys()].filter((name) => !used.has(name))).toEqual([])
    expect(needed.length).toBeGreaterThan(4)
    for (const name of needed) expect(example.get(name), name).toBe('')
  })
})

describe('the gateway', () => {
  const locations = readDeployFile('gateway/locations.conf')

  it('sets the client address itself, whatever a client claims', () => {
    expect(locations).toContain('proxy_set_header X-Forwarded-For $remote_addr;')
    expect(locations).not.toContain('$proxy_add_x_forwarded_for')
  })

  it('sends every path of agents and tokens to auth, and no other', () => {
    const pattern = /location ~ (\S+) \{\s*proxy_pass \$auth;/.exec(locations)?.[1] ?? '$never'
    const isSent = (path: string) => new RegExp(pattern).test(path)
    const { authMd, mcp, ...own } = PATHS
    for (const path of Object.values(own)) expect(isSent(path), path).toBe(true)
    for (const path of [authMd, mcp, '/', '/api/health', '/delegations', '/.well-known/mcp.json']) {
      expect(isSent(path), path).toBe(false)
    }
  })

  it('does not serve the paths for operators', () => {
    expect(locations).toMatch(/\(metrics\|livez\|readyz\)\$ \{\s*return 404;/)
  })
})
