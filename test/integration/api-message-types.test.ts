// Tests of the list and the feed of proposals, filtered by message type, with a real ClickHouse.
import { describe, expect, it } from 'vitest'
import { createApiRig, expectProblem } from '../support/api/api-rig.ts'
import { clearReadModel, proposalRow, seed } from '../support/store/read-model-seed.ts'
import { useTestStore } from '../support/store/test-store.ts'

const HEIGHT = 9
const STORE_CODE = '/cosmwasm.wasm.v1.MsgStoreCode'
const UPDATE = '/cosmos.gov.v1.MsgUpdateParams'
const EXEC = '/cosmos.authz.v1beta1.MsgExec'
const SEND = '/cosmos.bank.v1beta1.MsgSend'

/** More than one page. */
const SENDS = Array.from({ length: 45 }, (_, index) => 100 + index)

/** The row of a proposal with more messages than are listed, and one with another type. */
const MANY = Array.from({ length: 20 }, () => '/test.many.v1.MsgA')
const proposals = [
  proposalRow(5, HEIGHT, {
    message_types: MANY,
    message_count: 10_000,
    further_message_types: ['/test.many.v1.MsgRare'],
  }),
  proposalRow(6, HEIGHT, { message_types: ['/test.many.v1.MsgOld'] }),
  proposalRow(7, HEIGHT, { message_types: [UPDATE, STORE_CODE, EXEC, STORE_CODE] }),
  proposalRow(8, HEIGHT, { message_types: [STORE_CODE] }),
  proposalRow(9, HEIGHT, { message_types: ['/cosmos.gov.v10.MsgA'] }),
  ...SENDS.map((id) => proposalRow(id, HEIGHT, { message_types: [SEND] })),
]

const testStore = useTestStore(async (store) => {
  await clearReadModel(store)
  const marks = proposals.map(({ proposal_id: id }) => ({ id }))
  await seed(store, { height: HEIGHT, proposals, marks })
})

const setup = async () => {
  const rig = await createApiRig(testStore.store)
  const get = async (url: string) => (await rig.ask(url)).json()
  return { ...rig, get }
}

describe('the list by the type of messages', () => {
  const toIds = ({ items }: { items: { proposalId: string }[] }) =>
    items.map(({ proposalId }) => proposalId)

  it.each([
    [UPDATE, ['7']],
    [STORE_CODE, ['8', '7']],
    ['cosmwasm.wasm.v1.MsgStoreCode', ['8', '7']],
    ['cosmwasm', ['8', '7']],
    ['/cosmos.gov.v1', ['7']],
    ['cosmos.gov', ['9', '7']],
    ['cosmos.gov.v1.Msg', []],
    ['cosmos.go', []],
    ['/test.many.v1.MsgRare', ['5']],
    ['/test.many.v1.MsgOld', ['6']],
    ['test.many', ['6', '5']],
  ])('has the proposals with a message of %s', async (type, ids) => {
    const { get } = await setup()
    const list = await get(`/api/proposals?messageType=${encodeURIComponent(type)}`)
    expect(toIds(list)).toEqual(ids)
    expect(list.page.totalItems).toBe(ids.length)
  })

  it('has the first 20 types of each proposal, and the number of messages', async () => {
    const { get } = await setup()
    const { items } = await get('/api/proposals?messageType=test.many')
    expect(items).toMatchObject([
      { messageTypes: ['/test.many.v1.MsgOld'], messageCount: 1 },
      { messageTypes: MANY, messageCount: 10_000 },
    ])
  })

  it('has one URL for a type, and supports the other filters too', async () => {
    const { get } = await setup()
    const { links } = await get('/api/proposals?messageType=cosmos.gov&status=voting_period')
    expect(links.self).toBe('/api/proposals?status=voting_period&messageType=%2Fcosmos.gov&page=0')
    expect(toIds(await get('/api/proposals?messageType=cosmos.gov&q=proposal+9'))).toEqual(['9'])
    expect(toIds(await get('/api/proposals?messageType=cosmos.gov&status=passed'))).toEqual([])
  })

  it.each(['', '/', 'cosmos..gov', '.gov', 'gov.', "x' OR 1", 'a%00', 'a,b'])(
    'is refused for the type %o',
    async (type) => {
      const { ask } = await setup()
      const answer = await ask(`/api/proposals?messageType=${encodeURIComponent(type)}`)
      expectProblem(answer, 400, 'invalid-parameter')
      expect(answer.json().errors).toMatchObject([{ parameter: 'messageType' }])
    },
  )

  it('also filters the feed, whose entries name their message types', async () => {
    const { ask } = await setup()
    const { text } = await ask('/feed.atom?messageType=cosmwasm')
    expect([...text.matchAll(/<category term="(\/[^"]+)"/g)].map(([, term]) => term)).toEqual([
      STORE_CODE,
      UPDATE,
      STORE_CODE,
      EXEC,
    ])
  })

  it('can be paged by cursor to its end, and refuses its cursors for another type', async () => {
    const { ask, get } = await setup()
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const from = cursor === null ? '' : `&cursor=${cursor}`
      const list = await get(`/api/proposals?messageType=${encodeURIComponent(SEND)}${from}`)
      seen.push(...toIds(list))
      cursor = list.page.nextCursor
      const other = await ask(`/api/proposals?messageType=cosmwasm&cursor=${cursor}`)
      if (cursor !== null) expectProblem(other, 400, 'invalid-parameter')
    } while (cursor !== null)
    expect(seen).toEqual(SENDS.map(String).reverse())
  })
})
