// Tests of tool calls over failing sources: slow or broken.
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { McpSources } from '../../../../api/mcp/sources.ts'
import { callTool, refuseUnlessExpected } from '../../../../api/mcp/tool-results.ts'
import { TOOLS } from '../../../../api/mcp/tools.ts'

afterEach(() => {
  vi.useRealTimers()
})

const setup = (read: () => Promise<object>) => {
  const counted: string[] = []
  const failures: unknown[] = []
  const sources = {
    read,
    proposalIds: () => ['10', '9'],
    health: () => ({ catchUp: null, noBlockSince: null }),
  } as unknown as McpSources
  const parts = {
    sources,
    count: (tool: string, outcome: string) => void counted.push(`${tool} ${outcome}`),
    onFailure: (error: unknown) => void failures.push(error),
  }
  const tool = TOOLS.find(({ name }) => name === 'list_proposals')
  if (!tool) throw new Error('no tool')
  const call = () => callTool(tool, {}, parts, new AbortController().signal)
  return { parts, call, counted, failures }
}

describe('a tool call', () => {
  it('has a deadline, which it reports in its result', async () => {
    vi.useFakeTimers()
    const { call, counted } = setup(() => new Promise<never>(() => undefined))
    const called = call()
    await vi.advanceTimersByTimeAsync(20_000)
    const expectedText = expect.stringContaining('repeat it after a second')
    expect(await called).toEqual({ isError: true, content: [{ type: 'text', text: expectedText }] })
    expect(counted).toEqual(['list_proposals problem'])
  })

  it('logs internal errors, and does not send them to the client; so do other methods', async () => {
    const bug = new TypeError('secret detail')
    const { parts, call, counted, failures } = setup(() => Promise.reject(bug))
    expect(JSON.stringify(await call())).not.toContain('secret')
    const listing = refuseUnlessExpected('resources/list', parts, () => Promise.reject(bug))
    await expect(listing).rejects.toMatchObject({
      code: -32603,
      message: expect.not.stringContaining('secret'),
    })
    expect(failures).toEqual([bug, bug])
    expect(counted).toEqual(['list_proposals failed'])
  })
})
