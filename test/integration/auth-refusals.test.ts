// Tests of what registration and the token endpoint refuse: exact error codes, and no event.
import { decodeJwt, generateKeyPair, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import {
  exchange,
  expectRefusal,
  registerAnonymously,
  useAuthRigs,
} from '../support/auth/auth-rig.ts'

const SCOPE = 'proposals:read'

const setup = useAuthRigs((rig) => expect(rig.events()).toEqual([]))

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const CLAIM = 'urn:workos:agent-auth:grant-type:claim'

const unsigned = (claims: object, header: object = {}): string =>
  [{ alg: 'none', typ: 'oauth-id-jag+jwt', ...header }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .concat('')
    .join('.')

describe('registration', () => {
  it('refuses a body that is not a JSON object with a known type', async () => {
    const rig = await setup()
    const bodies = ['', '{', '[]', 'null', '"anonymous"', '{}', '{"type":1}', '{"type":"x"}']
    for (const body of [...bodies, '{"type":"anonymous"', '{"type":"refresh"}']) {
      expectRefusal(await rig.postJson('/agent/identity', body), 400, 'invalid_request')
    }
    const form = await rig.postForm('/agent/identity', { type: 'anonymous' })
    expectRefusal(form, 400, 'invalid_request')
    expectRefusal(await rig.send('POST', '/agent/identity'), 400, 'invalid_request')
  })

  it('reports that verified email and service_auth are not supported, with the alternatives', {
    tags: 'auth:email-is-refused',
  }, async () => {
    const rig = await setup()
    const requests: readonly (readonly [object, string])[] = [
      [{ type: 'verified_email' }, 'verified_email_not_enabled'],
      [
        { type: 'identity_assertion', assertion_type: 'verified_email', assertion: 'a@b.test' },
        'verified_email_not_enabled',
      ],
      [{ type: 'service_auth', login_hint: 'a@b.test' }, 'service_auth_not_enabled'],
    ]
    for (const [body, code] of requests) {
      const answer = await rig.postJson('/agent/identity', body)
      expectRefusal(answer, 400, code)
      expect(answer.json().message).toContain('type anonymous')
    }
  })

  it('is limited per address, with Retry-After', {
    tags: 'auth:registration-is-limited',
  }, async () => {
    const rig = await setup({ env: { REGISTRATIONS_PER_MINUTE: '3' } })
    const register = (remoteAddress: string) =>
      rig.send('POST', '/agent/identity', {
        headers: { 'content-type': 'application/json' },
        payload: '{"type":"anonymous"}',
        remoteAddress,
      })
    const statuses: number[] = []
    for (let count = 0; count < 4; count++) statuses.push((await register('192.0.2.1')).status)
    expect(statuses).toEqual([200, 200, 200, 429])
    const refused = await register('192.0.2.1')
    expectRefusal(refused, 429, 'rate_limited')
    expect(refused.json().retry_after).toBe(Number(refused.headers['retry-after']))
    expect(refused.json().retry_after).toBeLessThanOrEqual(60)
    expect((await register('192.0.2.2')).status).toBe(200)
    rig.backend.clock.advance(refused.json().retry_after * 1_000 - 1)
    expect((await register('192.0.2.1')).status).toBe(429)
    rig.backend.clock.advance(1)
    expect((await register('192.0.2.1')).status).toBe(200)
  })
})

describe('the token endpoint', () => {
  it('refuses bodies that are not forms, and parameters that are repeated, in the URL, or too many', async () => {
    const rig = await setup()
    const { identity_assertion: assertion } = await registerAnonymously(rig)
    const good = { grant_type: JWT_BEARER, assertion }
    expectRefusal(await rig.postJson('/oauth2/token', good), 400, 'invalid_request')
    const query = `?${new URLSearchParams(good)}`
    expectRefusal(await rig.postForm(`/oauth2/token${query}`, {}), 400, 'invalid_request')
    expectRefusal(await rig.postForm('/oauth2/token?a=b', good), 400, 'invalid_request')
    for (const name of ['grant_type', 'assertion', 'resource', 'x']) {
      const twice = [...Object.entries(good), [name, 'a'], [name, 'b']] as [string, string][]
      expectRefusal(await rig.postForm('/oauth2/token', twice), 400, 'invalid_request')
    }
    const many = Array.from({ length: 40 }, (_, at) => [`p${at}`, ''] as const)
    expectRefusal(await rig.postForm('/oauth2/token', many), 400, 'invalid_request')
    expectRefusal(await rig.postForm('/oauth2/token', {}), 400, 'invalid_request')
    const empty = await rig.postForm('/oauth2/token', { grant_type: JWT_BEARER, assertion: '' })
    expectRefusal(empty, 400, 'invalid_request')
    const typed = { headers: { 'content-type': 'text/plain' }, payload: 'grant_type=x' }
    expectRefusal(await rig.send('POST', '/oauth2/token', typed), 400, 'invalid_request')
  })

  it('refuses other grants, scopes and resources', { tags: 'auth:read-only-tokens' }, async () => {
    const rig = await setup()
    const { identity_assertion: assertion } = await registerAnonymously(rig)
    for (const grant_type of ['password', 'implicit', 'x']) {
      const answer = await rig.postForm('/oauth2/token', { grant_type })
      expectRefusal(answer, 400, 'unsupported_grant_type')
    }
    const grants = [
      { grant_type: JWT_BEARER, assertion },
      { grant_type: 'client_credentials' },
      { grant_type: CLAIM, claim_token: 'clm_x' },
    ]
    for (const grant of grants) {
      for (const scope of ['proposals:write', 'openid', 'proposals:read proposals:write']) {
        const answer = await rig.postForm('/oauth2/token', { ...grant, scope })
        expectRefusal(answer, 400, 'invalid_scope')
      }
      const elsewhere = { ...grant, resource: 'https://elsewhere.example.org' }
      expectRefusal(await rig.postForm('/oauth2/token', elsewhere), 400, 'invalid_target')
    }
  })

  it('gives every token the one scope', { tags: 'auth:read-only-tokens' }, async () => {
    const rig = await setup()
    const registered = await registerAnonymously(rig)
    const forms = [
      { grant_type: JWT_BEARER, assertion: registered.identity_assertion },
      { grant_type: 'client_credentials' },
    ]
    const answers = await Promise.all(forms.map((form) => rig.postForm('/oauth2/token', form)))
    for (const { access_token, scope } of [registered, ...answers.map((each) => each.json())]) {
      expect([scope, decodeJwt(access_token)['scope']]).toEqual([SCOPE, SCOPE])
    }
  })

  it('limits client_credentials per address', async () => {
    const rig = await setup({ env: { REGISTRATIONS_PER_MINUTE: '2' } })
    const grant = { grant_type: 'client_credentials' }
    for (let count = 0; count < 2; count++) {
      expect((await rig.postForm('/oauth2/token', grant)).status).toBe(200)
    }
    expectRefusal(await rig.postForm('/oauth2/token', grant), 429, 'rate_limited')
  })

  it('refuses an assertion that is forged, foreign, truncated, oversized, expired or of another kind', async () => {
    const rig = await setup()
    const agent = await registerAnonymously(rig)
    const good = agent.identity_assertion
    const [header, payload, signature] = good.split('.') as [string, string, string]
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const kid = JSON.parse(Buffer.from(header, 'base64url').toString()).kid as string
    const { privateKey } = await generateKeyPair('ES256')
    const forge = (changes: object, head: object = {}) =>
      new SignJWT({ ...claims, ...changes })
        .setProtectedHeader({ alg: 'ES256', typ: 'oauth-id-jag+jwt', kid, ...head })
        .sign(privateKey)
    const secret = new TextEncoder().encode(JSON.stringify(rig.auth))
    const confused = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'oauth-id-jag+jwt', kid })
      .sign(secret)
    const altered = Buffer.from(JSON.stringify({ ...claims, sub: 'reg_x' })).toString('base64url')
    const bad = {
      'a key of its own': await forge({}),
      'an unknown key': await forge({}, { kid: 'unknown' }),
      'alg none': unsigned(claims, { kid }),
      'alg HS256': confused,
      'altered claims': `${header}.${altered}.${signature}`,
      'no signature': `${header}.${payload}.`,
      'no parts': 'x',
      'another kind': agent.access_token,
      'a claim token': agent.claim_token,
      'a foreign issuer': await forge({ iss: 'https://elsewhere.example.org' }),
      'an oversized token': `${good}${'A'.repeat(9_000)}`,
    }
    for (const [name, assertion] of Object.entries(bad)) {
      const answer = await exchange(rig, assertion)
      expect([name, answer.json().error]).toEqual([name, 'invalid_grant'])
      expectRefusal(answer, 400, 'invalid_grant')
    }
    const other = await exchange(rig, good, { client_id: 'another-client' })
    expectRefusal(other, 400, 'invalid_grant')
    expect(other.json().error_description).toContain(`client_id=${agent.client_id} `)
    await rig.advance(3_600_000)
    expectRefusal(await exchange(rig, good), 400, 'invalid_grant')
  })

  it('accepts no assertion while the revocations are not known', async () => {
    const rig = await setup()
    const { identity_assertion: assertion, claim_token } = await registerAnonymously(rig)
    rig.setAway(true)
    rig.backend.clock.advance(6_000)
    const answer = await exchange(rig, assertion)
    expectRefusal(answer, 503, 'temporarily_unavailable')
    expect(answer.headers['retry-after']).toBe('1')
    const claim = await rig.postJson('/agent/identity/claim', { claim_token })
    expectRefusal(claim, 503, 'temporarily_unavailable')
    expect((await rig.postJson('/agent/identity', { type: 'anonymous' })).status).toBe(200)
  })
})
