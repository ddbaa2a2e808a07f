// Tests of the API settings: defaults and error messages.
import { describe, expect, it } from 'vitest'
import { readApiConfig } from '../../../api/config.ts'

describe('the settings of the API', () => {
  it('have the defaults of the contract', () => {
    expect(readApiConfig({})).toMatchObject({
      port: 8080,
      rateLimitPerMinute: 1_200,
      rateLimitWithTokenPerMinute: 6_000,
      trustProxy: false,
    })
  })

  it('accept a base URL and remove its trailing slash', () => {
    expect(readApiConfig({ BASE_URL: 'https://example.org/rollcall/' }).baseUrl).toBe(
      'https://example.org/rollcall',
    )
  })

  it('accept a number of trusted proxies', () => {
    const trusted = ['1', '3', 'true', 'false', '0', ''].map(
      (TRUST_PROXY) => readApiConfig({ TRUST_PROXY }).trustProxy,
    )
    expect(trusted).toEqual([1, 3, true, false, false, false])
    for (const TRUST_PROXY of ['-1', '1.5', '99', '10.0.0.0/8']) {
      expect(() => readApiConfig({ TRUST_PROXY })).toThrow(/TRUST_PROXY.*number of proxies/)
    }
  })

  it('accept the URL of an explorer only with a place for the hash of the transaction', () => {
    for (const url of ['https://x.example/tx/{txHash}', 'http://x.example/{height}?tx={txHash}']) {
      expect(readApiConfig({ EXPLORER_TX_URL: url }).explorerTxUrl).toBe(url)
    }
    for (const url of [
      'https://x.example/tx/',
      'javascript:{txHash}',
      'x/{txHash}',
      'https://x/{txHash}/{y}',
    ]) {
      expect(() => readApiConfig({ EXPLORER_TX_URL: url })).toThrow(/EXPLORER_TX_URL.*\{txHash\}/)
    }
  })

  it('report every invalid setting in one message', () => {
    const read = () =>
      readApiConfig({ PORT: '99999', BASE_URL: 'example.org', RATE_LIMIT_PER_MINUTE: '0' })
    expect(read).toThrow(/PORT[\s\S]*BASE_URL[\s\S]*RATE_LIMIT_PER_MINUTE/)
  })
})
