// Tests of what the MCP server refuses in a message: its form, its method and tool arguments.
import { describe, expect, it } from 'vitest'
import { OPEN_VOTE, seedStory } from '../support/api/api-story.ts'
import { createMcpRig } from '../support/api/mcp-rig.ts'
import { useTestStore } from '../support/store/test-store.ts'

const testStore = useTestStore(seedStory)

const BASE = 'https://gov.example.org'
const setup = (changes: Parameters<typeof createMcpRig>[1] = {}) =>
  createMcpRig(testStore.store, { baseUrl: BASE, ...changes })

const OPEN = { proposalId: `${OPEN_VOTE}` }

describe('the MCP server', () => {
  const readError = async (post: Awaited<ReturnType<typeof setup>>['post'], payload: string) => {
    const answer = await post(payload)
    return [answer.status, answer.json().error?.code]
  }

  it('refuses input that is not JSON, not a message, or too large', async () => {
    const { post } = await setup()
    for (const text of ['', '{', 'null x', '{"a":1,}', '\u0000', "{'a':1}"]) {
      expect(await readError(post, text)).toEqual([400, -32700])
    }
    const messages = [
      null,
      1,
      'ping',
      {},
      { method: 'ping', id: 1 },
      { jsonrpc: '1.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', id: null, method: 'ping' },
      { jsonrpc: '2.0', id: {}, method: 'ping' },
      { jsonrpc: '2.0', id: 1.5, method: 'ping' },
      { jsonrpc: '2.0', id: 1, method: 7 },
      { jsonrpc: '2.0', id: 1, method: 'ping', params: ['x'] },
      [],
    ]
    for (const message of messages) {
      expect(await readError(post, JSON.stringify(message))).toEqual([400, -32600])
    }
    expect(await readError(post, `"${'x'.repeat(64 * 1024)}"`)).toEqual([413, -32000])
  })

  it('refuses a message or arguments with a member twice', async () => {
    const { post } = await setup()
    const start = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_proposals"'
    for (const end of [
      ',"arguments":{"page":1,"page":1}}}',
      ',"name":"get_proposal"}}',
      '},"method":"ping"}',
    ]) {
      const answer = await post(start + end)
      expect([answer.status, answer.json().error]).toEqual([
        400,
        { code: -32600, message: 'The body has an object with a member more than once.' },
      ])
    }
  })

  it('is not affected by deep nesting, NUL bytes and prototype names', async () => {
    const { post, rpc } = await setup()
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
    for (const bad of ['{"constructor":1}', '{"\\u0000":1}']) {
      const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_proposals","arguments":${bad}}}`
      const answer = await post(call)
      expect([answer.status, answer.json().result?.isError]).toEqual([200, true])
    }
    expect(await readError(post, nested(20_000))).toEqual([400, -32600])
    for (const name of ['__proto__', 'constructor', 'toString', 'list_proposals\u0000']) {
      expect((await rpc('tools/call', { name })).error.code).toBe(-32602)
      expect((await rpc(name)).error.code).toBe(-32601)
    }
    expect(({} as { page?: number }).page).toBeUndefined()
  })

  it('accepts batches only for the one revision that has them, and limits them', async () => {
    const { post } = await setup()
    const batch = (count: number) =>
      JSON.stringify(
        Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list' })),
      )
    expect((await post(batch(20))).json()).toHaveLength(20)
    expect((await post(batch(21))).status).toBe(400)
    for (const version of ['2025-06-18', '2025-11-25']) {
      const answer = await post(batch(2), { headers: { 'mcp-protocol-version': version } })
      expect([answer.status, answer.json().error.code]).toEqual([400, -32600])
    }
  })

  it('returns 202 without a body for notifications and responses', async () => {
    const { post } = await setup()
    for (const message of [{ method: 'notifications/initialized' }, { id: 1, result: {} }]) {
      const answer = await post(JSON.stringify({ jsonrpc: '2.0', ...message }))
      expect([answer.status, answer.text]).toEqual([202, ''])
    }
  })

  it('distinguishes unknown methods, tools, prompts, resources and cursors', async () => {
    const { rpc } = await setup()
    const readErrorCode = async (method: string, params?: unknown) =>
      (await rpc(method, params)).error?.code
    for (const method of ['nothing', 'logging/setLevel', 'resources/subscribe', 'tasks/list']) {
      expect(await readErrorCode(method)).toBe(-32601)
    }
    for (const name of ['vote', 7, undefined])
      expect(await readErrorCode('tools/call', { name })).toBe(-32602)
    expect((await rpc('tools/call', { name: 'vote' })).error.message).toContain('list_pool_votes')
    expect(await readErrorCode('resources/list', { cursor: 'abc' })).toBe(-32602)
    for (const list of ['tools', 'prompts', 'resources', 'resources/templates']) {
      expect(await readErrorCode(`${list}/list`, { cursor: 7 })).toBe(-32602)
    }
    for (const uri of [
      'proposals://46',
      'proposals://46/votes',
      'file:///etc/passwd',
      'proposals:/45',
    ]) {
      const { error } = await rpc('resources/read', { uri })
      expect([error.code, error.data.uri]).toEqual([-32002, uri])
    }
    for (const query of ['page=x', 'page=1&page=2', 'cursor=abc', 'page=-1']) {
      expect(await readErrorCode('resources/read', { uri: `proposals://45/votes?${query}` })).toBe(
        -32602,
      )
    }
    expect(await readErrorCode('resources/read', { uri: 'proposals://x' })).toBe(-32602)
    expect(await readErrorCode('resources/read', {})).toBe(-32602)
    const prompts = [{ name: 'x' }, { name: 'explain_proposal' }]
    const wrong = [{ proposalId: 'x' }, { proposalId: 7 }, { proposalId: '1', more: '1' }, 'x']
    for (const params of [
      ...prompts,
      ...wrong.map((each) => ({ name: 'explain_proposal', arguments: each })),
    ]) {
      expect(await readErrorCode('prompts/get', params)).toBe(-32602)
    }
    expect(await readErrorCode('initialize', {})).toBe(-32602)
  })
})

describe('the error result of an MCP tool', () => {
  it('describes what is wrong with arguments that the read API refuses', {
    tags: 'api:mcp-shows-the-way',
  }, async () => {
    const { call } = await setup()
    const readErrorText = async (name: string, args: unknown) => {
      const { isError, content, structuredContent } = await call(name, args)
      expect([isError, structuredContent]).toEqual([true, undefined])
      return content[0].text as string
    }
    const both = await readErrorText('list_proposals', { page: '1.0', size: 5 })
    expect(both).toContain('page must be an integer from 0 to 2147483647; pages')
    expect(both).toContain(
      'size is not an argument of list_proposals; its arguments are page, cursor',
    )
    for (const args of [{ q: 1.5 }, { proposer: 'A B' }]) {
      expect(await readErrorText('list_proposals', args)).toContain(
        `${Object.keys(args)[0]} must be`,
      )
    }
    expect(await readErrorText('list_proposals', { cursor: 'abc' })).toContain(
      'of the same list with the same filters',
    )
    expect(
      await readErrorText('list_proposal_votes', { ...OPEN, page: 1, cursor: 'abc' }),
    ).toContain('cannot be combined with page')
    expect(await readErrorText('get_service_status', { a: 1 })).toContain('it has no arguments')
    expect(await readErrorText('list_pool_votes', { operatorAddress: 'x' })).toContain('no pools')
  })

  it('suggests an alternative if the resource does not exist', {
    tags: 'api:mcp-shows-the-way',
  }, async () => {
    const { call } = await setup()
    const text = async (name: string, args: object) => (await call(name, args)).content[0].text
    for (const proposalId of ['46', '0', '9'.repeat(200)]) {
      const errorText = await text('get_proposal', { proposalId })
      expect(errorText).toContain('The newest proposal is 45; list_proposals lists')
    }
    expect(await text('list_proposal_votes', { ...OPEN, round: 2 })).toContain('Omit round')
  })

  it('suggests a retry if the store is down', async () => {
    const { call, store } = await setup()
    store.isAway = true
    const { isError, content } = await call('list_proposal_votes', { ...OPEN, page: 1 })
    expect([isError, content[0].text]).toEqual([
      true,
      expect.stringContaining('repeat it after a second'),
    ])
  })
})
