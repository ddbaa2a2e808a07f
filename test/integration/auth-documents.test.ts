// Tests of the documents for clients of auth: content, consistency and caching.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AuthRig, BASE_URL, createAuthRig } from '../support/auth/auth-rig.ts'

let rig: AuthRig
beforeAll(async () => {
  rig = await createAuthRig()
})
afterAll(async () => {
  await rig.close()
  rig.backend.remove()
})

const SERVER = '/.well-known/oauth-authorization-server'
const OPENID = '/.well-known/openid-configuration'
const RESOURCE = '/.well-known/oauth-protected-resource'
const JWKS = '/.well-known/jwks.json'
const read = async (path: string) => (await rig.send('GET', path)).json()

describe('the documents of auth', () => {
  it('have one issuer, one scope, and a resource that equals the requested URL', {
    tags: 'auth:metadata-agree',
  }, async () => {
    const server = await read(SERVER)
    expect(server).toMatchObject({
      issuer: BASE_URL,
      token_endpoint: `${BASE_URL}/oauth2/token`,
      revocation_endpoint: `${BASE_URL}/oauth2/revoke`,
      jwks_uri: BASE_URL + JWKS,
      scopes_supported: ['proposals:read'],
      token_endpoint_auth_methods_supported: ['none'],
      grant_types_supported: [
        'urn:ietf:params:oauth:grant-type:jwt-bearer',
        'client_credentials',
        'urn:workos:agent-auth:grant-type:claim',
        'authorization_code',
        'refresh_token',
      ],
    })
    for (const [path, resource] of [
      [RESOURCE, BASE_URL],
      [`${RESOURCE}/mcp`, `${BASE_URL}/mcp`],
    ]) {
      expect(await read(path as string)).toMatchObject({
        resource,
        authorization_servers: [server.issuer],
        scopes_supported: ['proposals:read'],
        bearer_methods_supported: ['header'],
      })
    }
  })

  it('have equal values for OpenID clients, with the required algorithm among the keys', {
    tags: 'auth:metadata-agree',
  }, async () => {
    const [server, openid, jwks] = await Promise.all([SERVER, OPENID, JWKS].map(read))
    expect(openid).toMatchObject(server)
    expect(openid.id_token_signing_alg_values_supported).toEqual(['RS256', 'ES256'])
    expect(jwks.keys.map(({ alg }: { alg: string }) => alg)).toEqual(['ES256', 'RS256'])
  })

  it('use the names of every version of auth.md, with equal values', {
    tags: 'auth:metadata-agree',
  }, async () => {
    const { agent_auth: agentAuth } = await read(SERVER)
    expect(agentAuth.register_uri).toBe(`${BASE_URL}/agent/identity`)
    expect(agentAuth.identity_endpoint).toBe(agentAuth.register_uri)
    expect(agentAuth.claim_endpoint).toBe(agentAuth.claim_uri)
    expect(agentAuth.skill).toBe(`${BASE_URL}/auth.md`)
    expect(agentAuth.identity_types_supported).toEqual(
      expect.arrayContaining(['anonymous', 'identity_assertion', 'verified_email']),
    )
    expect(agentAuth.identity_assertion.assertion_types_supported).toEqual([
      'urn:ietf:params:oauth:token-type:id-jag',
      'verified_email',
    ])
  })

  it('are served before and after the path of a base URL, with the address that clients look for', async () => {
    const issuer = `${BASE_URL}/rollcall/v1`
    const behindPath = await createAuthRig({ backend: rig.backend, baseUrl: issuer })
    try {
      const readAt = async (path: string) => (await behindPath.send('GET', path)).json()
      for (const path of [SERVER, OPENID]) {
        for (const at of [path, `${path}/rollcall/v1`])
          expect(await readAt(at)).toMatchObject({ issuer })
        expect((await behindPath.send('GET', `${path}/rollcall`)).status).toBe(404)
      }
      for (const suffix of ['', '/mcp']) {
        expect(await readAt(`${RESOURCE}/rollcall/v1${suffix}`)).toEqual(
          await readAt(RESOURCE + suffix),
        )
        expect(await readAt(RESOURCE + suffix)).toMatchObject({ resource: issuer + suffix })
      }
    } finally {
      await behindPath.close()
    }
  })

  it('contain no private part of any key', { tags: 'auth:keys-are-private' }, async () => {
    const { keys } = await read(JWKS)
    const members = new Set(keys.flatMap((key: object) => Object.keys(key)))
    expect([...members].sort()).toEqual(['alg', 'crv', 'e', 'kid', 'kty', 'n', 'use', 'x', 'y'])
  })

  it('support preflight requests', async () => {
    for (const [path, allow] of [
      [SERVER, 'GET, HEAD, OPTIONS'],
      ['/oauth2/token', 'POST, OPTIONS'],
    ] as const) {
      const preflight = await rig.send('OPTIONS', path)
      expect([preflight.status, preflight.headers['allow']]).toEqual([204, allow])
      expect(preflight.headers['access-control-allow-methods']).toBe(allow)
      expect(preflight.headers['access-control-allow-headers']).toContain('MCP-Protocol-Version')
    }
  })

  it('have no side effect in a passive scan of the registration endpoints', async () => {
    for (const path of ['/agent/identity', '/agent/identity/claim', '/oauth2/token']) {
      const answer = await rig.send('GET', path)
      expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST, OPTIONS'])
    }
    expect(rig.events()).toEqual([])
  })
})
