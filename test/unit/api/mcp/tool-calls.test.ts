// Tests of tool calls over failing sources: slow, broken, or abandoned by their client.
import { expect, it, onTestFinished, vi } from 'vitest'
import type { McpSources } from '../../../../api/mcp/sources.ts'
import { callTool, refuseUnlessExpected } from '../../../../api/mcp/tool-results.ts'
import { TOOLS } from '../../../../api/mcp/tools.ts'

const setup = (read: () => Promise<object>) => {
  const counted: string[] = []
  const failures: unknown[] = []
  const health = () => ({ catchUp: null, noBlockSince: null })
  const parts = {
    sources: { read, proposalIds: () => [], health } as unknown as McpSources,
    count: (_: string, outcome: string) => void counted.push(outcome),
    onFailure: (error: unknown) => void failures.push(error),
  }
  const tool = TOOLS.find(({ name }) => name === 'list_proposals')!
  const call = (signal = new AbortController().signal) => callTool(tool, {}, parts, signal)
  return { parts, call, counted, failures }
}

const never = () => new Promise<never>(() => undefined)

it('a tool call has a deadline, which it reports in its result', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { call, counted } = setup(never)
  const called = call()
  await vi.advanceTimersByTimeAsync(20_000)
  const text = expect.stringContaining('repeat it after a second')
  expect(await called).toEqual({ isError: true, content: [{ type: 'text', text }] })
  expect(counted).toEqual(['problem'])
})

it('a tool call ends when its client disconnects', async () => {
  const { call, counted } = setup(never)
  const client = new AbortController()
  const called = call(client.signal)
  client.abort()
  await expect(called).rejects.toMatchObject({ code: 'ABORTED' })
  expect(counted).toEqual(['abandoned'])
})

it('a tool call logs internal errors, and does not send them to the client; so do other methods', async () => {
  const bug = new TypeError('secret detail')
  const read = () => Promise.reject(bug)
  const { parts, call, counted, failures } = setup(read)
  expect(JSON.stringify(await call())).not.toContain('secret')
  const message = expect.not.stringContaining('secret')
  const listing = refuseUnlessExpected('resources/list', parts, read)
  await expect(listing).rejects.toMatchObject({ code: -32603, message })
  expect(failures).toEqual([bug, bug])
  expect(counted).toEqual(['failed'])
})
