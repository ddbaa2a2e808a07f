// Tests of what the MCP server refuses: origins, methods, fields, tokens and quotas; messages; arguments of tools.
import { describe, expect, it } from 'vitest'
import { OPEN_VOTE, seedStory } from '../support/api/api-story.ts'
import { createMcpRig } from '../support/api/mcp-rig.ts'
import { useTestStore } from '../support/store/test-store.ts'

const testStore = useTestStore(seedStory)

const BASE = 'https://gov.example.org'
const setup = (changes: Parameters<typeof createMcpRig>[1] = {}) =>
  createMcpRig(testStore.store, { baseUrl: BASE, ...changes })

const OPEN = { proposalId: `${OPEN_VOTE}` }
const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })

describe('the HTTP layer of MCP', () => {
  it('reads null and an empty array as absent params, of requests, notifications and batches', {
    tags: 'api:mcp-null-is-absent',
  }, async () => {
    const { post } = await setup()
    const send = (message: object) => post(JSON.stringify({ jsonrpc: '2.0', ...message }))
    for (const method of ['tools/list', 'prompts/list', 'ping']) {
      const plain = (await send({ id: 1, method })).json()
      expect(plain.result).toBeDefined()
      for (const params of [null, [], {}, { _meta: null }, { _meta: { progressToken: 0 } }]) {
        expect((await send({ id: 1, method, params })).json()).toEqual(plain)
      }
    }
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' }
    for (const params of [null, []]) {
      expect((await send({ ...initialized, params })).status).toBe(202)
      const batch = [initialized, JSON.parse(PING)].map((message) => ({ ...message, params }))
      expect((await post(JSON.stringify(batch))).json()).toMatchObject([{ id: 1, result: {} }])
    }
    for (const params of [['x'], 'x', 5]) {
      const refused = (await send({ id: 7, method: 'ping', params })).json()
      expect(refused).toMatchObject({ id: 7, error: { code: -32600 } })
    }
  })

  it('refuses pages of foreign origins, also in preflight requests, and serves its own and configured ones', {
    tags: 'api:mcp-without-sessions',
  }, async () => {
    const { post, ask } = await setup({ mcpAllowedOrigins: ['https://app.example.org'] })
    /** The status of a message and of a preflight request, and the origin that each allows. */
    const readBoth = async (origin: string) => {
      const answers = [
        await post(PING, { headers: { origin } }),
        await ask('/mcp', { method: 'OPTIONS', headers: { origin } }),
      ]
      const allowed = answers.map(({ headers }) => headers['access-control-allow-origin'])
      return [...answers.map(({ status }) => status), ...allowed]
    }
    const foreign = ['https://evil.example', 'null', `${BASE}.evil.example`, `${BASE}:444`, '']
    for (const origin of foreign) {
      expect([origin, await readBoth(origin)]).toEqual([origin, [403, 403, undefined, undefined]])
    }
    for (const origin of [BASE, 'https://app.example.org']) {
      expect(await readBoth(origin)).toEqual([200, 204, origin, origin])
    }
    const { headers } = await ask('/mcp', { method: 'OPTIONS', headers: { origin: BASE } })
    expect(headers['access-control-allow-headers']).toContain('MCP-Protocol-Version')
    expect((await post(PING)).headers['access-control-allow-origin']).toBeUndefined()
  })

  it.each([
    [200, 'http://127.0.0.1:8080', '127.0.0.1:8080'],
    [200, 'http://localhost:8080', 'localhost:8080'],
    [200, 'http://[::1]:8080', '[::1]:8080'],
    [403, 'http://evil.example:8080', 'evil.example:8080'],
    [403, 'http://evil.example:8080', '127.0.0.1:8080'],
    [403, 'http://localhost:3000', 'localhost:8080'],
  ])(
    'without a base URL, answers %i for the origin %s at the host %s',
    async (status, origin, host) => {
      const { post } = await setup({ baseUrl: undefined })
      expect((await post(PING, { headers: { origin, host } })).status).toBe(status)
    },
  )

  it('returns 405 with Allow for all methods except POST', {
    tags: 'api:mcp-without-sessions',
  }, async () => {
    const { ask } = await setup()
    for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND']) {
      const headers = { accept: 'text/event-stream', 'mcp-session-id': 'abc' }
      const answer = await ask('/mcp', { method, headers })
      expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST, OPTIONS'])
    }
  })

  it.each([
    [200, 'accept', ['application/json', '*/*', '*/*;q=0.1', 'application/*, text/*']],
    [200, 'accept', ['text/event-stream, application/json;q=0.5', 'text/event-stream, */*;q=0.1']],
    [406, 'accept', ['text/event-stream', 'text/html', 'application/json;q=0, */*']],
    [200, 'mcp-protocol-version', ['2025-03-26', '2025-06-18', '2025-11-25']],
    [400, 'mcp-protocol-version', ['2024-11-05', '2026-07-28', 'x', '', '2025-11-25, 2025-11-25']],
    [200, 'content-type', ['application/json; charset=utf-8']],
    [415, 'content-type', ['text/plain', 'application/jsonx', 'application/x-www-form-urlencoded']],
  ])('answers %i for the field %s: %j', async (status, name, values) => {
    const { post } = await setup()
    for (const value of values) {
      const answer = await post(PING, { headers: { [name]: value } })
      expect([value, answer.status]).toEqual([value, status])
    }
  })

  it('needs no Accept field, but a media type, and names the revisions that it speaks', async () => {
    const { post, ask } = await setup()
    expect((await post(PING, { without: ['accept'] })).status).toBe(200)
    expect((await post(PING, { without: ['content-type'] })).status).toBe(415)
    const old = await post(PING, { headers: { 'mcp-protocol-version': '1999-01-01' } })
    expect(old.json().error.message).toContain('2025-11-25')
    const headers = { 'content-type': 'application/json' }
    expect((await ask('/mcp/', { method: 'POST', headers, payload: PING })).status).toBe(200)
  })

  it('refuses invalid credentials with a challenge', async () => {
    const { post } = await setup()
    for (const authorization of ['Bearer abc', 'Basic YTpi', '']) {
      const answer = await post(PING, { headers: { authorization } })
      expect([answer.status, answer.json().error.code]).toEqual([401, -32000])
      expect(answer.headers['www-authenticate']).toMatch(
        /^Bearer realm="rollcall", error="invalid_token"/,
      )
    }
  })

  it('counts against the quota of the address, also every message of a batch', async () => {
    const { post } = await setup({ rateLimitPerMinute: 5 })
    const batch = JSON.stringify([1, 2, 3].map((id) => ({ jsonrpc: '2.0', id, method: 'ping' })))
    const first = await post(batch)
    expect(first.headers['ratelimit']).toContain(';r=2;')
    expect((await post(batch)).status).toBe(429)
    const answer = await post(PING)
    expect([answer.status, answer.json().error.code]).toEqual([429, -32000])
    expect(answer.headers['retry-after']).toMatch(/^\d+$/)
    expect(answer.headers['ratelimit-policy']).toContain('q=5')
  })
})

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
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    const changes = [{ jsonrpc: '1.0' }, { id: null }, { id: {} }, { id: 1.5 }, { method: 7 }]
    const messages = [null, 1, 'ping', {}, [], ...changes.map((each) => ({ ...ping, ...each }))]
    for (const message of messages) {
      expect(await readError(post, JSON.stringify(message))).toEqual([400, -32600])
    }
    expect(await readError(post, `"${'x'.repeat(64 * 1024)}"`)).toEqual([413, -32000])
  })

  it.each([',"arguments":{"page":1,"page":1}}}', ',"name":"get_proposal"}}', '},"method":"ping"}'])(
    'refuses a message or arguments with a member twice: %s',
    async (end) => {
      const { post } = await setup()
      const start =
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_proposals"'
      expect(await readError(post, start + end)).toEqual([400, -32600])
    },
  )

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
    // A number that JSON has rounded already.
    expect(await readErrorText('get_proposal', { proposalId: 2 ** 53 })).toContain(
      'proposalId must',
    )
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

  it('suggests a retry if the store is down; the service status is still answered', async () => {
    const { call, store } = await setup()
    store.isAway = true
    const { isError, content } = await call('list_proposal_votes', { ...OPEN, page: 1 })
    expect(isError).toBe(true)
    expect(content[0].text).toContain('repeat it after a second')
    expect((await call('get_service_status')).isError).toBeUndefined()
  })
})
