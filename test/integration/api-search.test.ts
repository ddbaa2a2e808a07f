// The search: `q` of the list of proposals, and the search box that opens a proposal, a voter or a validator.
import { toBech32 } from '@cosmjs/encoding'
import { beforeAll, describe, expect, it } from 'vitest'
import { TABLES } from '../../projections/contract/tables.ts'
import { createApiRig } from '../support/api/api-rig.ts'
import { walkPages } from '../support/api/lists-rig.ts'
import { insertRows, poolRow } from '../support/api/lists-story.ts'
import { createMcpRig } from '../support/api/mcp-rig.ts'
import { clearReadModel, proposalRow, seed } from '../support/store/read-model-seed.ts'
import { useTestStore } from '../support/store/test-store.ts'

const testStore = useTestStore()

const toAddress = (prefix: string, byte: number) => toBech32(prefix, new Uint8Array(20).fill(byte))
const toPool = (byte: number, moniker: string) =>
  poolRow(toAddress('cosmosvaloper', byte), `${byte}`, {
    account_address: toAddress('cosmos', byte),
    moniker,
  })
const VOTER = toAddress('cosmos', 0xab)
const FOUNDATION = toPool(9, 'Rollcall Foundation')
const COUNT = 60

/** Every third has both words in the title, the others in title and text; one is about 2027. */
const createProposals = () =>
  Array.from({ length: COUNT }, (_, n) => {
    const id = n + 1
    const title = id % 3 === 0 ? `Raise the Quorum, part ${id}` : `Raise it, part ${id}`
    return proposalRow(id, 50, {
      title: id === 59 ? 'Something for 2027' : title,
      summary: 'About the quorum. Signaling only.',
      proposer: id === 7 ? VOTER : 'test1proposer',
    })
  })

beforeAll(async () => {
  const { store } = testStore
  await clearReadModel(store)
  const same = [toPool(7, 'Twin'), toPool(8, 'twin ')]
  await insertRows(store, TABLES.pools.name, [FOUNDATION, ...same, toPool(6, 'Quorum Labs')])
  const proposals = createProposals()
  const marks = proposals.map((_, n) => ({ id: n + 1, height: 60 }))
  await seed(store, { height: 100, proposals, marks })
})

const setup = async () => {
  const { store } = testStore
  const { ask } = await createApiRig(store)
  const get = async (url: string) => (await ask(url)).json()
  const findIds = async (q: string): Promise<string[]> =>
    (await get(`/api/proposals?${new URLSearchParams({ q })}`)).items.map(
      ({ proposalId }: { proposalId: string }) => proposalId,
    )
  const search = async (q: string) => {
    const answer = await ask(`/search?${new URLSearchParams({ q })}`, {
      headers: { accept: 'text/html' },
    })
    return { ...answer, location: answer.headers['location'] }
  }
  return { ask, get, findIds, search }
}

describe('q of the list of proposals', () => {
  it('finds proposals with all words in any order, whatever their capital letters', async () => {
    const { findIds } = await setup()
    expect(await findIds('QUORUM raise part 59')).toEqual([])
    expect(await findIds('58 quorum RAISE')).toEqual(['58'])
    expect(await findIds('2027 raise')).toEqual([])
    expect(await findIds('2027 signaling')).toEqual(['59'])
  })

  it('takes a phrase in quotation marks as one word', async () => {
    const { findIds } = await setup()
    expect(await findIds('"quorum. signaling" 2027')).toEqual(['59'])
    expect(await findIds('"signaling quorum" 2027')).toEqual([])
  })

  it('puts proposals with all words in the title before those with words in the text', async () => {
    const { get } = await setup()
    const pages = await walkPages(get, '/api/proposals?q=raise+quorum')
    const ids = pages.flatMap(({ items }) =>
      items.map((each: { proposalId: string }) => each.proposalId),
    )
    const all = Array.from({ length: COUNT }, (_, n) => COUNT - n).filter((id) => id !== 59)
    const inTitle = all.filter((id) => id % 3 === 0)
    const inText = all.filter((id) => id % 3 !== 0)
    expect(ids.map(Number)).toEqual([...inTitle, ...inText])
    expect(pages.map(({ page }) => page.totalItems)).toEqual([59, 59, 59])
  })

  it('continues in the same order by cursor', async () => {
    const { get } = await setup()
    const byNumber = await walkPages(get, '/api/proposals?q=raise+quorum')
    let cursor = byNumber[0].page.nextCursor
    const rest = []
    while (cursor !== null) {
      const page = await get(`/api/proposals?q=raise+quorum&cursor=${cursor}`)
      rest.push(...page.items)
      cursor = page.page.nextCursor
    }
    expect(rest).toEqual(byNumber.slice(1).flatMap(({ items }) => items))
  })

  it.each(['20', '#20', 'Proposal 20', 'proposal #020', ' 20 '])(
    'puts proposal 20 first for %s',
    async (q) => {
      const { findIds } = await setup()
      expect((await findIds(q))[0]).toBe('20')
    },
  )

  it('finds the same through MCP', async () => {
    const { findIds } = await setup()
    const { call } = await createMcpRig(testStore.store)
    const result = await call('list_proposals', { q: 'quorum raise' })
    const { items } = result.structuredContent as { items: { proposalId: string }[] }
    expect(items.map(({ proposalId }) => proposalId)).toEqual(await findIds('raise quorum'))
  })
})

describe('the search box', () => {
  it.each([
    ['20', '/proposals/20'],
    [' #20', '/proposals/20'],
    ['Proposal 20', '/proposals/20'],
    [VOTER, `/voters/${VOTER}`],
    [VOTER.toUpperCase(), `/voters/${VOTER}`],
    [`0x${'aB'.repeat(20)}`, `/voters/${VOTER}`],
    [FOUNDATION.operator_address, `/pools/${FOUNDATION.operator_address}`],
    ['rollcall  foundation', `/pools/${FOUNDATION.operator_address}`],
    ['', '/proposals'],
  ])('opens the page that %s names', async (q, path) => {
    const { search } = await setup()
    const { status, location } = await search(q)
    expect([status, location]).toEqual([303, path])
  })

  it('says what is wrong with an address that has a typing error', async () => {
    const { search, ask } = await setup()
    const { status, location } = await search(`${VOTER.slice(0, -1)}q`)
    expect(status).toBe(303)
    const page = await ask(location ?? '', { headers: { accept: 'text/html' } })
    expect([page.status, page.text.includes('valid checksum')]).toEqual([400, true])
  })

  it('lists validators of one name, and those that have the text in their name', async () => {
    const { search } = await setup()
    const twins = await search('twin')
    expect(twins.status).toBe(200)
    expect(twins.text.match(/href="\/pools\/cosmosvaloper/g)).toHaveLength(2)
    const { text } = await search('found')
    expect(text).toContain(`href="/pools/${FOUNDATION.operator_address}"`)
  })

  it('lists proposals beside validators, with the text in the box and escaped', async () => {
    const { search } = await setup()
    const { status, text } = await search('quorum')
    expect([status, text.includes('Quorum Labs'), text.includes('id="proposal-60"')]).toEqual([
      200,
      true,
      true,
    ])
    expect(text).toContain('href="/proposals?q=quorum"')
    expect(text).toMatch(/name="robots" content="noindex"/)
    const evil = await search('"><script>x')
    expect(evil.text).not.toContain('<script>x')
    expect(evil.text).toContain('value="&quot;>&lt;script>x"')
  })

  it('says what can be searched for if nothing matches, also for an unknown number', async () => {
    const { search } = await setup()
    for (const q of ['nothing like it', '999999']) {
      const { status, text } = await search(q)
      expect([q, status, text.includes('Nothing matches')]).toEqual([q, 200, true])
      expect(text).toContain('The name of a validator')
    }
  })

  it('refuses a text of more than 200 characters', async () => {
    const { search } = await setup()
    expect((await search('x'.repeat(201))).status).toBe(400)
  })
})
