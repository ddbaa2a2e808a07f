// Tests of MCP requests beyond their results: cancellation, counters, and reads from the shared cache.
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { OPEN_VOTE, seedStory } from '../support/api/api-story.ts'
import { createMcpRig, ENVELOPE, statelessHeaders } from '../support/api/mcp-rig.ts'
import { until } from '../support/process/rollcall-process.ts'
import { useTestStore } from '../support/store/test-store.ts'

const testStore = useTestStore(seedStory)

const CALLS = 'rollcall_api_mcp_tool_calls_total'

const setup = async () => {
  const rig = await createMcpRig(testStore.store)
  onTestFinished(async () => void (await rig.close()))
  const readCallCount = async (tool: string, outcome: string): Promise<number> => {
    const text = await rig.metrics.registry.metrics()
    const line = new RegExp(`^${CALLS}\\{tool="${tool}",outcome="${outcome}"\\} (\\d+)$`, 'm')
    return Number(line.exec(text)?.[1] ?? 0)
  }
  return { ...rig, readCallCount }
}

const createCall = (name: string, args: object, more: object) =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args, ...more },
  })

describe('an MCP request', () => {
  it.each([
    ['an older revision', {}, {}],
    ['2026-07-28', statelessHeaders('tools/call', { name: 'get_proposal' }), { _meta: ENVELOPE }],
  ])(
    'of %s ends when its client disconnects, and the next one is served',
    async (_, headers, more) => {
      const { app, store, call, readCallCount } = await setup()
      await app.listen({ host: '127.0.0.1', port: 0 })
      const { port } = app.server.address() as AddressInfo
      const { select } = store
      const queryStarted = new Promise<void>((resolve) => {
        store.select = () => {
          resolve()
          return new Promise(() => undefined)
        }
      })
      const controller = new AbortController()
      const left = fetch(`http://127.0.0.1:${port}/mcp`, {
        method: 'POST',
        headers: {
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          ...headers,
        },
        body: createCall('get_proposal', { proposalId: `${OPEN_VOTE}` }, more),
        signal: controller.signal,
      })
      await queryStarted
      controller.abort()
      await expect(left).rejects.toThrow(/abort/)
      await until('the call was canceled', 5_000, async () =>
        (await readCallCount('get_proposal', 'abandoned')) === 1 ? true : undefined,
      )
      store.select = select
      expect((await call('list_proposals')).isError).toBeUndefined()
    },
  )

  it('is counted by tool and outcome, whatever the called name is', async () => {
    const { call, rpc, readCallCount, metrics } = await setup()
    await call('list_proposals')
    await call('get_proposal', { proposalId: '999' })
    for (const name of ['invented', 'x'.repeat(100)]) await rpc('tools/call', { name })
    expect(await readCallCount('list_proposals', 'answered')).toBe(1)
    expect(await readCallCount('get_proposal', 'problem')).toBe(1)
    expect(await metrics.registry.metrics()).toContain(
      'rollcall_api_answers_total{operation="mcp",status="200"} 4',
    )
  })

  it('with a task parameter, or canceled in its own batch, gets a normal response', async () => {
    const { rpc, post } = await setup()
    const parameters = { name: 'list_proposals', arguments: {}, task: { ttl: 60_000 } }
    expect((await rpc('tools/call', parameters)).result.structuredContent.items).toHaveLength(20)
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const method = 'notifications/cancelled'
    const cancel = { jsonrpc: '2.0', method, params: { requestId: 1 } }
    const answer = await post(JSON.stringify([message, cancel]))
    expect([answer.status, answer.json()]).toMatchObject([200, [{ id: 1, result: {} }]])
  })

  it('reads from the same cache as the API', async () => {
    const { call, get, store } = await setup()
    await get(`/api/proposals/${OPEN_VOTE}/votes`)
    const { selects } = store
    await call('list_proposal_votes', { proposalId: `${OPEN_VOTE}` })
    await call('list_proposal_votes', { proposalId: `${OPEN_VOTE}`, page: 1 })
    expect(store.selects).toBe(selects)
  })
})
