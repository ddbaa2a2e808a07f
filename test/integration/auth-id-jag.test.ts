// Tests of registration with the ID-JAG of an identity provider: checks and error codes.
// Each ID-JAG and each claim is accepted once, by all instances together.
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import type { EventLog } from '../../infra/base/log/event-log.ts'
import {
  type AuthAnswer,
  type AuthRig,
  BASE_URL,
  expectRefusal,
  registerAnonymously,
} from '../support/auth/auth-rig.ts'
import { complete, HUB, poll, start, step, textFor } from '../support/auth/claim-steps.ts'
import { exchange, register, setupIdJag as setup } from '../support/auth/id-jag-rig.ts'
import type { IdentityProvider } from '../support/auth/identity-provider.ts'
import { createTestWallet } from '../support/auth/test-wallet.ts'
import { openMemoryLog } from '../support/log/memory-log.ts'

describe('registration with an ID-JAG', () => {
  it('has the same result as anonymous registration, and one event in the log, without names', async () => {
    const { rig, idp } = await setup()
    const answer = await register(rig, await idp.issue(BASE_URL))
    expect(answer.json()).toMatchObject({
      registration_type: 'identity_assertion',
      identity_assertion: expect.any(String),
      claim_token: expect.stringMatching(/^clm_/),
      scopes: ['proposals:read'],
    })
    expect((await rig.bearer(answer.json().access_token)).ok).toBe(true)
    const [event, ...more] = rig.events()
    expect(more).toEqual([])
    expect(event).toMatchObject({
      type: 'rollcall.agent.registered.v1',
      data: { registrationId: answer.json().registration_id, issuer: idp.issuer },
    })
    expect(JSON.stringify(event)).not.toMatch(/a@b\.test|"u1"|jag-/)
    const own = await exchange(rig, answer.json().identity_assertion)
    expect(decodeJwt(own.json().access_token).sub).toBe(answer.json().registration_id)
  })

  it('accepts the URL of the service with a trailing slash, and as a list with one entry', async () => {
    const { rig, idp } = await setup()
    for (const audience of [`${BASE_URL}/`, [BASE_URL]]) {
      expect((await register(rig, await idp.issue(audience))).status).toBe(200)
    }
  })

  it('accepts each one once: in this instance, in another one and after a restart', {
    tags: 'auth:one-order',
  }, async () => {
    const { rig, idp, another } = await setup()
    const assertion = await idp.issue(BASE_URL)
    expect((await register(rig, assertion)).status).toBe(200)
    expectRefusal(await register(rig, assertion), 400, 'replay_detected')
    expectRefusal(await register(await another(), assertion), 400, 'replay_detected')
    const again = await idp.issue(BASE_URL, { claims: { jti: decodeJwt(assertion).jti, sub: 'x' } })
    expectRefusal(await register(rig, again), 400, 'replay_detected')
    expect(rig.events()).toHaveLength(1)
  })

  const seconds = (rig: AuthRig) => Math.floor(rig.backend.clock.now() / 1_000)
  type Case = readonly [string, string, (rig: AuthRig, idp: IdentityProvider) => Promise<string>]
  const withClaims = (claims: Record<string, unknown>) => (_: AuthRig, idp: IdentityProvider) =>
    idp.issue(BASE_URL, { claims })
  const at =
    (make: (now: number) => Record<string, unknown>) => (rig: AuthRig, idp: IdentityProvider) =>
      idp.issue(BASE_URL, { claims: make(seconds(rig)) })
  const CASES: readonly Case[] = [
    ['for another service', 'invalid_audience', (_, idp) => idp.issue('https://x.test')],
    ['for two services', 'invalid_audience', (_, idp) => idp.issue([BASE_URL, 'https://x.test'])],
    ['without an audience', 'invalid_audience', (_, idp) => idp.issue(undefined)],
    ['for an empty audience', 'invalid_audience', (_, idp) => idp.issue([])],
    ['expired', 'expired', at((now) => ({ iat: now - 600, exp: now - 61 }))],
    ['issued in the future', 'invalid_request', at((now) => ({ iat: now + 61 }))],
    ['not valid yet', 'invalid_request', at((now) => ({ nbf: now + 120 }))],
    ['valid for a day', 'invalid_request', at((now) => ({ exp: now + 86_400 }))],
    ['without an expiry', 'invalid_request', withClaims({ exp: undefined })],
    ['without an ID of its own', 'invalid_request', withClaims({ jti: undefined })],
    ['without a subject', 'invalid_request', withClaims({ sub: undefined })],
    ['with a numeric subject', 'invalid_request', withClaims({ sub: 7 })],
    ['without a client', 'invalid_client_id', withClaims({ client_id: undefined })],
    ['bound to a key', 'invalid_request', withClaims({ cnf: { jkt: 'x' } })],
    ['without a verified email', 'missing_verified_email', withClaims({ email_verified: 'true' })],
    ['for another scope', 'invalid_scope', withClaims({ scope: 'openid email' })],
    ['for another resource', 'invalid_target', withClaims({ resource: 'https://x.test' })],
    ['of an untrusted issuer', 'issuer_not_enabled', withClaims({ iss: 'https://x.test' })],
    ['without an issuer', 'invalid_issuer', withClaims({ iss: undefined })],
    ['issued by Rollcall itself', 'invalid_issuer', withClaims({ iss: BASE_URL })],
    [
      'of another type',
      'invalid_request',
      (_, idp) => idp.issue(BASE_URL, { header: { typ: 'JWT' } }),
    ],
    [
      'without a type',
      'invalid_request',
      (_, idp) => idp.issue(BASE_URL, { header: { typ: undefined } }),
    ],
    [
      'signed with a foreign key',
      'invalid_signature',
      (_, idp) => idp.issue(BASE_URL, { wrongKey: true }),
    ],
    [
      'signed with an unpublished key',
      'invalid_signature',
      (_, idp) => idp.issue(BASE_URL, { header: { kid: 'unknown' } }),
    ],
    [
      'with alg none',
      'invalid_signature',
      async (_, idp) => {
        const [, payload] = (await idp.issue(BASE_URL)).split('.')
        const header = { alg: 'none', typ: 'oauth-id-jag+jwt' }
        return `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${payload}.`
      },
    ],
    ['truncated', 'invalid_signature', async (_, idp) => (await idp.issue(BASE_URL)).slice(0, -10)],
    [
      'with an unknown critical header',
      'invalid_request',
      (_, idp) => idp.issue(BASE_URL, { header: { crit: ['x'], x: 1 } }),
    ],
  ]
  it.each(CASES)(
    'refuses one %s: %s',
    { tags: 'auth:id-jag-is-verified' },
    async (_name, code, make) => {
      const { rig, idp } = await setup()
      const assertion = await make(rig, idp)
      expectRefusal(await register(rig, assertion), 400, code)
      const exchanged = await exchange(rig, assertion)
      const kept = ['invalid_scope', 'invalid_target']
      if (code !== 'missing_verified_email') {
        expectRefusal(exchanged, 400, kept.includes(code) ? code : 'invalid_grant')
      }
      expect(rig.events()).toEqual([])
    },
  )

  it('requires a login if its time is missing, too old or in the future', async () => {
    const { rig, idp } = await setup()
    for (const age of [undefined, 3_661, -61]) {
      const auth_time = age === undefined ? undefined : seconds(rig) - age
      const assertion = await idp.issue(BASE_URL, { claims: { auth_time } })
      const answer = await register(rig, assertion)
      expectRefusal(answer, 401, 'login_required')
      expect(answer.json().max_age).toBe(3_600)
      expect(answer.headers['www-authenticate']).toMatch(
        /^AgentAuth error="login_required", max_age="3600", error_description="/,
      )
      if (age === undefined) continue
      const exchanged = await exchange(rig, assertion)
      expectRefusal(exchanged, 400, 'insufficient_user_authentication')
      expect(exchanged.json().max_age).toBe(3_600)
    }
    expect(rig.events()).toEqual([])
  })

  it('accepts small clock differences', async () => {
    const { rig, idp } = await setup()
    const now = seconds(rig)
    const late = await idp.issue(BASE_URL, { claims: { iat: now - 300, exp: now - 30 } })
    expect((await register(rig, late)).status).toBe(200)
    const early = await idp.issue(BASE_URL, { claims: { iat: now + 30, auth_time: now + 30 } })
    expect((await register(rig, early)).status).toBe(200)
  })
})

describe('an ID-JAG at the token endpoint', () => {
  it('can be exchanged repeatedly for a token of the same subject, without an event', async () => {
    const { rig, idp } = await setup()
    const assertion = await idp.issue(BASE_URL)
    const [one, other] = [await exchange(rig, assertion), await exchange(rig, assertion)]
    const claims = decodeJwt(one.json().access_token)
    expect(claims).toMatchObject({ client_id: 'agent-x', sub: expect.stringMatching(/^idjag:/) })
    expect(decodeJwt(other.json().access_token).sub).toBe(claims.sub)
    expect((await rig.bearer(one.json().access_token)).ok).toBe(true)
    expect(rig.events()).toEqual([])
  })

  it('is restricted to its client and to the resource', async () => {
    const { rig, idp } = await setup()
    const assertion = await idp.issue(BASE_URL, { claims: { resource: `${BASE_URL}/mcp` } })
    expectRefusal(await exchange(rig, assertion, { client_id: 'agent-y' }), 400, 'invalid_grant')
    const answer = await exchange(rig, assertion, { client_id: 'agent-x' })
    expect(decodeJwt(answer.json().access_token).aud).toBe(`${BASE_URL}/mcp`)
  })
})

/** Returns what two instances then do with the same thing. */
type Prepare = (
  rig: AuthRig,
  idp: IdentityProvider,
) => Promise<(at: AuthRig) => Promise<AuthAnswer>>

const startClaim = async (rig: AuthRig) => {
  const agent = await registerAnonymously(rig)
  const { token } = await start(rig, agent)
  return { agent, token, wallet: await createTestWallet(3) }
}

const ONCE: readonly (readonly [string, number, string, Prepare])[] = [
  [
    'registers',
    400,
    'replay_detected',
    async (_, idp) => {
      const assertion = await idp.issue(BASE_URL)
      return (at) => register(at, assertion)
    },
  ],
  [
    'is claimed',
    409,
    'claim_completed',
    async (rig) => {
      const { token, wallet } = await startClaim(rig)
      const signed = await wallet.sign(await textFor(rig, token, wallet))
      const body = { chain_id: HUB, address: wallet.address, ...signed }
      return (at) => step(at, 'complete', token, body)
    },
  ],
  [
    'collects its tokens',
    400,
    'invalid_grant',
    async (rig) => {
      const { agent, token, wallet } = await startClaim(rig)
      await complete(rig, token, wallet)
      return (at) => poll(at, agent)
    },
  ],
]

it.each(ONCE)(
  'an agent %s once: the first record in the log counts, also for an instance that found it new before, or starts later',
  { tags: 'auth:one-order' },
  async (_name, status, code, prepare) => {
    const { backend, idp, rig, another } = await setup()
    const act = await prepare(rig, idp)
    const log = openMemoryLog(backend.log, { shared: true })
    let isHeld = false
    let release: () => void = () => undefined
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const append: EventLog['append'] = async (entries) => {
      isHeld = true
      await released
      return log.append(entries)
    }
    const second = act(await another({ ...log, append }))
    await expect.poll(() => isHeld).toBe(true)
    expect((await act(rig)).status).toBe(200)
    release()
    expectRefusal(await second, status, code)
    expectRefusal(await act(await another()), status, code)
  },
)
