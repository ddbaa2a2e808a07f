// Clients of every MCP revision against the started product: those of the older SDK, and those of its successor.
import {
  Client as StatelessClient,
  StreamableHTTPClientTransport as StatelessTransport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HANDSHAKE_VERSIONS, MCP_PROTOCOL_VERSIONS } from '../../api/mcp/identity.ts'
import { TOOL_NAMES } from '../../api/mcp/tools.ts'
import { createDemoFolder } from '../support/process/demo-folder.ts'
import { getJson } from '../support/process/rollcall-process.ts'

let folder: Awaited<ReturnType<typeof createDemoFolder>>
let url: string
beforeAll(async () => {
  folder = await createDemoFolder()
  url = await folder.run().untilServing()
})
afterAll(() => folder.clean())

const IDENTITY = { name: 'a-test', version: '1.0.0' }
const [LATEST] = MCP_PROTOCOL_VERSIONS
const [LATEST_WITH_HANDSHAKE] = HANDSHAKE_VERSIONS

type Connected = { client: StatelessClient; revision: string | undefined }

/** The older SDK always requests its latest revision; here its first message requests another one. */
const connectOld = async (revision: string): Promise<Connected> => {
  const client = new Client(IDENTITY)
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url))
  const send = transport.send.bind(transport)
  transport.send = (message, options) => {
    const isFirst = !Array.isArray(message) && 'method' in message
    return isFirst && message.method === 'initialize'
      ? send({ ...message, params: { ...message.params, protocolVersion: revision } }, options)
      : send(message, options)
  }
  // The SDK's own types do not fit each other under exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<typeof client.connect>[0])
  return { client: client as unknown as StatelessClient, revision: transport.protocolVersion }
}

const connectNew = async (mode: VersionNegotiationMode): Promise<Connected> => {
  const client = new StatelessClient(IDENTITY, { versionNegotiation: { mode } })
  await client.connect(new StatelessTransport(new URL('/mcp', url)))
  return { client, revision: client.getNegotiatedProtocolVersion() }
}

const CLIENTS: [string, string, () => Promise<Connected>][] = [
  ...HANDSHAKE_VERSIONS.map((revision): (typeof CLIENTS)[number] => [
    `of the older SDK at ${revision}`,
    revision,
    () => connectOld(revision),
  ]),
  ['without negotiation', LATEST_WITH_HANDSHAKE, () => connectNew('legacy')],
  ['that negotiates', LATEST, () => connectNew('auto')],
  [`pinned to ${LATEST}`, LATEST, () => connectNew({ pin: LATEST })],
]

describe.each(CLIENTS)('an MCP client %s', (_name, expected, connect) => {
  it('negotiates its revision and reads the server identity', async () => {
    const { client, revision } = await connect()
    const { version } = await getJson<{ version: string }>(url, '/api/health')
    expect(revision).toBe(expected)
    expect(client.getServerVersion()).toMatchObject({ name: 'rollcall/proposals', version })
    expect(client.getInstructions()).toContain('list_proposals')
    expect(Object.keys(client.getServerCapabilities() ?? {}).sort()).toEqual([
      'prompts',
      'resources',
      'tools',
    ])
    await client.close()
  })

  it('gets the data of the read API from tools and resources, and can use prompts', async () => {
    const { client } = await connect()
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([...TOOL_NAMES])
    // Closed votes only: an open one may change between two reads.
    const path = '/api/proposals?status=passed,rejected'
    const listed = await fetch(new URL(path, url))
    const page = await listed.text()
    const [{ proposalId }] = JSON.parse(page).items
    const body = await (await fetch(new URL(`/api/proposals/${proposalId}`, url))).text()
    const called = await client.callTool({ name: 'get_proposal', arguments: { proposalId } })
    const { votes, ...proposal } = JSON.parse(body)
    expect(called.structuredContent).toMatchObject({
      ...proposal,
      votes: { items: votes.items.slice(0, 10), page: { totalItems: votes.page.totalItems } },
    })
    expect(called.content).toEqual([
      { type: 'text', text: expect.stringContaining(`Proposal ${proposalId} "`) },
    ])
    const { contents } = await client.readResource({ uri: `proposals://${proposalId}` })
    expect(contents).toMatchObject([{ text: body }])
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toContain(`proposals://${proposalId}`)
    const prompt = { name: 'explain_proposal', arguments: { proposalId } }
    expect(JSON.stringify((await client.getPrompt(prompt)).messages)).toContain('get_proposal')
    await client.close()
  })

  it('gets a result that explains a wrong argument, and an error code for a missing resource', async () => {
    const { client } = await connect()
    const unknown = { name: 'get_proposal', arguments: { proposalId: '999' } }
    const result = await client.callTool(unknown)
    expect([result.isError, JSON.stringify(result.content)]).toEqual([
      true,
      expect.stringContaining('list_proposals'),
    ])
    await expect(client.callTool({ name: 'vote' })).rejects.toMatchObject({ code: -32602 })
    const code = expected === LATEST ? -32602 : -32002
    const missing = client.readResource({ uri: 'proposals://999' })
    await expect(missing).rejects.toMatchObject({ data: { uri: 'proposals://999' } })
    // The newer SDK maps the older code to the newer one.
    const isOld = client.getProtocolEra === undefined
    await expect(client.readResource({ uri: 'proposals://999' })).rejects.toMatchObject({
      code: isOld ? code : -32602,
    })
    await client.close()
  })
})
