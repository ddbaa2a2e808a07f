// Empty values of settings: compose files and shells make them of variables that are not set.
import { describe, expect, it } from 'vitest'
import { isDemo } from '../../../../infra/app/machine-settings.ts'
import { readSettings, SETTINGS } from '../../../../infra/app/settings.ts'
import { usesKafka } from '../../../../infra/base/log/kafka-settings.ts'

const _settings = SETTINGS.flatMap((group) => group.settings)

describe('an empty setting', () => {
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
