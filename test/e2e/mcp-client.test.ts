// The client of the older MCP SDK finds out how a pool voted with only the URL of the started product.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TOOL_NAMES } from '../../api/mcp/tools.ts'
import { createDemoFolder } from '../support/process/demo-folder.ts'
import { getJson, until } from '../support/process/rollcall-process.ts'

let folder: Awaited<ReturnType<typeof createDemoFolder>>
let url: string
beforeAll(async () => {
  folder = await createDemoFolder()
  url = await folder.run().untilServing()
})
afterAll(() => folder.clean())

const connect = async (token?: string) => {
  const client = new Client({ name: 'a-test', version: '1.0.0' })
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
  const address = new URL('/mcp', url)
  const transport = new StreamableHTTPClientTransport(address, { requestInit: { headers } })
  // The SDK's own types do not fit each other under exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<typeof client.connect>[0])
  return { client, transport }
}

type Page = { items: Item[]; page: { nextCursor: string | null } }
type Item = {
  proposalId: string
  status: string
  pool: { operatorAddress: string; moniker: string }
}

describe('an MCP client', () => {
  const call = async (client: Client, name: string, args: Record<string, unknown> = {}) => {
    const result = await client.callTool({ name, arguments: args })
    expect(result.isError).toBeUndefined()
    return result.structuredContent as Page
  }

  it('answers a question by tool calls, and every result matches its schema', async () => {
    const { client } = await connect()
    // From now on the client checks each result against the output schema.
    await client.listTools()
    const proposals = await call(client, 'list_proposals', { q: 'quorum' })
    const [{ proposalId } = { proposalId: '' }] = proposals.items
    // The status of an open proposal may change between two requests.
    await until('the proposal to be closed', 60_000, async () => {
      const { status } = await getJson<Item>(url, `/api/proposals/${proposalId}`)
      return !status.endsWith('_period')
    })
    await call(client, 'get_proposal', { proposalId })
    const votes = await call(client, 'list_proposal_votes', { proposalId })
    const voted = votes.items.map(({ pool }) => pool.operatorAddress)
    expect(voted.length).toBeGreaterThan(10)
    for (const { pool } of votes.items.slice(0, 3)) {
      const { messages } = await client.getPrompt({
        name: 'how_did_pool_vote',
        arguments: { pool: pool.moniker, proposalId },
      })
      expect(JSON.stringify(messages)).toContain(pool.moniker)
      const record = await call(client, 'list_pool_votes', {
        operatorAddress: pool.operatorAddress,
      })
      expect(record.items.map((item) => item.proposalId)).toContain(proposalId)
      const read = await getJson<Page>(url, `/api/pools/${pool.operatorAddress}/votes`)
      const ofIt = (item: Item) => item.proposalId === proposalId
      expect(record.items.find(ofIt)).toEqual(read.items.find(ofIt))
    }
    expect(await call(client, 'get_service_status')).toMatchObject({
      chain: { chainId: 'rollcall-demo-1' },
    })
    await client.close()
  })

  it('may use a token for the service or for MCP; an invalid one gets an error that says where to get a token', async () => {
    const token = async (resource: string) => {
      const grant = { grant_type: 'client_credentials', scope: 'proposals:read', resource }
      const body = new URLSearchParams(grant)
      const response = await fetch(new URL('/oauth2/token', url), { method: 'POST', body })
      return ((await response.json()) as { access_token: string }).access_token
    }
    for (const resource of [url, `${url}/mcp`]) {
      const { client } = await connect(await token(resource))
      expect((await client.listTools()).tools).toHaveLength(TOOL_NAMES.length)
      await client.close()
    }
    const forMcp = { authorization: `Bearer ${await token(`${url}/mcp`)}` }
    expect((await fetch(new URL('/api/health', url), { headers: forMcp })).status).toBe(401)
    const refused = await fetch(new URL('/mcp', url), {
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        authorization: 'Bearer nonsense',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    })
    expect(refused.status).toBe(401)
    const metadata = /resource_metadata="([^"]+)"/.exec(
      refused.headers.get('www-authenticate') ?? '',
    )
    expect(metadata?.[1]).toBe(`${url}/.well-known/oauth-protected-resource/mcp`)
    const document = await getJson<{ resource: string }>(metadata?.[1] ?? '', '')
    expect(document.resource).toBe(`${url}/mcp`)
  })
})
