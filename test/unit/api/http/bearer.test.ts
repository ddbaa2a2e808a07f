// What a refused bearer is told: where to get a token, or to come back.
import { describe, expect, it } from 'vitest'
import { requireValidBearer, type VerifyBearer } from '../../../../api/http/bearer.ts'

const refusedBy = async (verify: VerifyBearer) => {
  const refused = await requireValidBearer('Bearer x', verify).catch((error: unknown) => error)
  return refused as { code: string; headers: Record<string, string> }
}

describe('a bearer that does not hold', () => {
  it('is challenged, with the address of the metadata', async () => {
    const { code, headers } = await refusedBy(async () => ({
      ok: false,
      reason: 'It says "no".',
      resourceMetadata: 'https://gov.example/.well-known/x',
    }))
    expect(code).toBe('invalid-token')
    expect(headers['www-authenticate']).toBe(
      `Bearer realm="rollcall", error="invalid_token", error_description="It says 'no'.", resource_metadata="https://gov.example/.well-known/x"`,
    )
  })

  it('that cannot be judged now is told to come back, and not challenged', async () => {
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
