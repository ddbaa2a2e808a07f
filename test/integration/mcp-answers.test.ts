// Tests of MCP results with a real ClickHouse: equal to the API byte for byte, and valid for their schemas.
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { MCP_TOOLS } from '../../api/mcp/identity.ts'
import { CLOSED_VOTE, OPEN_VOTE, RESTARTED_VOTE, seedStory } from '../support/api/api-story.ts'
import { BUSY, seedListsStory, TALLIED_VOTE } from '../support/api/lists-story.ts'
import { createMcpRig } from '../support/api/mcp-rig.ts'
import { useTestStore } from '../support/store/test-store.ts'

const testStore = useTestStore()

/** The current values of the tables. */
let seeded: string | undefined
const seeders = { proposals: seedStory, lists: seedListsStory }

const setup = async (story: keyof typeof seeders) => {
  if (seeded !== story) await seeders[story](testStore.store)
  seeded = story
  const rig = await createMcpRig(testStore.store)
  const ajv = formats.default(new Ajv2020({ strict: false, allErrors: true }))
  const { result } = await rig.rpc('tools/list')
  const shapes = new Map<string, object>(
    result.tools.map((tool: { name: string; outputSchema: object }) => [
      tool.name,
      tool.outputSchema,
    ]),
  )
  /** The text is the body of the API, and the structured content is equal and matches the output schema. */
  const expectSame = async (name: string, args: object, url: string) => {
    const called = await rig.call(name, args)
    expect(called.isError).toBeUndefined()
    const [{ text }] = called.content
    expect(text).toBe(await rig.get(url))
    expect(called.structuredContent).toEqual(JSON.parse(text))
    const check = ajv.compile(shapes.get(name) ?? false)
    check(called.structuredContent)
    expect(check.errors).toBeNull()
    return called.structuredContent
  }
  return { ...rig, expectSame }
}

describe('the MCP tools', () => {
  it('are those of the contract, in a fixed order, and read-only', async () => {
    const { rpc } = await setup('proposals')
    const { tools } = (await rpc('tools/list')).result
    expect(tools.map(({ name }: { name: string }) => name)).toEqual([...MCP_TOOLS])
    for (const { annotations, title, description } of tools) {
      expect(annotations).toMatchObject({ readOnlyHint: true, idempotentHint: true })
      expect(annotations.openWorldHint).toBe(false)
      expect([typeof title, description.length > 100]).toEqual(['string', true])
    }
    expect(JSON.stringify((await rpc('tools/list')).result)).toBe(JSON.stringify({ tools }))
  })

  it('list proposals like the API: by page, by filter and by cursor', {
    tags: 'api:mcp-equals-rest',
  }, async () => {
    const { expectSame } = await setup('proposals')
    const first = await expectSame('list_proposals', {}, '/api/proposals')
    await expectSame('list_proposals', { page: 1 }, '/api/proposals?page=1')
    await expectSame('list_proposals', { page: 99 }, '/api/proposals?page=99')
    await expectSame(
      'list_proposals',
      { messageType: 'cosmos.gov' },
      '/api/proposals?messageType=cosmos.gov',
    )
    await expectSame(
      'list_proposals',
      { status: 'passed,deposit_period', q: 'observatory', page: 0 },
      '/api/proposals?status=passed,deposit_period&q=observatory&page=0',
    )
    await expectSame(
      'list_proposals',
      { proposer: 'test1other' },
      '/api/proposals?proposer=test1other',
    )
    const cursor = first.page.nextCursor
    await expectSame('list_proposals', { cursor }, `/api/proposals?cursor=${cursor}`)
  })

  it('return every proposal, whatever it contains, for both forms of its ID', {
    tags: 'api:mcp-equals-rest',
  }, async () => {
    const { expectSame } = await setup('proposals')
    for (let id = OPEN_VOTE; id > OPEN_VOTE - 6; id--) {
      await expectSame('get_proposal', { proposalId: `${id}` }, `/api/proposals/${id}`)
    }
    await expectSame(
      'get_proposal',
      { proposalId: `00${OPEN_VOTE}` },
      `/api/proposals/${OPEN_VOTE}`,
    )
  })

  it('return the votes by page, cursor and round', { tags: 'api:mcp-equals-rest' }, async () => {
    const { expectSame } = await setup('proposals')
    const url = `/api/proposals/${OPEN_VOTE}/votes`
    const open = { proposalId: `${OPEN_VOTE}` }
    const { page } = await expectSame('list_proposal_votes', open, url)
    await expectSame('list_proposal_votes', { ...open, page: 2 }, `${url}?page=2`)
    const cursor = page.nextCursor
    await expectSame('list_proposal_votes', { ...open, cursor }, `${url}?cursor=${cursor}`)
    for (const round of [1, 2]) {
      const restarted = `/api/proposals/${RESTARTED_VOTE}/votes?round=${round}`
      await expectSame('list_proposal_votes', { proposalId: `${RESTARTED_VOTE}`, round }, restarted)
    }
  })

  it('return the record of a pool', { tags: 'api:mcp-equals-rest' }, async () => {
    const { expectSame } = await setup('lists')
    const { items } = await expectSame(
      'list_pool_votes',
      { operatorAddress: BUSY },
      `/api/pools/${BUSY}/votes`,
    )
    expect(items).toHaveLength(100)
    await expectSame(
      'list_pool_votes',
      { operatorAddress: BUSY, page: 7 },
      `/api/pools/${BUSY}/votes?page=7`,
    )
  })

  it('report the service status, also while the store is down', async () => {
    const { call, get, store } = await setup('proposals')
    store.isAway = true
    const { structuredContent } = await call('get_service_status')
    const health = JSON.parse(await get('/api/health'))
    const { freshnessSeconds: _, behind, ...rest } = health
    expect(structuredContent).toMatchObject({ ...rest, behind: { heights: behind.heights } })
    expect(structuredContent.status).toBe('ok')
  })
})

describe('the MCP resources', () => {
  it('are the proposals, newest first, all reachable by cursor and readable', async () => {
    const { rpc, get } = await setup('proposals')
    const uris: string[] = []
    for (let cursor: string | undefined, pages = 0; pages === 0 || cursor; pages++) {
      const { result } = await rpc('resources/list', { cursor })
      uris.push(...result.resources.map(({ uri }: { uri: string }) => uri))
      cursor = result.nextCursor
    }
    expect(uris).toEqual(Array.from({ length: 45 }, (_, n) => `proposals://${45 - n}`))
    for (const uri of uris.slice(0, 6)) {
      const { contents } = (await rpc('resources/read', { uri })).result
      const text = await get(uri.replace('proposals:/', '/api/proposals'))
      expect(contents).toEqual([{ uri, mimeType: 'application/json', text }])
    }
  })

  it('have templates, and votes by page', async () => {
    const { rpc, get } = await setup('proposals')
    const { resourceTemplates } = (await rpc('resources/templates/list')).result
    const templates = resourceTemplates.map((each: { uriTemplate: string }) => each.uriTemplate)
    expect(templates).toEqual(['proposals://{proposalId}', 'proposals://{proposalId}/votes{?page}'])
    for (const query of ['', '?page=0', '?page=2']) {
      const { result } = await rpc('resources/read', {
        uri: `proposals://${OPEN_VOTE}/votes${query}`,
      })
      expect(result.contents[0].text).toBe(await get(`/api/proposals/${OPEN_VOTE}/votes${query}`))
    }
  })
})

describe('the MCP prompts and completions', () => {
  const valuesFor = (ref: object, argument: object) => ({ ref, argument })

  it('complete proposal IDs, newest first, and pools by name or address', async () => {
    const { rpc } = await setup('lists')
    const ref = { type: 'ref/resource', uri: 'proposals://{proposalId}' }
    const ids = await rpc(
      'completion/complete',
      valuesFor(ref, { name: 'proposalId', value: '29' }),
    )
    expect(ids.result.completion).toEqual({
      values: ['299', '298', '297', '29'],
      total: 4,
      hasMore: false,
    })
    const prompt = { type: 'ref/prompt', name: 'how_did_pool_vote' }
    for (const value of [BUSY.slice(0, 30), BUSY]) {
      const pools = await rpc('completion/complete', valuesFor(prompt, { name: 'pool', value }))
      expect(pools.result.completion.values).toContain(BUSY)
    }
    const named = await rpc(
      'completion/complete',
      valuesFor(prompt, { name: 'pool', value: 'POOL of' }),
    )
    expect(named.result.completion.values.length).toBeGreaterThan(2)
  })

  it('explain how to find the votes of a pool, with the address of that pool', async () => {
    const { rpc } = await setup('lists')
    const { prompts } = (await rpc('prompts/list')).result
    expect(prompts.map(({ name }: { name: string }) => name)).toEqual([
      'how_did_pool_vote',
      'explain_proposal',
    ])
    const given = { pool: BUSY, proposalId: `${TALLIED_VOTE}` }
    const { result } = await rpc('prompts/get', { name: 'how_did_pool_vote', arguments: given })
    const [{ role, content }] = result.messages
    expect(role).toBe('user')
    expect(content.text).toContain(`- ${BUSY}: "`)
    expect(content.text).toContain('list_pool_votes')
    const unknown = { pool: 'an unknown name' }
    const other = await rpc('prompts/get', { name: 'how_did_pool_vote', arguments: unknown })
    expect(other.result.messages[0].content.text).toContain('No pool has the name')
    const explain = { name: 'explain_proposal', arguments: { proposalId: `${CLOSED_VOTE}` } }
    expect((await rpc('prompts/get', explain)).result.messages[0].content.text).toContain(
      'get_proposal',
    )
  })
})
