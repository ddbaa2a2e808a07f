// Tests of registration with the ID-JAG of an identity provider: checks, error codes, and the keys of its issuer.
// Each ID-JAG and each claim is accepted once, by all instances together.
import type { RequestListener } from 'node:http'
import { decodeJwt } from 'jose'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { EventLog } from '../../infra/base/log/event-log.ts'
import {
  type AuthBackend,
  type AuthRig,
  BASE_URL,
  createAuthBackend,
  createAuthRig,
  exchange,
  expectRefusal,
  registerAnonymously,
} from '../support/auth/auth-rig.ts'
import { complete, HUB, poll, start, step, textFor } from '../support/auth/claim-steps.ts'
import { type IdentityProvider, startIdentityProvider } from '../support/auth/identity-provider.ts'
import { createTestWallet } from '../support/auth/test-wallet.ts'
import type { Answer } from '../support/http/inject.ts'
import { openMemoryLog } from '../support/log/memory-log.ts'

type Setup = {
  backend: AuthBackend
  idp: IdentityProvider
  rig: AuthRig
  another(log?: EventLog): Promise<AuthRig>
}

/** The auth service with an identity provider that it trusts, until the test ends. */
const setup = async (env: Record<string, string> = {}): Promise<Setup> => {
  const backend = await createAuthBackend()
  onTestFinished(backend.remove)
  const idp = await startIdentityProvider(() => backend.clock.now())
  onTestFinished(idp.close)
  const another = async (log?: EventLog) => {
    const trust = { TRUSTED_ISSUERS: idp.issuer, ALLOW_LOOPBACK_ISSUERS: 'true' }
    const rig = await createAuthRig({ backend, env: { ...trust, ...env }, ...(log ? { log } : {}) })
    onTestFinished(rig.close)
    return rig
  }
  return { backend, idp, rig: await another(), another }
}

const register = (rig: AuthRig, assertion: string): Promise<Answer> =>
  rig.postJson('/agent/identity', {
    type: 'identity_assertion',
    assertion_type: 'urn:ietf:params:oauth:token-type:id-jag',
    assertion,
  })

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

  it('refuses another one with the same ID', { tags: 'auth:one-order' }, async () => {
    const { rig, idp } = await setup()
    const claims = { jti: 'the same' }
    expect((await register(rig, await idp.issue(BASE_URL, { claims }))).status).toBe(200)
    const other = await idp.issue(BASE_URL, { claims: { ...claims, sub: 'another' } })
    expectRefusal(await register(rig, other), 400, 'replay_detected')
    expect(rig.events()).toHaveLength(1)
  })

  it('accepts the URL of the service with a trailing slash, and as a list with one entry', async () => {
    const { rig, idp } = await setup()
    for (const audience of [`${BASE_URL}/`, [BASE_URL]]) {
      expect((await register(rig, await idp.issue(audience))).status).toBe(200)
    }
  })

  const seconds = (rig: AuthRig) => Math.floor(rig.backend.clock.now() / 1_000)
  type Case = readonly [string, string, (rig: AuthRig, idp: IdentityProvider) => Promise<string>]
  const withClaims = (claims: Record<string, unknown>) => (_: AuthRig, idp: IdentityProvider) =>
    idp.issue(BASE_URL, { claims })
  const withHeader = (header: Record<string, unknown>) => (_: AuthRig, idp: IdentityProvider) =>
    idp.issue(BASE_URL, { header })
  const at =
    (make: (now: number) => Record<string, unknown>) => (rig: AuthRig, idp: IdentityProvider) =>
      idp.issue(BASE_URL, { claims: make(seconds(rig)) })
  const CASES: readonly Case[] = [
    ['for another service', 'invalid_audience', (_, idp) => idp.issue('https://x.test')],
    ['for two services', 'invalid_audience', (_, idp) => idp.issue([BASE_URL, 'https://x.test'])],
    ['for an empty audience', 'invalid_audience', (_, idp) => idp.issue([])],
    ['expired', 'expired', at((now) => ({ iat: now - 600, exp: now - 61 }))],
    ['issued in the future', 'invalid_request', at((now) => ({ iat: now + 61 }))],
    ['not valid yet', 'invalid_request', at((now) => ({ nbf: now + 120 }))],
    ['valid for a day', 'invalid_request', at((now) => ({ exp: now + 86_400 }))],
    ['without an expiry', 'invalid_request', withClaims({ exp: undefined })],
    ['without an ID of its own', 'invalid_request', withClaims({ jti: undefined })],
    ['without a subject', 'invalid_request', withClaims({ sub: undefined })],
    ['without a client', 'invalid_client_id', withClaims({ client_id: undefined })],
    ['bound to a key', 'invalid_request', withClaims({ cnf: { jkt: 'x' } })],
    ['without a verified email', 'missing_verified_email', withClaims({ email_verified: 'true' })],
    ['for another scope', 'invalid_scope', withClaims({ scope: 'openid email' })],
    ['for another resource', 'invalid_target', withClaims({ resource: 'https://x.test' })],
    ['that is no JWT', 'invalid_request', async () => 'not a jwt'],
    ['of an untrusted issuer', 'issuer_not_enabled', withClaims({ iss: 'https://x.test' })],
    ['without an issuer', 'invalid_issuer', withClaims({ iss: undefined })],
    ['issued by Rollcall itself', 'invalid_issuer', withClaims({ iss: BASE_URL })],
    ['of another type', 'invalid_request', withHeader({ typ: 'JWT' })],
    ['without a type', 'invalid_request', withHeader({ typ: undefined })],
    [
      'signed with a foreign key',
      'invalid_signature',
      (_, idp) => idp.issue(BASE_URL, { wrongKey: true }),
    ],
    ['signed with an unpublished key', 'invalid_signature', withHeader({ kid: 'unknown' })],
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
    ['with an unknown critical header', 'invalid_request', withHeader({ crit: ['x'], x: 1 })],
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
type Prepare = (rig: AuthRig, idp: IdentityProvider) => Promise<(at: AuthRig) => Promise<Answer>>

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
    for (const at of [rig, await another()]) expectRefusal(await act(at), status, code)
  },
)

describe('the keys of an issuer', () => {
  it('are fetched once, and again for a new key, but not for every unknown one', async () => {
    const { rig, idp } = await setup()
    for (let count = 0; count < 5; count++) await register(rig, await idp.issue(BASE_URL))
    expect(idp.countKeyRequests()).toBe(1)
    await idp.rotate()
    expectRefusal(await register(rig, await idp.issue(BASE_URL)), 400, 'invalid_signature')
    expect(idp.countKeyRequests()).toBe(1)
    await rig.advance(31_000)
    expect((await register(rig, await idp.issue(BASE_URL))).status).toBe(200)
    expect(idp.countKeyRequests()).toBe(2)
    for (let count = 0; count < 20; count++) {
      const unknown = await idp.issue(BASE_URL, { header: { kid: `unknown-${count}` } })
      expectRefusal(await register(rig, unknown), 400, 'invalid_signature')
    }
    expect(idp.countKeyRequests()).toBe(2)
  })

  it('cause 503 with the time of the next request if they cannot be fetched, and stay valid for a while after a fetch', async () => {
    const { rig, idp } = await setup()
    idp.answer((_request, response) => response.writeHead(500).end())
    for (const answer of [
      await register(rig, await idp.issue(BASE_URL)),
      await exchange(rig, await idp.issue(BASE_URL)),
    ]) {
      expectRefusal(answer, 503, 'temporarily_unavailable')
      expect(answer.headers['retry-after']).toBe('30')
    }
    expect(idp.countKeyRequests()).toBe(1)
    idp.answer(undefined)
    await rig.advance(31_000)
    expect((await register(rig, await idp.issue(BASE_URL))).status).toBe(200)
    idp.answer((_request, response) => response.writeHead(500).end())
    await rig.advance(3_600_000)
    expect((await register(rig, await idp.issue(BASE_URL))).status).toBe(200)
  })

  it('are fetched from the URL that the metadata of the issuer names', async () => {
    const { rig, idp } = await setup()
    const path = '/.well-known/oauth-authorization-server'
    idp.publish({
      [path]: { issuer: idp.issuer, jwks_uri: `${idp.issuer}/oauth2/v1/keys` },
      '/oauth2/v1/keys': idp.keySet(),
    })
    expect((await register(rig, await idp.issue(BASE_URL))).status).toBe(200)
    expect(idp.countKeyRequests()).toBe(0)
  })

  it('at a wrong URL are a mistake of the operator, not a temporary failure', async () => {
    const { rig, idp, another } = await setup()
    const wrong = await setup({ TRUSTED_ISSUERS: `${idp.issuer}|${idp.issuer}/nothing` })
    const answer = await register(wrong.rig, await idp.issue(BASE_URL))
    expectRefusal(answer, 400, 'issuer_not_enabled')
    expect(answer.json().error_description).toContain('does not find its keys')
    expect(answer.headers['retry-after']).toBeUndefined()
    expectRefusal(await exchange(wrong.rig, await idp.issue(BASE_URL)), 400, 'invalid_grant')
    idp.publish({
      '/.well-known/openid-configuration': { issuer: 'https://x.test', jwks_uri: idp.issuer },
    })
    for (const each of [rig, await another()]) {
      const refused = await register(each, await idp.issue(BASE_URL))
      expectRefusal(refused, 400, 'issuer_not_enabled')
    }
  })

  it('are not fetched through redirects, without a size limit, or from this machine by default', async () => {
    const { rig, idp } = await setup()
    const answers: readonly RequestListener[] = [
      (_, response) => response.writeHead(302, { location: `${idp.issuer}/elsewhere` }).end(),
      (_, response) => response.end(`{"keys":[${' '.repeat(100_000)}]}`),
      (_, response) => response.end('<html>'),
    ]
    for (const each of answers) {
      idp.answer(each)
      const before = idp.countKeyRequests()
      const answer = await register(rig, await idp.issue(BASE_URL))
      expectRefusal(answer, 400, 'issuer_not_enabled')
      expect(idp.countKeyRequests()).toBe(before + 1)
      await rig.advance(31_000)
    }
    idp.answer(undefined)
    const strict = await setup({ ALLOW_LOOPBACK_ISSUERS: 'false' })
    const refused = await register(strict.rig, await strict.idp.issue(BASE_URL))
    expectRefusal(refused, 400, 'issuer_not_enabled')
    expect(strict.idp.countKeyRequests()).toBe(0)
  })
})
