// Tests of what claims, revocation and every endpoint refuse: exact error codes, and no event.
import { describe, expect, it } from 'vitest'
import {
  BASE_URL,
  expectNothingWritten,
  expectRefusal,
  registerAnonymously,
  useAuthRigs,
} from '../support/auth/auth-rig.ts'

const setup = useAuthRigs(expectNothingWritten)

const CLAIM = 'urn:workos:agent-auth:grant-type:claim'
const FORM = 'application/x-www-form-urlencoded'

const EVERY_POST = [
  '/agent/identity',
  '/agent/identity/claim',
  '/oauth2/token',
  '/oauth2/revoke',
  '/delegation/attempt',
  '/delegation/text',
  '/delegation/complete',
  '/delegation/deny',
]

describe('claims and revocation', () => {
  it('refuse wrong claim tokens, and hints that are not addresses', async () => {
    const rig = await setup()
    const { claim_token, access_token } = await registerAnonymously(rig)
    const claim = (body: object) => rig.postJson('/agent/identity/claim', body)
    for (const token of ['clm_x', 'x', access_token, `${claim_token}x`, claim_token.slice(0, -9)]) {
      expectRefusal(await claim({ claim_token: token }), 401, 'invalid_claim_token')
    }
    expectRefusal(await claim({}), 400, 'invalid_request')
    expectRefusal(await claim({ claim_token, type: 'identity_assertion' }), 400, 'invalid_request')
    expectRefusal(await claim({ claim_token, client_name: 'a\nb' }), 400, 'invalid_request')
    expectRefusal(await claim({ claim_token, client_name: 'half \ud800' }), 400, 'invalid_request')
    const hints = ['a@b.test', 'osmo1cyyzpxplxdzkeea7kwsydadg87357qnahakaks', 'cosmos1x', 'a:b:c']
    for (const login_hint of hints) {
      const answer = await claim({ claim_token, login_hint })
      expectRefusal(answer, 400, 'invalid_login_hint')
    }
    expectRefusal(await claim({ claim_token, email: 'a@b.test' }), 400, 'invalid_login_hint')
    await rig.advance(86_400_000)
    expectRefusal(await claim({ claim_token }), 410, 'claim_expired')
    const polled = await rig.postForm('/oauth2/token', { grant_type: CLAIM, claim_token })
    expectRefusal(polled, 400, 'expired_token')
  })

  it('report that no wallet is allowed to claim', async () => {
    const rig = await setup({ env: { WALLET_CHAINS: '' } })
    const { claim_token } = await registerAnonymously(rig)
    const answer = await rig.postJson('/agent/identity/claim', { claim_token })
    expectRefusal(answer, 400, 'claim_not_enabled')
  })

  it('refuse polls without a token or with an unknown token', async () => {
    const rig = await setup()
    const poll = (more: object) => rig.postForm('/oauth2/token', { grant_type: CLAIM, ...more })
    expectRefusal(await poll({}), 400, 'invalid_request')
    expectRefusal(await poll({ claim_token: 'clm_x' }), 400, 'expired_token')
    expectRefusal(await poll({ claim_token: 'x' }), 400, 'expired_token')
  })

  it('refuse to revoke an empty token, or for a client with a secret', async () => {
    const rig = await setup()
    const { access_token: token } = await registerAnonymously(rig)
    const revoke = (fields: Record<string, string>) => rig.postForm('/oauth2/revoke', fields)
    expectRefusal(await revoke({}), 400, 'invalid_request')
    expectRefusal(await revoke({ token_type_hint: 'access_token' }), 400, 'invalid_request')
    expectRefusal(await revoke({ token, client_secret: 'x' }), 401, 'invalid_client')
    expectRefusal(await rig.postJson('/oauth2/revoke', { token }), 400, 'invalid_request')
    const inAddress = await rig.postForm(`/oauth2/revoke?token=${token}`, {})
    expectRefusal(inAddress, 400, 'invalid_request')
    expect((await rig.bearer(token)).ok).toBe(true)
  })
})

describe('every endpoint of auth', () => {
  it('refuses a body that is too large with 413, before it is read', async () => {
    const rig = await setup()
    for (const url of EVERY_POST) {
      for (const type of ['application/json', FORM]) {
        const headers = { 'content-type': type }
        const answer = await rig.send('POST', url, { headers, payload: 'x'.repeat(30_000) })
        expectRefusal(answer, 413, 'invalid_request')
      }
    }
  })

  it('refuses a JSON body with a member twice, and names the member', async () => {
    const rig = await setup()
    for (const url of EVERY_POST.filter((each) => !each.startsWith('/oauth2'))) {
      for (const text of [
        '{"type":"x","type":"anonymous"}',
        '{"type":"anonymous","a":{},"type":0}',
      ]) {
        const answer = await rig.postJson(url, text)
        expectRefusal(answer, 400, 'invalid_request')
        expect(answer.json().message).toBe('The body has an object with a member more than once.')
      }
      expectRefusal(await rig.postJson(url, '{"é":1,"é":2}'), 400, 'invalid_request')
    }
  })

  it('refuses parameters in the URL', async () => {
    const rig = await setup()
    for (const url of EVERY_POST) {
      const answer = await rig.postJson(`${url}?access_token=x`, { type: 'anonymous' })
      expectRefusal(answer, 400, 'invalid_request')
    }
  })

  it('refuses other methods with 405 and Allow, without side effects', async () => {
    const rig = await setup()
    for (const url of EVERY_POST) {
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
        const answer = await rig.send(method, url)
        expectRefusal(answer, 405, 'method_not_allowed')
        expect(answer.headers['allow']).toBe('POST, OPTIONS')
      }
    }
  })

  it('uses the configured issuer, whatever the Host header is', async () => {
    const rig = await setup()
    const headers = { host: 'evil.example.org', 'x-forwarded-host': 'evil.example.org' }
    const answer = await rig.send('GET', '/.well-known/oauth-authorization-server', { headers })
    expect(answer.json().issuer).toBe(BASE_URL)
    expect(answer.text).not.toContain('evil')
  })
})
