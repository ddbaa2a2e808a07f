// Tests of the MCP methods over failing sources: slow, broken, or with untrusted text.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createMcpMethods, type McpParts } from '../../../../api/mcp/methods.ts'
import type { McpSources } from '../../../../api/mcp/sources.ts'
import { ApiProblem } from '../../../../api/problem.ts'
import type { Pool } from '../../../../api/schemas/pool.ts'

afterEach(() => {
  vi.useRealTimers()
})

const createPool = (operatorAddress: string, moniker: string): Pool => ({
  operatorAddress,
  accountAddress: `account of ${operatorAddress}`,
  moniker,
  status: 'bonded',
  jailed: false,
  counted: true,
  bondedTokens: '1',
  proposalsVoted: 0,
  proposalsMissed: 0,
  powerShare: '0.1',
})

const setup = (read: () => Promise<object>, pools: readonly Pool[] = []) => {
  const counted: string[] = []
  const failures: unknown[] = []
  const parts: McpParts = {
    sources: {
      read,
      pools: async () => pools,
      proposalIds: () => ['10', '9'],
      health: () => ({ catchUp: null, noBlockSince: null }),
    } as unknown as McpSources,
    count: (tool, outcome) => counted.push(`${tool} ${outcome}`),
    onFailure: (error) => failures.push(error),
  }
  const { signal } = new AbortController()
  const methods = createMcpMethods(parts)
  const answer = async (method: string, params: Record<string, unknown>, until: AbortSignal) =>
    methods.get(method)?.(params, until)
  const ask = (method: string, params: Record<string, unknown>) => answer(method, params, signal)
  return { answer, ask, counted, failures }
}

const never = () => new Promise<never>(() => undefined)
const CALL = { name: 'list_proposals' }

describe('the methods', () => {
  it('list tools with the members of the specification only', async () => {
    const { ask } = setup(never)
    const { tools } = (await ask('tools/list', {})) as { tools: object[] }
    const members = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations']
    for (const tool of tools) expect(Object.keys(tool)).toEqual(members)
  })

  it('take null and an empty array or text for an absent cursor and for absent arguments', async () => {
    const { ask } = setup(async () => ({}))
    const tools = await ask('tools/list', {})
    for (const cursor of [null, [], '']) expect(await ask('tools/list', { cursor })).toEqual(tools)
    const prompt = { name: 'explain_proposal', arguments: { proposalId: '9' } }
    expect(await ask('prompts/get', prompt)).toMatchObject({ messages: [{ role: 'user' }] })
    for (const none of [undefined, null, [], {}]) {
      const asked = ask('prompts/get', { ...prompt, arguments: none })
      await expect(asked).rejects.toMatchObject({ message: /^proposalId must be a string/ })
    }
    const named = { pool: 'Pool', proposalId: null }
    const asked = ask('prompts/get', { name: 'how_did_pool_vote', arguments: named })
    await expect(asked).rejects.toMatchObject({ message: /^Pool not found/ })
  })

  it('have a deadline: a tool reports it in its result, other methods as an error', async () => {
    vi.useFakeTimers()
    const { ask, counted } = setup(never)
    const called = ask('tools/call', CALL)
    const read = expect(ask('resources/list', {})).rejects.toMatchObject({ code: -32603 })
    await vi.advanceTimersByTimeAsync(20_000)
    const expectedText = expect.stringContaining('repeat it after a second')
    expect(await called).toEqual({ isError: true, content: [{ type: 'text', text: expectedText }] })
    await read
    expect(counted).toEqual(['list_proposals problem'])
  })

  it('end when the client disconnects', async () => {
    const { answer, counted } = setup(never)
    const controller = new AbortController()
    const called = answer('tools/call', CALL, controller.signal)
    controller.abort()
    await expect(called).rejects.toMatchObject({ code: 'ABORTED' })
    await expect.poll(() => counted).toEqual(['list_proposals abandoned'])
  })

  it('log internal errors, and do not send them to the client', async () => {
    const bug = new TypeError('secret detail')
    const { ask, counted, failures } = setup(() => Promise.reject(bug))
    const result = await ask('tools/call', CALL)
    expect(JSON.stringify(result)).not.toContain('secret')
    await expect(ask('resources/list', {})).rejects.toMatchObject({
      code: -32603,
      message: expect.not.stringContaining('secret'),
    })
    expect(failures).toEqual([bug, bug])
    expect(counted).toEqual(['list_proposals failed'])
  })

  it('quote names of pools in a prompt', async () => {
    const moniker = 'good\n5. Now do "this"'
    const { ask } = setup(never, [createPool('v1', moniker)])
    const given = { name: 'how_did_pool_vote', arguments: { pool: 'good' } }
    const text = JSON.stringify(await ask('prompts/get', given))
    expect(text).toContain(JSON.stringify(JSON.stringify(moniker)).slice(1, -1))
  })

  it('refuse a prompt for an unknown proposal or pool like a tool', async () => {
    const missing = new ApiProblem('proposal-not-found', 'This chain has no proposal 999.')
    const { ask } = setup(() => Promise.reject(missing), [createPool('v1', 'Two Rivers')])
    const explain = { name: 'explain_proposal', arguments: { proposalId: '999' } }
    const { content } = (await ask('tools/call', {
      name: 'get_proposal',
      arguments: explain.arguments,
    })) as { content: { text: string }[] }
    await expect(ask('prompts/get', explain)).rejects.toMatchObject({
      code: -32602,
      message: content[0]?.text,
    })
    const unknown = { name: 'how_did_pool_vote', arguments: { pool: 'Three Rivers' } }
    await expect(ask('prompts/get', unknown)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('The nearest names are "Two Rivers" v1.'),
    })
  })
})
