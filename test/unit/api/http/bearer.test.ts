// Tests of the response to a refused bearer token: a challenge, or a retry time.
import { describe, expect, it } from 'vitest'
import { requireValidBearer, type VerifyBearer } from '../../../../api/http/bearer.ts'

const refusedBy = async (verify: VerifyBearer) => {
  const refused = await requireValidBearer('Bearer x', verify).catch((error: unknown) => error)
  return refused as { code: string; headers: Record<string, string> }
}

describe('a refused bearer token', () => {
  it('gets a challenge with the URL of the metadata', async () => {
    const { code, headers } = await refusedBy(async () => ({
      ok: false,
      reason: 'The error is "no".',
      resourceMetadata: 'https://gov.example/.well-known/x',
    }))
    expect(code).toBe('invalid-token')
    expect(headers['www-authenticate']).toBe(
      `Bearer realm="rollcall", error="invalid_token", error_description="The error is 'no'.", resource_metadata="https://gov.example/.well-known/x"`,
    )
  })

  it('that cannot be checked now gets a retry time and no challenge', async () => {
    const refused = await refusedBy(async () => ({
      ok: false,
      reason: 'not known',
      isUnavailable: true,
      resourceMetadata: 'x',
    }))
    expect(refused.code).toBe('tokens-uncheckable')
    expect(refused.headers).toEqual({ 'retry-after': '1' })
  })
})
