// Tests of MCP results with a real ClickHouse: equal to the API, and valid for their schemas.
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { TOOL_NAMES } from '../../api/mcp/tools.ts'
import { OPEN_VOTE, RESTARTED_VOTE, seedStory } from '../support/api/api-story.ts'
import { BUSY, FREQUENT, seedListsStory, TALLIED_VOTE } from '../support/api/lists-story.ts'
import { createMcpRig } from '../support/api/mcp-rig.ts'
import { useTestStore } from '../support/store/test-store.ts'

const testStore = useTestStore()

/** The current values of the tables. */
let seeded: string | undefined
const seeders = { proposals: seedStory, lists: seedListsStory }

type Page = { items: unknown[]; page: object; links: object }
type Body = Partial<Page> & { votes?: Page }

/** The first rows of the lists in a body: as many as another body has. */
const takeRows = (body: Body, { items, votes }: Body): Body => ({
  ...body,
  ...(body.items && { items: body.items.slice(0, items?.length) }),
  ...(body.votes && {
    votes: { ...body.votes, items: body.votes.items.slice(0, votes?.items.length) },
  }),
})

/** Ignores where the next page begins, which depends on the rows of this one. */
const withoutRest = (body: Body): unknown =>
  JSON.parse(
    JSON.stringify(body, (key, value) =>
      key === 'next' || key === 'nextCursor' ? undefined : value,
    ),
  )

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
  /** The data are the body of the API, or its first rows, and match the output schema. The text is a short reading. */
  const expectSame = async (name: string, args: object, url: string) => {
    const called = await rig.call(name, args)
    expect(called.isError).toBeUndefined()
    const { structuredContent } = called
    const body = JSON.parse(await rig.get(url))
    expect(withoutRest(structuredContent)).toEqual(withoutRest(takeRows(body, structuredContent)))
    const check = ajv.compile(shapes.get(name) ?? false)
    check(structuredContent)
    expect(check.errors).toBeNull()
    const [{ text }] = called.content
    expect(text).toContain('As of block')
    expect(text.length).toBeLessThan(6_000)
    return structuredContent
  }
  return { ...rig, expectSame }
}

describe('the MCP tools', () => {
  it('are those of the contract, in a fixed order, and read-only', {
    tags: 'api:mcp-tools-are-read-only',
  }, async () => {
    const { rpc } = await setup('proposals')
    const { tools } = (await rpc('tools/list')).result
    expect(tools.map(({ name }: { name: string }) => name)).toEqual([...TOOL_NAMES])
    for (const { annotations, title, description } of tools) {
      expect(annotations).toMatchObject({ readOnlyHint: true, idempotentHint: true })
      expect(annotations.openWorldHint).toBe(false)
      expect([typeof title, description.length > 50]).toEqual(['string', true])
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
    expect(items.length).toBeGreaterThan(20)
    await expectSame(
      'list_pool_votes',
      { operatorAddress: BUSY, page: 7 },
      `/api/pools/${BUSY}/votes?page=7`,
    )
  })

  it('return the pools, and the record of a voter', { tags: 'api:mcp-equals-rest' }, async () => {
    const { expectSame } = await setup('lists')
    await expectSame('list_pools', {}, '/api/pools')
    await expectSame('list_pools', { page: 1 }, '/api/pools?page=1')
    const votes = { address: FREQUENT, limit: 3 }
    const { items } = await expectSame('list_voter_votes', votes, `/api/voters/${FREQUENT}/votes`)
    expect(items).toHaveLength(3)
  })

  it('find by a question what a host then fetches and cites', async () => {
    const { call, rpc, get } = await setup('lists')
    const { tools } = (await rpc('tools/list')).result
    const ask = async (name: string, args: object) => {
      const { content, structuredContent, isError } = await call(name, args)
      expect(isError).toBeUndefined()
      expect(JSON.parse(content[0].text)).toEqual(structuredContent)
      const { outputSchema } = tools.find((tool: { name: string }) => tool.name === name)
      expect(new Ajv2020({ strict: false }).validate(outputSchema, structuredContent)).toBe(true)
      return structuredContent
    }
    const [pool] = JSON.parse(await get('/api/pools')).items
    const [vote] = JSON.parse(await get(`/api/pools/${BUSY}/votes`)).items
    const questions = {
      [`how did ${pool.moniker} vote on proposal ${vote.proposalId}?`]: [
        `proposal:${vote.proposalId}`,
        `validator:${pool.operatorAddress}`,
      ],
      [`#${vote.proposalId}`]: [`proposal:${vote.proposalId}`],
      [BUSY]: [`validator:${BUSY}`],
      [`what did ${FREQUENT} vote`]: [`voter:${FREQUENT}`],
    }
    for (const [query, ids] of Object.entries(questions)) {
      const { results } = await ask('search', { query })
      const found = results.map(({ id }: { id: string }) => id)
      expect([query, found]).toEqual([query, expect.arrayContaining(ids)])
      for (const { id, url } of results) {
        const { text, ...fetched } = await ask('fetch', { id })
        expect([fetched.id, fetched.url, text.length > 20]).toEqual([id, url, true])
      }
    }
    expect((await ask('search', { query: 'nothing of this' })).results).toEqual([])
    for (const id of ['proposal:999999', 'x', 'voter:x', 'validator:x']) {
      const { isError, content } = await call('fetch', { id })
      expect([isError, content[0].text.length > 20]).toEqual([true, true])
    }
  })

  it('reach every row of a list by cursor, whatever the limit is', async () => {
    const { call, get } = await setup('proposals')
    const url = `/api/proposals/${OPEN_VOTE}/votes`
    const all = [0, 1, 2].map(async (page) => JSON.parse(await get(`${url}?page=${page}`)).items)
    const rows = (await Promise.all(all)).flat()
    for (const limit of [undefined, 70]) {
      const seen: unknown[] = []
      let cursor: string | undefined
      do {
        const given = { proposalId: `${OPEN_VOTE}`, page: 0, cursor, limit }
        const { structuredContent } = await call('list_proposal_votes', given)
        seen.push(...structuredContent.items)
        cursor = structuredContent.page.nextCursor ?? undefined
      } while (cursor !== undefined && seen.length < rows.length)
      expect([seen.length, cursor]).toEqual([rows.length, undefined])
      expect(seen).toEqual(rows)
    }
  })

  it('answer for the name of a pool, and name it in the data and in the text', {
    tags: 'api:mcp-takes-names',
  }, async () => {
    const { call } = await setup('lists')
    const { content, structuredContent } = await call('list_pool_votes', {
      operatorAddress: 'POOL of 4000',
    })
    expect(structuredContent).toMatchObject({
      pool: { operatorAddress: BUSY, moniker: 'pool of 4000' },
      links: { self: expect.stringContaining(BUSY) },
    })
    expect(content[0].text).toContain(`The pool is "pool of 4000" ${BUSY}.`)
    const several = await call('list_pool_votes', { operatorAddress: 'pool of 7' })
    expect([several.isError, several.content[0].text]).toEqual([
      true,
      expect.stringMatching(/matches 120 pools, .* cosmosvaloper1\w+, .* and 110 more/),
    ])
    const none = await call('list_pool_votes', { operatorAddress: 'pond of 4000' })
    expect(none.content[0].text).toContain(`"pool of 4000" ${BUSY}`)
    const voter = await call('list_voter_votes', { address: 'pool of 4000' })
    expect(voter.structuredContent.pool).toMatchObject({ operatorAddress: BUSY })
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

  it('have templates, and votes by page', { tags: 'api:mcp-tools-are-read-only' }, async () => {
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

describe('the MCP prompts', () => {
  it('explain how to find the votes of a pool, and what a proposal does', async () => {
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
    expect(content.text).toContain(BUSY)
    expect(content.text).toContain('list_pool_votes')
    const unnamed = await rpc('prompts/get', { name: 'how_did_pool_vote', arguments: { pool: 7 } })
    expect(unnamed.error.code).toBe(-32602)
    const explain = { name: 'explain_proposal', arguments: { proposalId: `${TALLIED_VOTE}` } }
    expect((await rpc('prompts/get', explain)).result.messages[0].content.text).toContain(
      'get_proposal',
    )
  })
})
