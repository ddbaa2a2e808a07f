// Kinds of hosts, by clients of other projects, go from the URL of the started product to how a validator voted.
import {
  auth,
  type OAuthClientProvider,
  Client as StatelessClient,
  StreamableHTTPClientTransport as StatelessTransport,
} from '@modelcontextprotocol/client'
import { auth as authOfOlder } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type IdentityProvider, startIdentityProvider } from '../support/auth/identity-provider.ts'
import { fetchPages, logInAt } from '../support/auth/login-browser.ts'
import { createDemoFolder } from '../support/process/demo-folder.ts'
import { getJson } from '../support/process/rollcall-process.ts'

type Vote = {
  pool: { operatorAddress: string; moniker: string }
  vote: { options: { option: string; weight: string }[] } | null
}
type Asked = { proposalId: string; moniker: string; option: string }

let folder: Awaited<ReturnType<typeof createDemoFolder>>
let url: string
let host: IdentityProvider
let asked: Asked
beforeAll(async () => {
  host = await startIdentityProvider(Date.now)
  folder = await createDemoFolder()
  url = await folder.run({ env: { ALLOW_LOOPBACK_ISSUERS: 'true' } }).untilServing()
  const closed = '/api/proposals?status=passed,rejected'
  const { items } = await getJson<{ items: { proposalId: string }[] }>(url, closed)
  const proposalId = items[0]?.proposalId ?? ''
  const votes = await getJson<{ items: Vote[] }>(url, `/api/proposals/${proposalId}/votes`)
  const isPlain = ({ vote }: Vote) => vote?.options.length === 1
  const found = votes.items.find(isPlain)
  const option = found?.vote?.options[0]?.option ?? ''
  asked = { proposalId, moniker: found?.pool.moniker ?? '', option }
})
afterAll(async () => {
  await folder.clean()
  await host.close()
})

const CALLBACK = 'http://127.0.0.1/callback'
const IDENTITY = { name: 'a-host', version: '1.0.0' }

/** What a host keeps of a login. `clientId`: of a client document; without it the SDK registers. */
const createProvider = (clientId?: string) => {
  const kept: Record<string, unknown> = clientId ? { client: { client_id: clientId } } : {}
  return {
    kept,
    redirectUrl: 'http://127.0.0.1:54321/callback',
    clientMetadata: { client_name: 'A host', redirect_uris: ['http://127.0.0.1:54321/callback'] },
    state: () => 'a state',
    clientInformation: () => kept['client'],
    saveClientInformation: (client: unknown) => {
      kept['client'] = client
    },
    tokens: () => kept['tokens'],
    saveTokens: (tokens: unknown) => {
      kept['tokens'] = tokens
    },
    saveCodeVerifier: (verifier: string) => {
      kept['verifier'] = verifier
    },
    codeVerifier: () => kept['verifier'],
    redirectToAuthorization: (to: URL) => {
      kept['to'] = to.href
    },
  }
}
type Provider = ReturnType<typeof createProvider>

/** The login of an SDK, and a refresh. */
const logIn = async (run: typeof auth, provider: Provider) => {
  const options = { serverUrl: `${url}/mcp` }
  const own = provider as unknown as OAuthClientProvider
  expect(await run(own, options)).toBe('REDIRECT')
  const sent = (await logInAt(fetchPages, `${provider.kept['to']}`)).searchParams
  expect(sent.get('state')).toBe('a state')
  const answer = { authorizationCode: sent.get('code') ?? '', iss: sent.get('iss') ?? '' }
  expect(await run(own, { ...options, ...answer })).toBe('AUTHORIZED')
  const first = provider.kept['tokens']
  expect(await run(own, options)).toBe('AUTHORIZED')
  expect(provider.kept['tokens']).not.toEqual(first)
}

const connectOlder = async (provider?: Provider, revision?: string) => {
  const client = new Client(IDENTITY)
  const options = provider ? { authProvider: provider } : {}
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), options as object)
  const send = transport.send.bind(transport)
  transport.send = (message, more) =>
    revision && 'method' in message && message.method === 'initialize'
      ? send({ ...message, params: { ...message.params, protocolVersion: revision } }, more)
      : send(message, more)
  await client.connect(transport as Parameters<typeof client.connect>[0])
  if (revision) expect(transport.protocolVersion).toBe(revision)
  return client
}

const connectStateless = async (provider?: Provider) => {
  const mode = { pin: '2026-07-28' } as const
  const client = new StatelessClient(IDENTITY, { versionNegotiation: { mode } })
  const options = provider ? { authProvider: provider as unknown as OAuthClientProvider } : {}
  await client.connect(new StatelessTransport(new URL('/mcp', url), options))
  return client
}

type AnyClient = Pick<Client, 'callTool' | 'close'> | Pick<StatelessClient, 'callTool' | 'close'>

const ask = async <Answer>(client: AnyClient, name: string, args: Record<string, unknown>) => {
  const { structuredContent, isError } = await client.callTool({ name, arguments: args })
  expect(isError).toBeUndefined()
  return structuredContent as Answer
}

const answersByTools = async (client: AnyClient) => {
  type Record_ = { items: { proposalId: string; vote: Vote['vote'] }[] }
  const { items } = await ask<Record_>(client, 'list_pool_votes', {
    operatorAddress: asked.moniker,
  })
  const found = items.find(({ proposalId }) => proposalId === asked.proposalId)
  expect(found?.vote?.options[0]?.option).toBe(asked.option)
  await client.close()
}

describe('a host that logs in first', () => {
  it('with a client document reads after a click', async () => {
    const clientId = `${host.issuer}/client.json`
    const document = { client_id: clientId, client_name: 'A host', redirect_uris: [CALLBACK] }
    host.publish({ '/client.json': document })
    const provider = createProvider(clientId)
    await logIn(auth, provider)
    await answersByTools(await connectStateless(provider))
  })

  it('with a registration reads after a click', async () => {
    const provider = createProvider()
    await logIn(authOfOlder as unknown as typeof auth, provider)
    await answersByTools(await connectOlder(provider))
  })

  it('with a generic OAuth library registers, logs in, refreshes and revokes, and notices a mix-up', async () => {
    const insecure = { [oauth.allowInsecureRequests]: true }
    const issuer = new URL(url)
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }),
    )
    const metadata = { redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' }
    const client = await oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(server, metadata, insecure),
    )
    const verifier = oauth.generateRandomCodeVerifier()
    const asks = new URLSearchParams({
      response_type: 'code',
      client_id: client.client_id,
      redirect_uri: CALLBACK,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state: 'a state',
    })
    const sent = await logInAt(fetchPages, `${server.authorization_endpoint}?${asks}`)
    const other = { ...server, issuer: 'https://elsewhere.example' }
    expect(() => oauth.validateAuthResponse(other, client, sent, 'a state')).toThrow(/iss/)
    const answer = oauth.validateAuthResponse(server, client, sent, 'a state')
    const none = oauth.None()
    const granted = await oauth.processAuthorizationCodeResponse(
      server,
      client,
      await oauth.authorizationCodeGrantRequest(
        ...([server, client, none, answer, CALLBACK, verifier, insecure] as const),
      ),
    )
    const request = new Request(new URL('/api/health', url), {
      headers: { authorization: `Bearer ${granted.access_token}` },
    })
    const claims = await oauth.validateJwtAccessToken(server, request, url, insecure)
    expect(claims.client_id).toBe(client.client_id)
    const refresh = async (token = '') =>
      oauth.processRefreshTokenResponse(
        server,
        client,
        await oauth.refreshTokenGrantRequest(server, client, none, token, insecure),
      )
    const next = await refresh(granted.refresh_token)
    const revoked = await oauth.revocationRequest(
      ...([server, client, none, next.refresh_token ?? '', insecure] as const),
    )
    await oauth.processRevocationResponse(revoked)
    await expect(refresh(next.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' })
    expect((await fetch(request)).status).toBe(401)
  })
})

describe('a host without a login', () => {
  it('reads over streamable HTTP of 2025-06-18', async () => {
    await answersByTools(await connectOlder(undefined, '2025-06-18'))
  })

  it('reads without a session by 2026-07-28', async () => {
    await answersByTools(await connectStateless())
  })
})
