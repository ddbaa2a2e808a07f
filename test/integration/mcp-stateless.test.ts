// Tests of MCP revision 2026-07-28 at the same URL as older ones: every request is independent.
import { describe, expect, it } from 'vitest'
import { HANDSHAKE_VERSIONS, MCP_PROTOCOL_VERSIONS } from '../../api/mcp/identity.ts'
import { TOOL_NAMES } from '../../api/mcp/tools.ts'
import { OPEN_VOTE, seedStory } from '../support/api/api-story.ts'
import { createMcpRig, ENVELOPE } from '../support/api/mcp-rig.ts'
import { useTestStore } from '../support/store/test-store.ts'

const testStore = useTestStore(seedStory)

const BASE = 'https://gov.example.org'
const setup = (changes: Parameters<typeof createMcpRig>[1] = {}) =>
  createMcpRig(testStore.store, { baseUrl: BASE, ...changes })

const [LATEST] = MCP_PROTOCOL_VERSIONS
const IDENTITY = 'io.modelcontextprotocol/serverInfo'

describe('MCP revision 2026-07-28', () => {
  it('returns revision, capabilities, instructions and server identity from server/discover', async () => {
    const { postStateless } = await setup()
    const { status, headers, json } = await postStateless('server/discover')
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
    const { result } = json()
    expect(result.supportedVersions).toEqual([LATEST])
    expect(Object.keys(result.capabilities).sort()).toEqual(['prompts', 'resources', 'tools'])
    expect(result.instructions).toContain('list_proposals')
    expect(result._meta[IDENTITY]).toMatchObject({ name: 'org.example.gov/proposals' })
  })

  it('returns the same result as an older revision for every method', async () => {
    const { postStateless, rpc } = await setup()
    const proposalId = `${OPEN_VOTE}`
    const requests: [string, Record<string, unknown>][] = [
      ['tools/list', {}],
      ['tools/call', { name: 'get_proposal', arguments: { proposalId } }],
      ['tools/call', { name: 'list_proposal_votes', arguments: { proposalId, page: 1 } }],
      ['tools/call', { name: 'get_proposal', arguments: { proposalId: '999' } }],
      ['resources/list', {}],
      ['resources/templates/list', {}],
      ['resources/read', { uri: `proposals://${proposalId}/votes?page=2` }],
      ['prompts/list', {}],
      ['prompts/get', { name: 'explain_proposal', arguments: { proposalId } }],
    ]
    for (const [method, params] of requests) {
      const answer = await postStateless(method, params)
      const { resultType, ttlMs, cacheScope, _meta, ...result } = answer.json().result
      expect([answer.status, resultType], method).toEqual([200, 'complete'])
      expect(_meta[IDENTITY].websiteUrl).toBe(BASE)
      expect(JSON.stringify(result)).toBe(JSON.stringify((await rpc(method, params)).result))
    }
    const called = (await postStateless('tools/list')).json().result
    expect(called.tools.map(({ name }: { name: string }) => name)).toEqual([...TOOL_NAMES])
  })

  it('lets clients cache lists that only a release changes, and no chain data', async () => {
    const { postStateless } = await setup()
    const readCacheHints = async (method: string, params = {}) => {
      const { ttlMs, cacheScope } = (await postStateless(method, params)).json().result
      return [ttlMs, cacheScope]
    }
    const lists = ['server/discover', 'tools/list', 'resources/templates/list', 'prompts/list']
    for (const method of lists) expect(await readCacheHints(method)).toEqual([300_000, 'public'])
    expect(await readCacheHints('resources/list')).toEqual([0, 'private'])
    const uri = `proposals://${OPEN_VOTE}`
    expect(await readCacheHints('resources/read', { uri })).toEqual([0, 'private'])
  })

  it('refuses a request whose header fields are missing or contradict its body', async () => {
    const { postStateless, post } = await setup()
    const call = { name: 'list_proposals', arguments: {} }
    const readErrorCode = async (options: Parameters<typeof postStateless>[2]) => {
      const answer = await postStateless('tools/call', call, options)
      return [answer.status, answer.json().error?.code]
    }
    expect(await readErrorCode({})).toEqual([200, undefined])
    for (const without of [['mcp-protocol-version'], ['mcp-method'], ['mcp-name']]) {
      expect(await readErrorCode({ without })).toEqual([400, -32020])
    }
    for (const headers of [
      { 'mcp-protocol-version': '2025-11-25' },
      { 'mcp-method': 'tools/list' },
      { 'mcp-name': 'get_proposal' },
    ]) {
      expect(await readErrorCode({ headers })).toEqual([400, -32020])
    }
    // The header field alone does not select this revision.
    const bare = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    const headers = { 'mcp-protocol-version': LATEST, 'mcp-method': 'tools/list' }
    const refused = await post(bare, { headers })
    expect([refused.status, refused.json().error.code]).toEqual([400, -32602])
  })

  it('names the supported revision to a client that asks for a later one', async () => {
    const { postStateless } = await setup()
    const later = '2099-01-01'
    const _meta = { ...ENVELOPE, 'io.modelcontextprotocol/protocolVersion': later }
    const headers = { 'mcp-protocol-version': later }
    const answer = await postStateless('tools/list', { _meta }, { headers })
    expect([answer.status, answer.json().error]).toMatchObject([
      400,
      { code: -32022, data: { supported: [LATEST], requested: later } },
    ])
  })

  it('answers 404 for a method that the revision does not have', async () => {
    const { postStateless } = await setup()
    for (const method of ['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'x']) {
      const answer = await postStateless(method)
      expect([answer.status, answer.json().error.code], method).toEqual([404, -32601])
    }
  })

  it('reports a missing resource as -32602 with its URI, where older revisions report -32002', async () => {
    const { postStateless, rpc } = await setup()
    for (const uri of ['proposals://46', 'proposals://46/votes', 'file:///etc/passwd']) {
      const { error } = (await postStateless('resources/read', { uri })).json()
      expect([error.code, error.data]).toEqual([-32602, { uri }])
      expect((await rpc('resources/read', { uri })).error.code).toBe(-32002)
    }
    // Clients treat error data with only a `uri` as a missing resource.
    const uri = `proposals://${OPEN_VOTE}/votes?page=x`
    const { error } = (await postStateless('resources/read', { uri })).json()
    expect([error.code, error.data]).toEqual([-32602, { uri, code: 'invalid-parameter' }])
    expect((await rpc('resources/read', { uri })).error.code).toBe(-32602)
  })

  it('refuses batches, and counts each request against the quota', async () => {
    const { postStateless, post } = await setup({ rateLimitPerMinute: 4 })
    const message = { jsonrpc: '2.0', method: 'tools/list', params: { _meta: ENVELOPE } }
    const batch = JSON.stringify([{ ...message, id: 1 }])
    const refused = await post(batch)
    expect([refused.status, refused.json().error.code]).toEqual([400, -32600])
    for (let n = 0; n < 3; n++) expect((await postStateless('tools/list')).status).toBe(200)
    expect((await postStateless('tools/list')).status).toBe(429)
  })

  it('acknowledges a subscription as empty and ends its stream', async () => {
    const { postStateless } = await setup()
    const requested = { notifications: { toolsListChanged: true, resourceSubscriptions: ['a:b'] } }
    const answer = await postStateless('subscriptions/listen', requested)
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/event-stream'])
    const messages = [...answer.text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) =>
      JSON.parse(data),
    )
    expect(messages).toMatchObject([
      { method: 'notifications/subscriptions/acknowledged', params: { notifications: {} } },
      { id: 1, result: { resultType: 'complete' } },
    ])
  })

  it('refuses pages of foreign origins, and allows pages of its own origin to send its header fields', async () => {
    const { postStateless, ask } = await setup()
    const foreign = { headers: { origin: 'https://evil.example' } }
    expect((await postStateless('tools/list', {}, foreign)).status).toBe(403)
    const own = await postStateless('tools/list', {}, { headers: { origin: BASE } })
    expect([own.status, own.headers['access-control-allow-origin']]).toEqual([200, BASE])
    const preflight = await ask('/mcp', { method: 'OPTIONS', headers: { origin: BASE } })
    for (const name of ['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name']) {
      expect(preflight.headers['access-control-allow-headers']).toContain(name)
    }
  })
})

describe('an older MCP revision at the same address', () => {
  it('is agreed in the handshake if a client requests it, else the latest is offered', async () => {
    const { rpc } = await setup()
    const clientInfo = { name: 'a-test', version: '1.0.0' }
    for (const protocolVersion of HANDSHAKE_VERSIONS) {
      const { result } = await rpc('initialize', { protocolVersion, capabilities: {}, clientInfo })
      expect(result.protocolVersion).toBe(protocolVersion)
      expect(result.serverInfo.name).toBe('org.example.gov/proposals')
      expect(result.resultType).toBeUndefined()
    }
    for (const protocolVersion of ['2024-11-05', LATEST, 'x']) {
      const { result } = await rpc('initialize', { protocolVersion, capabilities: {}, clientInfo })
      expect(result.protocolVersion).toBe(HANDSHAKE_VERSIONS[0])
    }
  })

  it('refuses a batch in which two messages have the same id', async () => {
    const { post } = await setup()
    const message = { jsonrpc: '2.0', id: 1, method: 'ping' }
    const answer = await post(JSON.stringify([message, message]))
    expect([answer.status, answer.json().error.code]).toEqual([400, -32600])
    const notified = { jsonrpc: '2.0', method: 'notifications/initialized' }
    const both = await post(JSON.stringify([message, notified, notified]))
    expect([both.status, both.json()]).toMatchObject([200, [{ id: 1 }]])
  })
})
