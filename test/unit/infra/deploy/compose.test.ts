// Tests of compose.yaml: required secrets, published ports and existing settings.
import { describe, expect, it } from 'vitest'
import { PATHS } from '../../../../auth/contract/service.ts'
import { limitSettings, READER_LIMITS } from '../../../../infra/base/clickhouse/readers.ts'
import { readCompose, readDeployFile, readEnvFile } from '../../../support/source/deploy-files.ts'
import { settingNames } from '../../../support/source/setting-names.ts'

const { services, networks, volumes } = readCompose()
const named = Object.entries(services)
const own = ['ingest', 'projections', 'api', 'auth'] as const

describe('compose.yaml', () => {
  it('has three brokers, a store, two instances of each service, a gateway and monitoring', () => {
    expect(Object.keys(services)).toEqual(
      expect.arrayContaining(['kafka-1', 'kafka-2', 'kafka-3', 'clickhouse', 'gateway', ...own]),
    )
    for (const name of own) expect(services[name]?.deploy.replicas).toBe(2)
  })

  it.each(named)(
    '%s is pinned, and has a health check, limits and a stop timeout',
    (_, service) => {
      expect(service.image).toMatch(/^[\w./-]+:v?\d+\.\d+\.\d+[\w.-]*$/)
      expect(service.healthcheck?.test[0]).toBe('CMD')
      expect(Number(service.deploy.resources.limits.cpus)).toBeGreaterThan(0)
      // Docker refuses more than a small machine has.
      expect(Number(service.deploy.resources.limits.cpus)).toBeLessThanOrEqual(2)
      expect(service.deploy.resources.limits.memory).toMatch(/^\d+[mg]$/)
      expect(service.restart).toBe('unless-stopped')
      expect(service.stop_grace_period).toMatch(/^\d+s$/)
    },
  )

  it('publishes only the ports of the gateway, by default on loopback', () => {
    const published = named.filter(([, { ports }]) => ports !== undefined)
    expect(published.map(([name]) => name)).toEqual(['gateway'])
    for (const port of services['gateway']?.ports ?? []) expect(port).toContain('127.0.0.1')
  })

  it('finds the tally rule of the chain, as Kubernetes does: no other value of TALLY_STRATEGY is shipped', () => {
    expect(services['ingest']?.environment?.['TALLY_STRATEGY']).toMatch(
      /^\$\{TALLY_STRATEGY:-auto\}$/,
    )
    expect(readDeployFile('kubernetes/settings.yaml')).toContain('\n  TALLY_STRATEGY: auto\n')
  })

  it('keeps brokers and store on networks without external access', () => {
    for (const name of ['kafka-1', 'kafka-2', 'kafka-3', 'clickhouse', 'projections']) {
      const joined = services[name]?.networks ?? []
      expect(joined, name).not.toEqual([])
      for (const network of joined) expect(networks[network]?.internal, network).toBe(true)
    }
  })

  it('keeps persistent data on named volumes', () => {
    const mounted = named.flatMap(([, { volumes: each = [] }]) =>
      each.map((volume) => volume.split(':')[0] ?? ''),
    )
    expect(Object.keys(volumes).filter((name) => !mounted.includes(name))).toEqual([])
    expect(mounted).toEqual(expect.arrayContaining(['kafka-1', 'kafka-2', 'kafka-3', 'clickhouse']))
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

  it('an analyst has the same limits as in the embedded ClickHouse', () => {
    const users = readDeployFile('clickhouse/users.xml')
    for (const { setting, value, max } of limitSettings(READER_LIMITS)) {
      expect(users).toContain(`<${setting}>${value}</${setting}>`)
      const constraint = max !== undefined ? `<min>1</min><max>${max}</max>` : '<const/>'
      expect(users).toContain(`<${setting}>${constraint}</${setting}>`)
    }
    expect(users.match(/<password[^>]*>/g)).toEqual([
      '<password from_env="ROLLCALL_PASSWORD"/>',
      '<password from_env="READER_PASSWORD"/>',
      '<password from_env="ANALYST_PASSWORD"/>',
    ])
    expect(users).toContain('GRANT SELECT ON rollcall.v_*')
  })
})

describe('the gateway', () => {
  const locations = readDeployFile('gateway/locations.conf')

  it('sets the client address itself, whatever a client claims', () => {
    expect(locations).toContain('proxy_set_header X-Forwarded-For $remote_addr;')
    expect(locations).not.toContain('$proxy_add_x_forwarded_for')
  })

  it('forwards streamed data without buffering', () => {
    const streams = /location ~ \^\/\(api\/stream\|mcp\)[\s\S]*?\n\}/.exec(locations)?.[0] ?? ''
    expect(streams).toContain('proxy_buffering off;')
    expect(streams).toContain('proxy_read_timeout 1h;')
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
