// The search: `q` of the list of proposals, and the search box that opens a proposal, a voter or a validator.
import { toBech32 } from '@cosmjs/encoding'
import { beforeAll, expect, it } from 'vitest'
import { createApiRig, walkPages } from '../support/api/api-rig.ts'
import { poolRow } from '../support/api/lists-story.ts'
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
  const pools = [FOUNDATION, toPool(7, 'Twin'), toPool(8, 'twin ')]
  const proposals = createProposals()
  const marks = proposals.map((_, n) => ({ id: n + 1, height: 60 }))
  await seed(store, { height: 100, pools, proposals, marks })
})

const setup = async () => {
  const { ask, get } = await createApiRig(testStore.store)
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
  return { get, findIds, search }
}

it('q finds proposals with all words in any order, those with all of them in the title first', async () => {
  const { get, findIds } = await setup()
  expect(await findIds('QUORUM raise part 59')).toEqual([])
  expect(await findIds('58 quorum RAISE')).toEqual(['58'])
  expect(await findIds('2027 raise')).toEqual([])
  expect(await findIds('2027 signaling')).toEqual(['59'])
  expect((await findIds('proposal #020'))[0]).toBe('20')
  const pages = await walkPages(get, '/api/proposals?q=raise+quorum')
  const ids = pages.flatMap(({ items }) =>
    items.map((each: { proposalId: string }) => each.proposalId),
  )
  const all = Array.from({ length: COUNT }, (_, n) => COUNT - n).filter((id) => id !== 59)
  const inTitle = all.filter((id) => id % 3 === 0)
  const inText = all.filter((id) => id % 3 !== 0)
  expect(ids.map(Number)).toEqual([...inTitle, ...inText])
  expect(pages.map(({ page }) => page.totalItems)).toEqual([59, 59, 59])
  const { items } = await get(`/api/proposals?q=raise+quorum&cursor=${pages[0].page.nextCursor}`)
  expect(items).toEqual(pages[1].items)
})

it.each([
  [' #20', '/proposals/20'],
  ['Proposal 20', '/proposals/20'],
  [VOTER.toUpperCase(), `/voters/${VOTER}`],
  [`0x${'aB'.repeat(20)}`, `/voters/${VOTER}`],
  [FOUNDATION.operator_address, `/pools/${FOUNDATION.operator_address}`],
  ['rollcall  foundation', `/pools/${FOUNDATION.operator_address}`],
  ['', '/proposals'],
])('the search box opens the page that %s names', async (q, path) => {
  const { search } = await setup()
  const { status, location } = await search(q)
  expect([status, location]).toEqual([303, path])
})
