// Tests that a defect behind a tool is logged and not shown.
import { expect, it } from 'vitest'
import type { McpSources } from '../../../../api/mcp/sources.ts'
import { callTool, refuseUnlessExpected } from '../../../../api/mcp/tool-results.ts'
import { TOOLS } from '../../../../api/mcp/tools.ts'

it('a tool call logs internal errors, and does not send them to the client; so do other methods', async () => {
  const bug = new TypeError('secret detail')
  const read = () => Promise.reject(bug)
  const health = () => ({ catchUp: null, noBlockSince: null })
  const failures: unknown[] = []
  const parts = {
    sources: { read, proposalIds: () => [], health } as unknown as McpSources,
    count: () => {},
    onFailure: (error: unknown) => void failures.push(error),
  }
  const tool = TOOLS.find(({ name }) => name === 'list_proposals')!
  const answer = await callTool(tool, {}, parts, new AbortController().signal)
  expect(JSON.stringify(answer)).not.toContain('secret')
  const message = expect.not.stringContaining('secret')
  const listing = refuseUnlessExpected('resources/list', parts, read)
  await expect(listing).rejects.toMatchObject({ code: -32603, message })
  expect(failures).toEqual([bug, bug])
})
