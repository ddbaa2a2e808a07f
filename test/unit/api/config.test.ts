// The API's settings: defaults that work, mistakes that are named.
import { describe, expect, it } from 'vitest'
import { readApiConfig } from '../../../api/config.ts'

describe('the settings of the API', () => {
  it("have the contract's defaults", () => {
    expect(readApiConfig({})).toMatchObject({
      port: 8080,
      rateLimitPerMinute: 1_200,
      rateLimitWithTokenPerMinute: 6_000,
      trustProxy: false,
    })
  })

  it('take a base URL without its last slash', () => {
    expect(readApiConfig({ BASE_URL: 'https://example.org/rollcall/' }).baseUrl).toBe(
      'https://example.org/rollcall',
    )
  })

  it('name every mistake', () => {
    const read = () =>
      readApiConfig({ PORT: '99999', BASE_URL: 'example.org', RATE_LIMIT_PER_MINUTE: '0' })
    expect(read).toThrow(/PORT[\s\S]*BASE_URL[\s\S]*RATE_LIMIT_PER_MINUTE/)
  })
})
