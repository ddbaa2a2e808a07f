// Tests of MCP results with a real ClickHouse: equal to the API, and valid for their schemas.
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { TOOL_NAMES } from '../../api/mcp/tools.ts'
import { OPEN_VOTE, RESTARTED_VOTE, seedStory } from '../support/api/api-story.ts'
import { BUSY, FREQUENT, seedListsStory } from '../support/api/lists-story.ts'
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

  const OPEN = { proposalId: `${OPEN_VOTE}` }
  const OPEN_VOTES = `/api/proposals/${OPEN_VOTE}/votes`
  const RESTARTED = { proposalId: `${RESTARTED_VOTE}` }
  const RESTARTED_VOTES = `/api/proposals/${RESTARTED_VOTE}/votes`
  const sameIn =
    (story: keyof typeof seeders) =>
    async (name: string, path: string, inPath: object, query: object = {}) => {
      const { expectSame } = await setup(story)
      const entries = Object.entries(query).map(([key, value]) => [key, `${value}`])
      const url = `${path}?${new URLSearchParams(entries)}`
      const { page } = await expectSame(name, { ...inPath, ...query }, url)
      if (!page?.nextCursor || 'page' in query || 'limit' in query) return
      const cursor = page.nextCursor
      await expectSame(name, { ...inPath, ...query, cursor }, `${url}&cursor=${cursor}`)
    }

  it.each([
    ['list_proposals', '/api/proposals', {}],
    ['list_proposals', '/api/proposals', {}, { page: 1 }],
    ['list_proposals', '/api/proposals', {}, { page: 99 }],
    ['list_proposals', '/api/proposals', {}, { messageType: 'cosmos.gov' }],
    ['list_proposals', '/api/proposals', {}, { status: 'passed,deposit_period', q: 'observatory' }],
    ['list_proposals', '/api/proposals', {}, { proposer: 'test1other' }],
    ['list_proposal_votes', OPEN_VOTES, OPEN],
    ['list_proposal_votes', OPEN_VOTES, OPEN, { page: 2 }],
    ['list_proposal_votes', RESTARTED_VOTES, RESTARTED, { round: 1 }],
    ['list_proposal_votes', RESTARTED_VOTES, RESTARTED, { round: 2 }],
    ...Array.from({ length: 6 }, (_, n): [string, string, object] => {
      const id = OPEN_VOTE - n
      return ['get_proposal', `/api/proposals/${id}`, { proposalId: `00${id}` }]
    }),
  ] as [string, string, object, object?][])(
    '%s returns what %s does, for %j and %j, also by cursor',
    { tags: 'api:mcp-equals-rest' },
    sameIn('proposals'),
  )

  it.each([
    ['list_pool_votes', `/api/pools/${BUSY}/votes`, { operatorAddress: BUSY }],
    ['list_pool_votes', `/api/pools/${BUSY}/votes`, { operatorAddress: BUSY }, { page: 7 }],
    ['list_pools', '/api/pools', {}],
    ['list_pools', '/api/pools', {}, { page: 1 }],
    ['list_voter_votes', `/api/voters/${FREQUENT}/votes`, { address: FREQUENT }],
  ] as [string, string, object, object?][])(
    '%s returns what %s does, for %j and %j',
    { tags: 'api:mcp-equals-rest' },
    sameIn('lists'),
  )

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
})

describe('the MCP resources', () => {
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
