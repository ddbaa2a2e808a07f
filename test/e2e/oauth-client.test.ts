// A generic OAuth client library discovers the started product and completes every grant.
import * as oauth from 'oauth4webapi'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type IdentityProvider, startIdentityProvider } from '../support/auth/identity-provider.ts'
import { createDemoFolder } from '../support/process/demo-folder.ts'
import { postJson, until } from '../support/process/rollcall-process.ts'

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag'
const SCOPE = 'proposals:read'
const DEMO = 'rollcall-demo-1'
const INSECURE = { [oauth.allowInsecureRequests]: true }

type Registered = {
  registration_id: string
  client_id: string
  identity_assertion: string
  claim_token: string
  access_token: string
}

const startService = async (idp: IdentityProvider) => {
  const runFolder = await createDemoFolder()
  onTestFinished(runFolder.clean)
  const trust = { TRUSTED_ISSUERS: idp.issuer, ALLOW_LOOPBACK_ISSUERS: 'true' }
  const env = { ...trust, LOG_LEVEL: 'trace' }
  const machine = runFolder.run({ env })
  return { ...runFolder, machine, env, url: await machine.untilServing() }
}

const setup = async () => {
  const idp = await startIdentityProvider(Date.now)
  onTestFinished(idp.close)
  const service = await startService(idp)
  const resource = new URL(service.url)
  const metadata = await oauth.processResourceDiscoveryResponse(
    resource,
    await oauth.resourceDiscoveryRequest(resource, INSECURE),
  )
  const issuer = new URL(metadata.authorization_servers?.[0] ?? '')
  const server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...INSECURE }),
  )
  return { idp, service, server }
}

type Server = oauth.AuthorizationServer

const registerAt = (server: Server, body: object): Promise<Registered> => {
  const { register_uri: url } = server['agent_auth'] as { register_uri: string }
  return postJson<Registered>(url, body)
}

const grant = async (server: Server, clientId: string, type: string, fields: object) => {
  const client = { client_id: clientId }
  const parameters = new URLSearchParams({ ...fields })
  const response = await oauth.genericTokenEndpointRequest(
    ...([server, client, oauth.None(), type, parameters, INSECURE] as const),
  )
  return oauth.processGenericTokenEndpointResponse(server, client, response)
}

const readWith = async (url: string, token: string): Promise<number> => {
  const response = await fetch(new URL('/api/proposals', url), {
    headers: { authorization: `Bearer ${token}` },
  })
  await response.arrayBuffer()
  return response.status
}

describe('an OAuth client', () => {
  it('gets a token by every grant, reads with it, and revokes it also for the next start', async () => {
    const { idp, service, server } = await setup()
    const agent = await registerAt(server, { type: 'anonymous' })
    const byAssertion = await grant(server, agent.registration_id, JWT_BEARER, {
      assertion: agent.identity_assertion,
    })
    const client = { client_id: 'an-agent' }
    const byCredentials = await oauth.processClientCredentialsResponse(
      server,
      client,
      await oauth.clientCredentialsGrantRequest(
        ...([
          server,
          client,
          oauth.None(),
          new URLSearchParams({ scope: SCOPE }),
          INSECURE,
        ] as const),
      ),
    )
    const asserted = await registerAt(server, {
      type: 'identity_assertion',
      assertion_type: ID_JAG,
      assertion: await idp.issue(server.issuer),
    })
    const byIdJag = await grant(server, 'agent-x', JWT_BEARER, {
      assertion: await idp.issue(server.issuer),
    })
    const tokens = [
      agent.access_token,
      asserted.access_token,
      byAssertion.access_token,
      byCredentials.access_token,
      byIdJag.access_token,
    ]
    for (const token of tokens) {
      expect(await readWith(service.url, token)).toBe(200)
      const api = new Request(new URL('/api/health', service.url), {
        headers: { authorization: `Bearer ${token}` },
      })
      const claims = await oauth.validateJwtAccessToken(server, api, server.issuer, INSECURE)
      expect(claims.scope).toBe(SCOPE)
    }
    for (const token of tokens) {
      const revoked = await oauth.revocationRequest(server, client, oauth.None(), token, INSECURE)
      expect(await oauth.processRevocationResponse(revoked)).toBeUndefined()
      expect(await readWith(service.url, token)).toBe(401)
    }
    const output = service.machine.stdout() + service.machine.stderr()
    for (const token of [...tokens, agent.claim_token]) expect(output).not.toContain(token)

    service.machine.signal('SIGINT', { group: true })
    expect((await service.machine.ended).code).toBe(0)
    const env = { ...service.env, PORT: new URL(service.url).port }
    const again = await service.run({ env }).untilServing()
    for (const token of tokens) expect(await readWith(again, token)).toBe(401)
    const renewed = await grant(server, agent.registration_id, JWT_BEARER, {
      assertion: agent.identity_assertion,
    })
    expect(await readWith(again, renewed.access_token)).toBe(200)
  })

  it('works without interruption during a rotation of the signing key', {
    tags: 'auth:key-rotation',
  }, async () => {
    const { service, server } = await setup()
    const command = async (...args: string[]) => {
      const run = service.run({ args: ['keys', ...args] })
      expect((await run.ended).code).toBe(0)
      return run.stdout()
    }
    const readKeyId = ({ access_token: token }: Registered) =>
      JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid as string
    const before = await registerAt(server, { type: 'anonymous' })
    const rotated = await command('rotate', '--in', '0')
    const after = await until('the new key signs', 10_000, async () => {
      const agent = await registerAt(server, { type: 'anonymous' })
      return readKeyId(agent) === readKeyId(before) ? undefined : agent
    })
    expect(rotated).toContain(readKeyId(after))
    for (const agent of [before, after]) {
      expect(await readWith(service.url, agent.access_token)).toBe(200)
    }
    const renewed = await grant(server, before.registration_id, JWT_BEARER, {
      assertion: before.identity_assertion,
    })
    expect(await readWith(service.url, renewed.access_token)).toBe(200)
    const list = await command('list')
    expect(list).toMatch(
      new RegExp(`${readKeyId(before)} +overlap.*\\n.*${readKeyId(after)} +signing`),
    )
  })

  it('works with several auth processes, and a token that one revokes is rejected by the others', {
    tags: 'auth:revocation-is-immediate',
  }, async () => {
    const { service, server } = await setup()
    const env = {
      BASE_URL: service.url,
      DATA_DIR: `${service.folder}/.rollcall`,
      WALLET_CHAINS: `${DEMO}:wasm:secp256k1`,
    }
    const others = [service.run({ args: ['auth'], env }), service.run({ args: ['auth'], env })]
    const urls: string[] = []
    for (const other of others) {
      urls.push(
        await until(
          'it listens',
          30_000,
          () => /"url":"(http:[^"]+)","msg":"started auth"/.exec(other.stdout())?.[1],
        ),
      )
    }
    const agent = await postJson<Registered>(`${urls[0]}/agent/identity`, { type: 'anonymous' })
    expect(await readWith(service.url, agent.access_token)).toBe(200)
    const revoked = await fetch(`${urls[1]}/oauth2/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ token: agent.access_token }),
    })
    expect(revoked.status).toBe(200)
    await until('the reader refuses it', 60_000, async () =>
      (await readWith(service.url, agent.access_token)) === 401 ? true : undefined,
    )
    expect(server.issuer).toBe(service.url)
    for (const other of others) {
      other.signal('SIGTERM')
      expect((await other.ended).code).toBe(0)
    }
  })
})
