// Tests of how agents register, exchange, read and revoke: responses and events, on a full disk too, and every configured lifetime.
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import {
  type AuthRig,
  BASE_URL,
  createAuthBackend,
  exchange,
  expectRefusal,
  isValid,
  type Registered,
  registerAnonymously,
  revoke,
  useAuthRigs,
} from '../support/auth/auth-rig.ts'
import { HUB, poll, start, step } from '../support/auth/claim-steps.ts'
import { createTestWallet } from '../support/auth/test-wallet.ts'

const setup = useAuthRigs()

describe('anonymous registration', () => {
  it('returns every field, under old and new names, and writes no event', {
    tags: ['auth:registration-writes-nothing', 'auth:registration-is-one-request'],
  }, async () => {
    const rig = await setup()
    const answer = await rig.postJson('/agent/identity', { type: 'anonymous' })
    expect(answer.headers['cache-control']).toBe('no-store')
    const body = answer.json()
    expect(body).toMatchObject({
      registration_id: expect.stringMatching(/^reg_/),
      registration_type: 'anonymous',
      claim_url: `${BASE_URL}/agent/identity/claim`,
      claim_token: expect.stringMatching(/^clm_/),
      pre_claim_scopes: ['proposals:read'],
      post_claim_scopes: ['proposals:read'],
      token_type: 'Bearer',
      expires_in: 900,
      scope: 'proposals:read',
    })
    expect(body).toMatchObject({
      id: body.registration_id,
      client_id: body.registration_id,
      type: body.registration_type,
      identity: { assertion: body.identity_assertion, expires_at: body.assertion_expires },
      claim: { token: body.claim_token, expires_at: body.claim_token_expires, url: body.claim_url },
      scopes: { pre_claim: body.pre_claim_scopes, post_claim: body.post_claim_scopes },
    })
    expect(await isValid(rig, body.access_token)).toBe(true)
    expect(rig.events()).toEqual([])
  })

  it('returns an access token of RFC 9068 that the published keys verify', {
    tags: 'auth:registration-is-one-request',
  }, async () => {
    const rig = await setup()
    const { access_token: token, registration_id: id } = await registerAnonymously(rig)
    const jwks = (await rig.send('GET', '/.well-known/jwks.json')).json()
    const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(jwks), {
      issuer: BASE_URL,
      audience: BASE_URL,
      typ: 'at+jwt',
      requiredClaims: ['iss', 'exp', 'aud', 'sub', 'client_id', 'iat', 'jti'],
    })
    expect(protectedHeader).toMatchObject({ alg: 'ES256', typ: 'at+jwt' })
    expect(payload).toMatchObject({ sub: id, client_id: id, scope: 'proposals:read' })
  })

  it('returns tokens that cannot replace each other: each has its own type', {
    tags: 'auth:one-kind-of-token',
  }, async () => {
    const rig = await setup()
    const agent = await registerAnonymously(rig)
    expect(decodeProtectedHeader(agent.identity_assertion).typ).toBe('oauth-id-jag+jwt')
    expect(await isValid(rig, agent.identity_assertion)).toBe(false)
    expect(await isValid(rig, agent.claim_token)).toBe(false)
    for (const wrong of [agent.access_token, agent.claim_token]) {
      expect((await exchange(rig, wrong)).json().error).toBe('invalid_grant')
    }
  })
})

describe('the token endpoint', () => {
  it('exchanges an assertion repeatedly, until it expires', {
    tags: 'auth:every-grant',
  }, async () => {
    const rig = await setup()
    const { identity_assertion: assertion, registration_id: id } = await registerAnonymously(rig)
    const tokens = new Set<string>()
    for (let count = 0; count < 3; count++) {
      const answer = await exchange(rig, assertion, { scope: 'proposals:read', client_id: id })
      expect(answer.json()).toMatchObject({ token_type: 'Bearer', expires_in: 900 })
      expect([answer.headers['cache-control'], answer.headers['pragma']]).toEqual([
        'no-store',
        'no-cache',
      ])
      tokens.add(answer.json().access_token)
    }
    expect(tokens.size).toBe(3)
    for (const token of tokens) expect(await isValid(rig, token)).toBe(true)
    expect(rig.events()).toEqual([])
    await rig.advance(3_600_000)
    expect((await exchange(rig, assertion)).json().error).toBe('invalid_grant')
  })

  it('issues a token to a client without a secret, with or without a client ID', {
    tags: 'auth:every-grant',
  }, async () => {
    const rig = await setup()
    const grant = { grant_type: 'client_credentials', scope: 'proposals:read' }
    const answer = await rig.postForm('/oauth2/token', grant)
    expect(answer.status).toBe(200)
    const claims = decodeJwt(answer.json().access_token)
    expect(claims['client_id']).toMatch(/^anon:/)
    expect(claims.sub).toBe(claims['client_id'])
    const named = await rig.postForm('/oauth2/token', { ...grant, client_id: 'my-agent/1.0' })
    expect(decodeJwt(named.json().access_token)).toMatchObject({
      client_id: 'my-agent/1.0',
      sub: 'client:my-agent/1.0',
    })
    expect(await isValid(rig, named.json().access_token)).toBe(true)
    expect(rig.events()).toEqual([])
  })

  it('refuses clients that authenticate, or that use an invalid or reserved client ID', {
    tags: 'auth:every-grant',
  }, async () => {
    const rig = await setup()
    const grant = { grant_type: 'client_credentials', scope: 'proposals:read' }
    const secret = await rig.postForm('/oauth2/token', {
      ...grant,
      client_id: 'a',
      client_secret: 'b',
    })
    expectRefusal(secret, 401, 'invalid_client')
    const basic = await rig.postForm('/oauth2/token', grant, { authorization: 'Basic YTpi' })
    expectRefusal(basic, 401, 'invalid_client')
    expect(basic.headers['www-authenticate']).toMatch(/^Basic /)
    const { registration_id: otherAgentId } = await registerAnonymously(rig)
    for (const client_id of [otherAgentId, 'anon:x', 'idjag:x', 'a b', 'é', 'x'.repeat(201)]) {
      expectRefusal(
        await rig.postForm('/oauth2/token', { ...grant, client_id }),
        400,
        'invalid_client',
      )
    }
    expect(rig.events()).toEqual([])
  })
})

describe('token revocation', () => {
  it('of an access token takes effect at the next request, and keeps the assertion valid', {
    tags: 'auth:revocation-is-immediate',
  }, async () => {
    const rig = await setup()
    const agent = await registerAnonymously(rig)
    expect(await isValid(rig, agent.access_token)).toBe(true)
    const answer = await revoke(rig, agent.access_token)
    expect([answer.status, answer.text]).toEqual([200, ''])
    const bearer = await rig.bearer(agent.access_token)
    expect(bearer).toMatchObject({ ok: false, isUnavailable: false })
    const other = (await exchange(rig, agent.identity_assertion)).json().access_token
    expect(await isValid(rig, other)).toBe(true)
    expect(rig.events().map(({ type }) => type)).toEqual(['rollcall.token.revoked.v1'])
  })

  it('of an assertion ends the registration with all its tokens', {
    tags: 'auth:revocation-is-immediate',
  }, async () => {
    const rig = await setup()
    const agent = await registerAnonymously(rig)
    await revoke(rig, agent.identity_assertion)
    expect(await isValid(rig, agent.access_token)).toBe(false)
    expect((await exchange(rig, agent.identity_assertion)).json().error).toBe('invalid_grant')
    const claim = await rig.postJson('/agent/identity/claim', { claim_token: agent.claim_token })
    expect([claim.status, claim.json().error]).toEqual([410, 'claim_revoked'])
  })

  it('returns 200 and writes no event for unknown, expired or revoked tokens', async () => {
    const rig = await setup()
    const { access_token: token } = await registerAnonymously(rig)
    await revoke(rig, token)
    for (const each of [token, 'nothing', 'a.b.c', `${token}x`, 'x'.repeat(9_000)]) {
      expect((await revoke(rig, each)).status).toBe(200)
    }
    const { access_token: old } = await registerAnonymously(rig)
    await rig.advance(901_000)
    expect((await revoke(rig, old)).status).toBe(200)
    expect(rig.events()).toHaveLength(1)
  })

  it('takes effect in other instances when they have read the log, and after a restart', {
    tags: 'auth:revocation-is-immediate',
  }, async () => {
    const backend = await createAuthBackend()
    const [one, other] = [await setup({ backend }), await setup({ backend })]
    const { access_token: token } = await registerAnonymously(one)
    expect(await isValid(other, token)).toBe(true)
    await revoke(one, token)
    await expect.poll(() => isValid(other, token), { interval: 10 }).toBe(false)
    const restarted = await setup({ backend })
    expect(await isValid(restarted, token)).toBe(false)
  })
})

describe('a bearer', () => {
  it('expires, and the refusal has the URL of the resource metadata', async () => {
    const rig = await setup()
    const { access_token: token } = await registerAnonymously(rig)
    await rig.advance(900_000)
    expect(await rig.bearer(token)).toEqual({
      ok: false,
      isUnavailable: false,
      reason: expect.stringContaining('expired'),
      resourceMetadata: `${BASE_URL}/.well-known/oauth-protected-resource`,
    })
  })

  it('is refused temporarily while the log is unreachable', async () => {
    const rig = await setup()
    const { access_token: token } = await registerAnonymously(rig)
    rig.setAway(true)
    rig.backend.clock.advance(5_001)
    expect(await rig.bearer(token)).toMatchObject({ ok: false, isUnavailable: true })
    expect(await rig.bearer('a.b.c')).toMatchObject({ ok: false, isUnavailable: false })
    rig.setAway(false)
    await rig.advance(1_000)
    expect(await isValid(rig, token)).toBe(true)
  })

  it('of another issuer is refused, whatever its claims are', async () => {
    const backend = await createAuthBackend()
    const [one, other] = [
      await setup({ backend }),
      await setup({ backend, baseUrl: 'https://elsewhere.example.org' }),
    ]
    const { access_token: foreign } = await registerAnonymously(other)
    expect(await isValid(one, foreign)).toBe(false)
    const otherIssuer = await setup({ backend: await createAuthBackend({ ownKeys: true }) })
    const { access_token: forged } = await registerAnonymously(otherIssuer)
    expect(await isValid(one, forged)).toBe(false)
  })
})

describe('on a full disk', () => {
  it.each([
    ['an access token', ({ access_token: token }: Registered) => token],
    ['an identity assertion', ({ identity_assertion: token }: Registered) => token],
    ['a claim token', ({ claim_token: token }: Registered) => token],
  ])(
    'the revocation of %s is refused until it is written, and the access token is refused at once',
    async (_, select) => {
      const rig = await setup()
      const agent = await registerAnonymously(rig)
      const other = await registerAnonymously(rig)
      rig.setFull(true)
      for (let time = 0; time < 3; time++) {
        const answer = await revoke(rig, select(agent))
        expectRefusal(answer, 503, 'temporarily_unavailable')
        expect(answer.headers['retry-after']).toBe('1')
        expect(await rig.bearer(agent.access_token)).toMatchObject({
          ok: false,
          isUnavailable: false,
          reason: expect.stringContaining('revoked'),
        })
      }
      expect(await isValid(rig, other.access_token)).toBe(true)
      const isToken = select(agent) === agent.access_token
      const renewed = await exchange(rig, agent.identity_assertion)
      expect(renewed.json().error).toBe(isToken ? undefined : 'invalid_grant')
      expect(rig.events()).toEqual([])
      rig.setFull(false)
      expect((await revoke(rig, select(agent))).status).toBe(200)
      expect((await revoke(rig, select(agent))).status).toBe(200)
      expect(rig.events()).toHaveLength(1)
      expect(await isValid(rig, agent.access_token)).toBe(false)
    },
  )

  it('revocations are appended again without a request, once each', async () => {
    const rig = await setup()
    const agents = [await registerAnonymously(rig), await registerAnonymously(rig)]
    rig.setFull(true)
    for (const { access_token: token } of agents) await revoke(rig, token)
    rig.setFull(false)
    await expect
      .poll(
        () => {
          rig.backend.clock.advance(1_000)
          return rig.events().length
        },
        { interval: 20 },
      )
      .toBe(agents.length)
    const other = await setup({ backend: rig.backend })
    for (const { access_token: token } of agents) expect(await isValid(other, token)).toBe(false)
    rig.backend.clock.advance(10_000)
    await rig.advance(0)
    expect(rig.events()).toHaveLength(agents.length)
  })
})

const LIFETIMES = {
  ACCESS_TOKEN_SECONDS: '120',
  IDENTITY_ASSERTION_SECONDS: '300',
  CLAIM_TOKEN_SECONDS: '2000',
  CLAIM_ATTEMPT_SECONDS: '90',
}

const secondsUntil = (rig: AuthRig, instant: string): number =>
  Math.ceil((Date.parse(instant) - rig.backend.clock.now()) / 1_000)

describe('the lifetimes', { tags: 'auth:lifetimes-are-configurable' }, () => {
  it.each([
    ['of the settings', LIFETIMES, [120, 300, 2_000, 90]],
    ['of the contract without settings', {}, [15 * 60, 3_600, 24 * 3_600, 10 * 60]],
  ])('%s are those of the responses', async (_, env, [access, assertion, claim, attempt]) => {
    const rig = await setup({ env })
    const registered = (await rig.postJson('/agent/identity', { type: 'anonymous' })).json()
    expect(registered.expires_in).toBe(access)
    expect(secondsUntil(rig, registered.assertion_expires)).toBe(assertion)
    expect(secondsUntil(rig, registered.claim_token_expires)).toBe(claim)
    const { answer } = await start(rig, registered)
    expect(answer.json().claim_attempt.expires_in).toBe(attempt)
    const exchanged = await exchange(rig, registered.identity_assertion)
    expect(exchanged.json().expires_in).toBe(access)
  })

  it('of the settings end an access token, an assertion, a claim attempt and a claim token', async () => {
    const rig = await setup({ env: LIFETIMES })
    const registered = await registerAnonymously(rig)
    const { access_token: token, identity_assertion: assertion } = registered
    const attempt = await start(rig, registered)
    const { address } = await createTestWallet(3)
    const readText = async () =>
      (await step(rig, 'text', attempt.token, { chain_id: HUB, address })).status
    await rig.advance(85_000)
    expect(await readText()).toBe(200)
    await rig.advance(30_000)
    expect(await readText()).not.toBe(200)
    expect(await isValid(rig, token)).toBe(true)
    await rig.advance(10_000)
    expect(await isValid(rig, token)).toBe(false)
    expect((await exchange(rig, assertion)).status).toBe(200)
    await rig.advance(180_000)
    expect((await exchange(rig, assertion)).status).toBe(400)
    expect((await poll(rig, registered)).json().error).not.toBe('invalid_grant')
    await start(rig, registered)
    await rig.advance(1_700_000)
    const late = await rig.postJson('/agent/identity/claim', {
      claim_token: registered.claim_token,
    })
    expect(late.status).toBe(410)
  })
})
