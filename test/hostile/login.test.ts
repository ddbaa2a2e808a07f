// Attacks on the login of programs: on the code, the refresh tokens, the redirect, the button, and the client document.
import { decodeJwt } from 'jose'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  type AuthRig,
  type AuthRigOptions,
  BASE_URL,
  createAuthBackend,
  expectRefusal,
  useAuthRigs,
} from '../support/auth/auth-rig.ts'
import { startIdentityProvider } from '../support/auth/identity-provider.ts'
import { createPkce, logInAt, openPage, pressButton } from '../support/auth/login-browser.ts'

const createRig = useAuthRigs()
const CALLBACK = 'https://host.example/callback'
const MCP = `${BASE_URL}/mcp`

const register = async (rig: AuthRig, ...redirects: string[]): Promise<string> => {
  const body = { redirect_uris: redirects, client_name: 'A host' }
  const answer = await rig.postJson('/oauth2/register', body)
  expect([answer.status, answer.json().redirect_uris]).toEqual([201, redirects])
  return answer.json().client_id
}

const setup = async (options: AuthRigOptions = {}) => {
  const rig = await createRig(options)
  const client_id = await register(rig, CALLBACK)
  const { verifier: code_verifier, challenge } = createPkce()
  const request = {
    response_type: 'code',
    client_id,
    redirect_uri: CALLBACK,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'a state',
    scope: 'proposals:read',
    resource: MCP,
  }
  const authorize = (changes: Record<string, string> = {}) => {
    const given = Object.entries({ ...request, ...changes }).filter(([, value]) => value !== '')
    return `${BASE_URL}/oauth2/authorize?${new URLSearchParams(given)}`
  }
  const getCode = async (changes?: Record<string, string>): Promise<string> => {
    const sent = await logInAt(rig.send, authorize(changes))
    expect([sent.searchParams.get('state'), sent.searchParams.get('iss')]).toEqual([
      'a state',
      BASE_URL,
    ])
    return sent.searchParams.get('code') ?? ''
  }
  const redeem = (code: string, changes: Record<string, string> = {}, at: AuthRig = rig) =>
    at.postForm('/oauth2/token', {
      ...{ grant_type: 'authorization_code', code, code_verifier, client_id },
      ...{ redirect_uri: CALLBACK, resource: MCP, ...changes },
    })
  const refresh = (refresh_token: string, changes: Record<string, string> = {}, at = rig) =>
    at.postForm('/oauth2/token', {
      ...{ grant_type: 'refresh_token', refresh_token, client_id, ...changes },
    })
  const logIn = async () => (await redeem(await getCode())).json()
  const isValid = async (token: string, at = rig) =>
    (await at.auth.verifyBearer(`Bearer ${token}`, 1)).ok
  return { rig, client_id, authorize, getCode, redeem, refresh, logIn, isValid }
}

/** A problem is shown to the person: nobody is sent anywhere. */
const expectPage = async (rig: AuthRig, url: string, status: number, text: RegExp) => {
  const page = await openPage(rig.send, url)
  expect([page.status, page.headers['location'], page.request]).toEqual([status, undefined, ''])
  expect(page.text).toMatch(text)
  return page
}

describe('a code', () => {
  it('gives a token for the one resource, and ends the login if it is used again', {
    tags: 'auth:login-steps-once',
  }, async () => {
    const { rig, getCode, redeem, refresh, isValid, client_id } = await setup()
    const code = await getCode()
    const first = (await redeem(code)).json()
    expect(first).toMatchObject({ token_type: 'Bearer', scope: 'proposals:read' })
    expect(decodeJwt(first.access_token)).toMatchObject({ aud: MCP, client_id })
    expect(await isValid(first.access_token)).toBe(true)
    expect((await rig.bearer(first.access_token)).ok).toBe(false)
    expectRefusal(await redeem(code), 400, 'invalid_grant')
    expect(await isValid(first.access_token)).toBe(false)
    expectRefusal(await refresh(first.refresh_token), 400, 'invalid_grant')
    expect(rig.events()).toHaveLength(2)
    // It has ended: further attempts write nothing.
    expectRefusal(await redeem(code), 400, 'invalid_grant')
    expect(rig.events()).toHaveLength(2)
  })

  it('is used once by two instances at the same time, also after a restart', {
    tags: 'auth:login-steps-once',
  }, async () => {
    const backend = await createAuthBackend()
    const { getCode, redeem } = await setup({ backend })
    const other = await createRig({ backend })
    const code = await getCode()
    const answers = await Promise.all([redeem(code), redeem(code, {}, other)])
    const given = answers.filter(({ status }) => status === 200)
    expect(given.length).toBeLessThanOrEqual(1)
    const restarted = await createRig({ backend })
    expectRefusal(await redeem(code, {}, restarted), 400, 'invalid_grant')
    for (const { json } of given) {
      const token = json().access_token
      await expect
        .poll(async () => (await restarted.auth.verifyBearer(`Bearer ${token}`, 1)).ok)
        .toBe(false)
    }
  })

  it('is of no use without its verifier, client, redirect and resource, and for a minute only', async () => {
    const { rig, getCode, redeem } = await setup()
    const code = await getCode()
    const stranger = await register(rig, CALLBACK)
    const attempts = [
      [{ code_verifier: createPkce().verifier }, 'invalid_grant'],
      [{ code_verifier: '' }, 'invalid_request'],
      [{ client_id: stranger }, 'invalid_grant'],
      [{ client_id: '' }, 'invalid_request'],
      [{ redirect_uri: `${CALLBACK}/` }, 'invalid_grant'],
      [{ resource: BASE_URL }, 'invalid_target'],
      [{ resource: 'https://elsewhere.example' }, 'invalid_target'],
      [{ scope: 'proposals:write' }, 'invalid_scope'],
      [{ code: `${code.slice(0, -2)}xx` }, 'invalid_grant'],
    ] as const
    for (const [changes, error] of attempts) expectRefusal(await redeem(code, changes), 400, error)
    expectRefusal(await redeem(code, { client_id: 'made up' }), 401, 'invalid_client')
    expectRefusal(await redeem(code, { client_secret: 'x' }), 401, 'invalid_client')
    expect(rig.events()).toEqual([])
    await rig.advance(61_000)
    expectRefusal(await redeem(code), 400, 'invalid_grant')
  })

  it('cannot be got with another challenge than S256', async () => {
    const { rig, authorize } = await setup()
    const downgrades = [
      { code_challenge: '' },
      { code_challenge_method: '' },
      { code_challenge_method: 'plain' },
      { code_challenge: 'short' },
    ]
    for (const changes of downgrades)
      await expectPage(rig, authorize(changes), 400, /S256|code_challenge/)
  })

  it('is accepted in place of no other token, and no other token in place of it', {
    tags: 'auth:one-kind-of-token',
  }, async () => {
    const { rig, getCode, redeem, refresh, logIn, authorize, client_id } = await setup()
    const code = await getCode()
    const { request } = await openPage(rig.send, authorize())
    const { refresh_token: refreshToken, access_token: access } = await logIn()
    for (const token of [request, refreshToken, access, client_id]) {
      expectRefusal(await redeem(token), 400, 'invalid_grant')
    }
    for (const token of [request, code, access]) {
      expectRefusal(await refresh(token), 400, 'invalid_grant')
    }
    for (const token of [request, code, refreshToken, client_id]) {
      expect((await rig.bearer(token)).ok).toBe(false)
    }
    expectRefusal(await redeem(code, { client_id: access }), 401, 'invalid_client')
  })
})

describe('a refresh token', () => {
  it('is replaced at each use; a stolen one ends the login for both', {
    tags: 'auth:login-steps-once',
  }, async () => {
    const { logIn, refresh, isValid } = await setup()
    const stolen = await logIn()
    const second = (await refresh(stolen.refresh_token)).json()
    const third = (await refresh(second.refresh_token, { resource: MCP })).json()
    expect(await isValid(third.access_token)).toBe(true)
    expectRefusal(await refresh(stolen.refresh_token), 400, 'invalid_grant')
    expectRefusal(await refresh(third.refresh_token), 400, 'invalid_grant')
    for (const { access_token: token } of [stolen, second, third])
      expect(await isValid(token)).toBe(false)
  })

  it('is bound to its client and resource, and expires', {
    tags: 'auth:lifetimes-are-configurable',
  }, async () => {
    const { rig, logIn, refresh } = await setup({ env: { REFRESH_TOKEN_SECONDS: '3600' } })
    const { refresh_token: token } = await logIn()
    const client_id = await register(rig, CALLBACK)
    expectRefusal(await refresh(token, { client_id }), 400, 'invalid_grant')
    expectRefusal(await refresh(token, { resource: BASE_URL }), 400, 'invalid_target')
    const next = (await refresh(token)).json()
    await rig.advance(3_601_000)
    expectRefusal(await refresh(next.refresh_token), 400, 'invalid_grant')
  })

  it('is still known after a month and a restart, and is revoked with all tokens of its login', async () => {
    const backend = await createAuthBackend()
    const { rig, logIn, refresh } = await setup({ backend })
    const first = await logIn()
    await rig.advance(29 * 86_400_000)
    const again = await createRig({ backend })
    const { refresh_token: token, access_token: access } = (
      await refresh(first.refresh_token, {}, again)
    ).json()
    expect((await again.auth.verifyBearer(`Bearer ${access}`, 1)).ok).toBe(true)
    expect((await again.postForm('/oauth2/revoke', { token })).status).toBe(200)
    expect((await again.auth.verifyBearer(`Bearer ${access}`, 1)).ok).toBe(false)
    expectRefusal(await refresh(token, {}, again), 400, 'invalid_grant')
    const text = JSON.stringify(rig.events())
    for (const secret of [token, access, first.refresh_token]) expect(text).not.toContain(secret)
  })

  it('is refused while the log cannot be written, and its revocation is not forgotten', async () => {
    const { rig, logIn, refresh, isValid } = await setup()
    const { refresh_token: token, access_token: access } = await logIn()
    rig.setFull(true)
    expectRefusal(await refresh(token), 503, 'temporarily_unavailable')
    expectRefusal(await rig.postForm('/oauth2/revoke', { token }), 503, 'temporarily_unavailable')
    expect(await isValid(access)).toBe(false)
    rig.setFull(false)
    expectRefusal(await refresh(token), 400, 'invalid_grant')
  })
})

describe('a redirect', () => {
  it('is one of the client to the character, with free ports on loopback addresses alone', {
    tags: 'auth:own-redirects-only',
  }, async () => {
    const { rig, authorize } = await setup()
    const others = [
      `${CALLBACK}/`,
      `${CALLBACK}?next=https://evil.example`,
      'https://host.example:8443/callback',
      'https://host.example@evil.example/callback',
      'https://host.example.evil.example/callback',
      'https://host.example/x/../callback',
      'javascript:alert(1)//https://host.example/callback',
      'http://host.example/callback',
    ]
    for (const redirect_uri of others) {
      const page = await expectPage(rig, authorize({ redirect_uri }), 400, /not one of this client/)
      expect(page.text).not.toContain('evil.example')
    }
    const client_id = await register(
      rig,
      'http://127.0.0.1/callback',
      'http://[::1]:7/callback',
      'cursor://a/b',
    )
    for (const redirect_uri of [
      'http://127.0.0.1:61234/callback',
      'http://[::1]:9/callback',
      'cursor://a/b',
    ]) {
      const back = await logInAt(rig.send, authorize({ client_id, redirect_uri }))
      expect(back.href.startsWith(`${redirect_uri}?code=`)).toBe(true)
    }
    for (const redirect_uri of [
      'http://localhost:61234/callback',
      'http://127.0.0.1:1@evil.example/callback',
      'http://127.0.0.1:1/x/../callback',
      'cursor://a/b/',
    ]) {
      await expectPage(rig, authorize({ client_id, redirect_uri }), 400, /not one of this client/)
    }
  })

  it('of a scheme or a form that a browser would not leave to the client is not registered', async () => {
    const { rig } = await setup()
    for (const uri of [
      'javascript:alert(1)',
      'http://host.example/callback',
      'https://user@host.example/',
      'https://host.example/#a',
      'https://host.example/\\evil.example',
      'callback',
    ]) {
      const answer = await rig.postJson('/oauth2/register', { redirect_uris: [uri] })
      expectRefusal(answer, 400, 'invalid_redirect_uri')
    }
    const long = Array.from(
      { length: 10 },
      (_, at) => `https://host.example/${at}${'x'.repeat(300)}`,
    )
    const answer = await rig.postJson('/oauth2/register', { redirect_uris: long })
    expectRefusal(answer, 400, 'invalid_client_metadata')
  })

  it('is not followed without a click, also if the request is wrong', async () => {
    const { rig, authorize } = await setup()
    for (const [changes, error] of [
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ scope: 'proposals:write' }, 'invalid_scope'],
      [{ resource: 'https://elsewhere.example' }, 'invalid_target'],
    ] as const) {
      const { text } = await expectPage(rig, authorize(changes), 400, /cannot continue/)
      const [, link = ''] = /href="(https:\/\/host[^"]*)"/.exec(text) ?? []
      const told = new URL(link.replaceAll('&amp;', '&')).searchParams
      expect([told.get('error'), told.get('state'), told.get('iss')]).toEqual([
        error,
        'a state',
        BASE_URL,
      ])
    }
    await expectPage(rig, `${authorize()}&state=other`, 400, /more than once/)
    await expectPage(rig, authorize({ client_id: '' }), 400, /client_id is missing/)
    await expectPage(rig, authorize({ redirect_uri: '' }), 400, /redirect_uri is missing/)
  })
})

describe('the page', () => {
  it('says who gets what, and cannot be framed, scripted, cached or pressed by another page', {
    tags: 'auth:login-needs-a-person',
  }, async () => {
    const { rig, authorize } = await setup()
    const name = '</h1><script>alert(1)</script>'
    const client_id = (
      await rig.postJson('/oauth2/register', { redirect_uris: [CALLBACK], client_name: name })
    ).json().client_id
    const url = authorize({ client_id })
    const page = await openPage(rig.send, url)
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    const policy = page.headers['content-security-policy'] ?? ''
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("form-action 'self' https: https:;")
    expect(policy).not.toContain('script-src')
    expect([page.headers['x-frame-options'], page.headers['cache-control']]).toEqual([
      'DENY',
      'no-store',
    ])
    expect(page.text).not.toMatch(/<script| on\w+=/)
    expect(page.text.match(/<button/g)).toHaveLength(1)
    for (const shown of ['host.example', 'not verified', '&lt;script>', MCP])
      expect(page.text).toContain(shown)
    expect(page.headers['set-cookie']).toMatch(
      /^rollcall-login=[\w-]{22}; Path=\/oauth2\/authorize; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
    )
    const victim = await openPage(rig.send, url)
    const forged = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { cookie: '' },
      { cookie: victim.cookie },
      { request: '' },
      { request: 'made up' },
    ]
    for (const press of forged) {
      const { status, headers } = await pressButton(rig.send, url, page, press)
      expect([status >= 400, headers['location']]).toEqual([true, undefined])
    }
    expect((await pressButton(rig.send, url, page)).status).toBe(303)
    await rig.advance(601_000)
    expect((await pressButton(rig.send, url, page)).status).toBe(400)
  })

  it('warns of programs on the computer, and is limited per address', async () => {
    const { rig, authorize } = await setup({ env: { REGISTRATIONS_PER_MINUTE: '4' } })
    const redirect_uri = 'http://localhost:5/c'
    const client_id = await register(rig, redirect_uri)
    const page = await openPage(rig.send, authorize({ client_id, redirect_uri }))
    expect(page.text).toContain('any program here could be listening')
    expect(page.headers['content-security-policy']).toContain("form-action 'self' https: http:;")
    await openPage(rig.send, authorize())
    const refused = await expectPage(rig, authorize(), 429, /Too many requests/)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  })
})

describe('a client document', () => {
  const withDocuments = async () => {
    const host = await startIdentityProvider(Date.now)
    onTestFinished(host.close)
    const made = await setup({ env: { ALLOW_LOOPBACK_ISSUERS: 'true' } })
    const client_id = `${host.issuer}/client.json`
    const document = { client_id, client_name: 'A host', redirect_uris: [CALLBACK] }
    return { ...made, host, client_id, document }
  }

  it('makes its URL a client, with its host on the page', async () => {
    const { host, client_id, document, rig, authorize, redeem, getCode } = await withDocuments()
    host.publish({ '/client.json': document })
    const page = await openPage(rig.send, authorize({ client_id }))
    expect(page.text).toContain(new URL(host.issuer).host)
    const code = await getCode({ client_id })
    const { access_token: token } = (await redeem(code, { client_id })).json()
    expect(decodeJwt(token)['client_id']).toBe(client_id)
    // It is cached for minutes.
    host.publish({})
    expect((await openPage(rig.send, authorize({ client_id }))).status).toBe(200)
    await rig.advance(301_000)
    await expectPage(rig, authorize({ client_id }), 400, /cannot be read/)
  })

  it('is refused if it is not its own, has a secret, is too large, or has another redirect', {
    tags: 'auth:own-redirects-only',
  }, async () => {
    const { host, client_id, document, rig, authorize } = await withDocuments()
    for (const [wrong, reason] of [
      [{ ...document, client_id: `${client_id}?x` }, /another client_id/],
      [{ ...document, redirect_uris: [] }, /no redirect_uris/],
      [{ ...document, token_endpoint_auth_method: 'client_secret_basic' }, /secret/],
      [{ ...document, padding: 'x'.repeat(11_000) }, /cannot be read/],
    ] as const) {
      host.publish({ '/client.json': wrong })
      await expectPage(rig, authorize({ client_id }), 400, reason)
    }
    const evil = 'http://127.0.0.1.evil.example/callback'
    const redirect_uris = ['https://host.example/other', evil]
    host.publish({ '/client.json': { ...document, redirect_uris } })
    for (const redirect_uri of [CALLBACK, evil])
      await expectPage(rig, authorize({ client_id, redirect_uri }), 400, /not one of this client/)
  })

  it('is fetched from public addresses alone, by its one spelling, without redirects', async () => {
    const { rig, authorize } = await setup()
    for (const client_id of [
      'https://127.0.0.1/client.json',
      'http://127.0.0.1:1/client.json',
      'https://169.254.169.254/latest/meta-data',
      'https://[::ffff:10.0.0.1]/client.json',
      'https://localhost/client.json',
      'http://host.example/client.json',
    ]) {
      await expectPage(rig, authorize({ client_id }), 400, /cannot be read|normalized/)
    }
    for (const client_id of [
      'https://host.example/',
      'https://host.example/a/../client.json',
      'https://host.example:443/client.json',
      'https://host.example/client.json#a',
      'https://user@host.example/client.json',
    ]) {
      await expectPage(rig, authorize({ client_id }), 400, /normalized/)
    }
  })
})

describe('a registration', () => {
  it('stores nothing, is accepted by every instance, and not under keys of others', {
    tags: 'auth:registration-writes-nothing',
  }, async () => {
    const backend = await createAuthBackend()
    const { rig, client_id, authorize } = await setup({ backend })
    expect(rig.events()).toEqual([])
    const other = await createRig({ backend })
    expect((await openPage(other.send, authorize())).status).toBe(200)
    const stranger = await createRig({ backend: await createAuthBackend({ ownKeys: true }) })
    await expectPage(stranger, authorize({ client_id }), 400, /not registered here/)
  })
})
