// Tests of invalid tokens and bodies of the wrong type: exact error codes, and no event in the log.
import { generateKeyPair, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import {
  expectRefusal,
  type Registered,
  registerAnonymously,
  useAuthRigs,
} from '../support/auth/auth-rig.ts'
import { complete, poll, start } from '../support/auth/claim-steps.ts'
import { createTestWallet } from '../support/auth/test-wallet.ts'

const createRig = useAuthRigs()
const setup = async () => {
  const rig = await createRig()
  return { rig, agent: await registerAnonymously(rig) }
}

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const FORM = 'application/x-www-form-urlencoded'
const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')
const decoded = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())

/** Every kind of invalid access token, by name. */
const createBadTokens = async ({ access_token: good, ...agent }: Registered) => {
  const [header = '', payload = '', signature = ''] = good.split('.')
  const [head, claims] = [decoded(header), decoded(payload)]
  const { privateKey } = await generateKeyPair('ES256')
  const forge = (changes: object, more: object = {}) =>
    new SignJWT({ ...claims, ...changes }).setProtectedHeader({ ...head, ...more }).sign(privateKey)
  const confused = await new SignJWT(claims)
    .setProtectedHeader({ ...head, alg: 'HS256' })
    .sign(new TextEncoder().encode(JSON.stringify(head).padEnd(32)))
  return {
    'a key of its own': await forge({}),
    'an unknown key': await forge({}, { kid: 'unknown' }),
    'a foreign issuer': await forge({ iss: 'https://elsewhere.example.org' }),
    'another audience': await forge({ aud: 'https://elsewhere.example.org' }),
    'alg none': `${encoded({ ...head, alg: 'none' })}.${payload}.`,
    'alg HS256': confused,
    'another type': `${encoded({ ...head, typ: 'JWT' })}.${payload}.${signature}`,
    'altered claims': `${header}.${encoded({ ...claims, exp: claims.exp + 1 })}.${signature}`,
    'half of a signature': good.slice(0, -20),
    'no signature': `${header}.${payload}.`,
    'two parts': `${header}.${payload}`,
    'six parts': `${good}.${good}`,
    'an identity assertion': agent.identity_assertion,
    'a claim token': agent.claim_token,
    'an oversized token': `${good}${'A'.repeat(9_000)}`,
    nonsense: 'x',
  }
}

describe('an invalid token', () => {
  it('is refused as a bearer, and does not affect a valid one', async () => {
    const { rig, agent } = await setup()
    for (const [name, token] of Object.entries(await createBadTokens(agent))) {
      expect([name, await rig.bearer(token)]).toMatchObject([
        name,
        { ok: false, isUnavailable: false },
      ])
    }
    for (const header of ['Bearer', 'Bearer ', `Basic ${agent.access_token}`, agent.access_token]) {
      expect((await rig.auth.verifyBearer(header)).ok).toBe(false)
    }
    expect((await rig.bearer(agent.access_token)).ok).toBe(true)
    expect(rig.events()).toEqual([])
  })

  it('has no effect at revocation: 200 as RFC 7009 requires, and no event', async () => {
    const { rig, agent } = await setup()
    const { 'an identity assertion': _, 'a claim token': __, ...bad } = await createBadTokens(agent)
    for (const [name, token] of Object.entries(bad)) {
      const answer = await rig.postForm('/oauth2/revoke', { token })
      expect([name, answer.status]).toEqual([name, 200])
    }
    expect(rig.events()).toEqual([])
    expect((await rig.bearer(agent.access_token)).ok).toBe(true)
  })

  it('is also a revoked assertion, and another one of the same registration', async () => {
    const { rig, agent } = await setup()
    const { token } = await start(rig, agent)
    await complete(rig, token, await createTestWallet(3))
    const { identity_assertion: renewed } = (await poll(rig, agent)).json()
    await rig.postForm('/oauth2/revoke', { token: agent.identity_assertion })
    const exchange = (assertion: string) =>
      rig.postForm('/oauth2/token', { grant_type: JWT_BEARER, assertion })
    const before = rig.events().length
    expectRefusal(await exchange(agent.identity_assertion), 400, 'invalid_grant')
    expectRefusal(await exchange(renewed), 400, 'unauthorized_client')
    expect(rig.events()).toHaveLength(before)
  })
})

describe('a body of the wrong type', () => {
  const good = (agent: Registered) => ({ ...agent, type: 'anonymous', token: agent.access_token })

  it('is refused by JSON endpoints', async () => {
    const { rig, agent } = await setup()
    const steps = ['attempt', 'text', 'complete', 'deny'].map((step) => `/delegation/${step}`)
    for (const url of ['/agent/identity', '/agent/identity/claim', ...steps]) {
      expectRefusal(await rig.postForm(url, good(agent)), 400, 'invalid_request')
      const headers = { 'content-type': 'text/plain' }
      const payload = JSON.stringify(good(agent))
      expectRefusal(await rig.send('POST', url, { headers, payload }), 400, 'invalid_request')
    }
    expect(rig.events()).toEqual([])
  })

  it('is refused by form endpoints, and so is a repeated parameter', async () => {
    const { rig, agent } = await setup()
    for (const url of ['/oauth2/token', '/oauth2/revoke']) {
      expectRefusal(await rig.postJson(url, good(agent)), 400, 'invalid_request')
      const twice = [
        ['token', agent.access_token],
        ['token', agent.access_token],
        ['grant_type', 'client_credentials'],
      ] as const
      expectRefusal(await rig.postForm(url, twice), 400, 'invalid_request')
      const headers = { 'content-type': `${FORM}; charset=utf-16` }
      const odd = await rig.send('POST', url, { headers, payload: '\u0000' })
      expectRefusal(odd, 400, 'invalid_request')
    }
    expect((await rig.bearer(agent.access_token)).ok).toBe(true)
    expect(rig.events()).toEqual([])
  })
})
