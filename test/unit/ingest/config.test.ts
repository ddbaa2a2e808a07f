// Tests valid and invalid settings of ingest.
import { describe, expect, it } from 'vitest'
import { readEndpointHeaders, readIngestConfig } from '../../../ingest/config.ts'

const read = (env: Record<string, string>) => readIngestConfig(env)
const CHAIN_RPC_URLS = 'https://rpc.one.example, http://127.0.0.1:26657'

describe('the settings of ingest', () => {
  it('require only endpoints', () => {
    expect(read({ CHAIN_RPC_URLS })).toMatchObject({
      rpcUrls: ['https://rpc.one.example', 'http://127.0.0.1:26657'],
      chainId: undefined,
      startHeight: 'tip',
      liveMarkerSeconds: 1,
      tallyReadBudgetSeconds: 120,
    })
  })

  it.each([
    ['earliest', 'earliest'],
    ['tip', 'tip'],
    ['123', 123],
  ])('accept START_HEIGHT=%s', (raw, expected) => {
    expect(read({ CHAIN_RPC_URLS, START_HEIGHT: raw }).startHeight).toBe(expected)
  })

  it('accept a trusted header, only together with VERIFY_HEADERS', () => {
    const hash = 'aB'.repeat(32)
    const trusted = { CHAIN_RPC_URLS, TRUSTED_HEADER: `12:${hash}` }
    expect(read({ ...trusted, VERIFY_HEADERS: 'true' }).trustedHeader).toEqual({
      height: 12n,
      hash,
    })
    expect(() => read(trusted)).toThrow('TRUSTED_HEADER needs VERIFY_HEADERS=true')
  })

  it.each([
    '12',
    `0:${'AB'.repeat(32)}`,
    '12:AB',
    `012:${'AB'.repeat(32)}`,
    `12:${'XY'.repeat(32)}`,
  ])('do not accept TRUSTED_HEADER=%s', (raw) => {
    const wrong = () => read({ CHAIN_RPC_URLS, VERIFY_HEADERS: 'true', TRUSTED_HEADER: raw })
    expect(wrong).toThrow(/TRUSTED_HEADER.*HEIGHT:HASH, with the header hash as 64 hex digits/s)
  })

  it('accept headers for endpoints', () => {
    const headers = { 'x-api-key': 'secret' }
    const [url = ''] = CHAIN_RPC_URLS.split(',')
    const given = JSON.stringify({ [url]: headers })
    const { rpcHeaders } = read({ CHAIN_RPC_URLS, CHAIN_RPC_HEADERS: given })
    expect(rpcHeaders?.get(url)).toEqual(headers)
  })

  it('have the headers of one endpoint without any other setting', () => {
    const CHAIN_RPC_HEADERS = '{"https://a.example": {"x-api-key": "secret"}}'
    const find = (address: string) => readEndpointHeaders({ CHAIN_RPC_HEADERS }, address)
    expect(find('https://a.example/')).toEqual({ 'x-api-key': 'secret' })
    for (const other of ['https://a.example/rpc', 'http://a.example', 'a.example']) {
      expect(find(other)).toBeUndefined()
    }
    expect(readEndpointHeaders({}, 'https://a.example')).toBeUndefined()
  })

  it.each([
    'x-api-key: secret',
    '{}',
    '{"a b": {"x-api-key": "secret"}}',
    '{"https://a.example": {"x-api-key": "secret"}, "https://a.example": {}}',
    '{"https://a.example": {"x-api-key": 7}}',
    '{"https://a.example": {"x key": "secret"}}',
    '{"https://a.example": {"x-api-key": "sec\\nret"}}',
    '{"https://other.example/secret": {"x-api-key": "secret"}}',
  ])('do not accept CHAIN_RPC_HEADERS=%s, and never show it', (given) => {
    const wrong = () => read({ CHAIN_RPC_URLS, CHAIN_RPC_HEADERS: given })
    expect(wrong).toThrow(/CHAIN_RPC_HEADERS/)
    expect(wrong).not.toThrow(/secret/)
  })

  it('report all invalid settings and their valid values together', () => {
    const wrong = () =>
      read({ CHAIN_RPC_URLS: 'ftp://x', START_HEIGHT: '0', RPC_TIMEOUT_SECONDS: 'a' })
    expect(wrong).toThrow(/CHAIN_RPC_URLS.*https/s)
    expect(wrong).toThrow(/START_HEIGHT.*earliest, tip or a height of at least 1/s)
    expect(wrong).toThrow(/RPC_TIMEOUT_SECONDS.*whole number/s)
  })
})
