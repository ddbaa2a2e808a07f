// Tests of what the MCP server refuses before it reads a message: origins, methods, fields, tokens, quotas.
import { describe, expect, it } from 'vitest'
import { seedStory } from '../support/api/api-story.ts'
import { createMcpRig } from '../support/api/mcp-rig.ts'
import { useTestStore } from '../support/store/test-store.ts'

const testStore = useTestStore(seedStory)

const BASE = 'https://gov.example.org'
const setup = (changes: Parameters<typeof createMcpRig>[1] = {}) =>
  createMcpRig(testStore.store, { baseUrl: BASE, ...changes })

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
      expect((await send({ id: 7, method: 'ping', params })).json()).toMatchObject({
        id: 7,
        error: { code: -32600 },
      })
    }
  })

  it('refuses pages of foreign origins, also in preflight requests, and serves its own and configured ones', {
    tags: 'api:mcp-without-sessions',
  }, async () => {
    const { post, ask } = await setup({ mcpAllowedOrigins: ['https://app.example.org'] })
    for (const origin of [
      'https://evil.example',
      'null',
      `${BASE}.evil.example`,
      `${BASE}:444`,
      '',
    ]) {
      const refused = await post(PING, { headers: { origin } })
      expect([refused.status, refused.json().error.code]).toEqual([403, -32000])
      const headers = { origin, 'access-control-request-method': 'POST' }
      const preflight = await ask('/mcp', { method: 'OPTIONS', headers })
      expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([
        403,
        undefined,
      ])
    }
    for (const origin of [BASE, 'https://app.example.org']) {
      const allowed = await post(PING, { headers: { origin } })
      expect([allowed.status, allowed.headers['access-control-allow-origin']]).toEqual([
        200,
        origin,
      ])
      const preflight = await ask('/mcp', { method: 'OPTIONS', headers: { origin } })
      expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([
        204,
        origin,
      ])
      expect(preflight.headers['access-control-allow-headers']).toContain('MCP-Protocol-Version')
    }
    expect((await post(PING)).headers['access-control-allow-origin']).toBeUndefined()
  })

  it('lets the preflight of the documents allow what a client in a browser sends to them', async () => {
    const { ask } = await setup()
    for (const path of [
      '/.well-known/mcp/server-card.json',
      '/.well-known/ai-catalog.json',
      '/mcp/server-card',
    ]) {
      const { headers } = await ask(path, { method: 'OPTIONS', headers: { origin: BASE } })
      expect(headers['access-control-allow-headers']).toContain('MCP-Protocol-Version')
    }
  })

  it('accepts only IP addresses and localhost as its own origin without a base URL', async () => {
    const { post } = await setup({ baseUrl: undefined })
    const readStatus = async (origin: string, host: string) =>
      (await post(PING, { headers: { origin, host } })).status
    expect(await readStatus('http://127.0.0.1:8080', '127.0.0.1:8080')).toBe(200)
    expect(await readStatus('http://localhost:8080', 'localhost:8080')).toBe(200)
    expect(await readStatus('http://[::1]:8080', '[::1]:8080')).toBe(200)
    expect(await readStatus('http://evil.example:8080', 'evil.example:8080')).toBe(403)
    expect(await readStatus('http://evil.example:8080', '127.0.0.1:8080')).toBe(403)
    expect(await readStatus('http://localhost:3000', 'localhost:8080')).toBe(403)
  })

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

  it('shows a browser what it is and how to connect, still with 405', async () => {
    const { ask } = await setup()
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
    const page = await ask('/mcp', { headers: { accept } })
    expect([page.status, page.headers['allow']]).toEqual([405, 'POST, OPTIONS'])
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.text).toContain('mcpServers')
    expect(page.text).toContain('list_proposals')
    for (const other of ['application/json', '*/*', `text/event-stream, ${accept}`]) {
      const answer = await ask('/mcp', { headers: { accept: other } })
      expect([other, answer.status, answer.json().error.message]).toEqual([
        other,
        405,
        expect.stringContaining('with POST'),
      ])
    }
  })

  it('reads Accept as HTTP defines it, and answers with a slash at the end of the path', async () => {
    const { post, ask } = await setup()
    for (const accept of [
      'application/json',
      '*/*',
      '*/*;q=0.1',
      'application/*, text/*',
      'text/event-stream, application/json;q=0.5',
      'text/event-stream, */*;q=0.1',
    ]) {
      expect((await post(PING, { headers: { accept } })).status).toBe(200)
    }
    expect((await post(PING, { without: ['accept'] })).status).toBe(200)
    const slashed = await ask('/mcp/', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      payload: PING,
    })
    expect(slashed.status).toBe(200)
  })

  it('distinguishes wrong header fields by status', async () => {
    const { post } = await setup()
    const readStatus = async (options: Parameters<typeof post>[1]) =>
      (await post(PING, options)).status
    const version = (text: string) => ({ headers: { 'mcp-protocol-version': text } })
    for (const spoken of ['2025-03-26', '2025-06-18', '2025-11-25']) {
      expect(await readStatus(version(spoken))).toBe(200)
    }
    for (const other of ['2024-11-05', '2026-07-28', 'x', '', '2025-11-25, 2025-11-25']) {
      expect(await readStatus(version(other))).toBe(400)
    }
    const refused = (await post(PING, version('1999-01-01'))).json().error
    expect(refused.message).toContain('2025-11-25')
    for (const accept of [
      'text/event-stream',
      'text/html',
      'application/json;q=0, text/event-stream',
      'application/json;q=0, */*',
    ]) {
      expect(await readStatus({ headers: { accept } })).toBe(406)
    }
    for (const type of [
      'text/plain',
      'application/jsonx',
      'application/x-www-form-urlencoded',
      'x',
    ]) {
      expect(await readStatus({ headers: { 'content-type': type } })).toBe(415)
    }
    expect(await readStatus({ without: ['content-type'] })).toBe(415)
    expect(
      await readStatus({ headers: { 'content-type': 'application/json; charset=utf-8' } }),
    ).toBe(200)
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
    expect([first.status, first.headers['ratelimit']]).toEqual([
      200,
      expect.stringContaining(';r=2;'),
    ])
    expect((await post(batch)).status).toBe(429)
    const answer = await post(PING)
    expect([answer.status, answer.json().error.code]).toEqual([429, -32000])
    expect(answer.headers['retry-after']).toMatch(/^\d+$/)
    expect(answer.headers['ratelimit-policy']).toContain('q=5')
  })
})
