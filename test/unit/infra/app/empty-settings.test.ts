// Empty values of settings: compose files and shells make them of variables that are not set.
import { describe, expect, it } from 'vitest'
import { isDemo } from '../../../../infra/app/machine-settings.ts'
import { readSettings, SETTINGS } from '../../../../infra/app/settings.ts'
import { usesKafka } from '../../../../infra/base/log/kafka-settings.ts'

const settings = SETTINGS.flatMap((group) => group.settings)

describe('an empty setting', () => {
  it('is refused if it names a chain, a server, a file, a user, a secret or a protection', () => {
    const refused = settings.filter(({ refusesEmpty }) => refusesEmpty).map(({ env }) => env)
    expect(new Set(refused)).toEqual(
      new Set([
        'CHAIN_RPC_URLS',
        'CHAIN_RPC_HEADERS',
        'CHAIN_ID',
        'VERIFY_HEADERS',
        'DATA_DIR',
        'BASE_URL',
        'JWKS_URL',
        'ANALYST_PASSWORD',
        'AUTH_KEYS',
        'CLICKHOUSE_URL',
        'CLICKHOUSE_USERNAME',
        'CLICKHOUSE_PASSWORD',
        'CLICKHOUSE_CLUSTER',
        'KAFKA_BROKERS',
        'KAFKA_TLS',
        'KAFKA_TLS_CA_FILE',
        'KAFKA_TLS_CERT_FILE',
        'KAFKA_TLS_KEY_FILE',
        'KAFKA_SASL_MECHANISM',
        'KAFKA_SASL_USERNAME',
        'KAFKA_SASL_PASSWORD',
      ]),
    )
  })

  it.each(['', '  '])('of the endpoints (%j) never starts the demo chain', (urls) => {
    expect(isDemo({ CHAIN_RPC_URLS: urls })).toBe(false)
    expect(() => readSettings({ CHAIN_RPC_URLS: urls })).toThrow(
      /CHAIN_RPC_URLS is empty, and there is no default: .*the recorded demo chain/,
    )
    expect(isDemo({})).toBe(true)
    expect(readSettings({}).ingest.rpcUrls).toHaveLength(1)
  })

  it('of the brokers never selects the embedded log', () => {
    expect(usesKafka({ KAFKA_BROKERS: '' })).toBe(true)
    expect(usesKafka({})).toBe(false)
  })
})
