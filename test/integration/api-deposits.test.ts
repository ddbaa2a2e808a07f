// Tests of the deposits of a proposal in the API: from the events, in log order, each once.
import { describe, expect, it } from 'vitest'
import { createApiRig, expectProblem } from '../support/api/api-rig.ts'
import { createEvent, eventRow, insertRows } from '../support/api/lists-story.ts'
import { clearReadModel, proposalRow, seed } from '../support/store/read-model-seed.ts'
import { useTestStore } from '../support/store/test-store.ts'

const MANY = 7
const OTHER = 8
const NONE = 9
const DEPOSITS = 250

const deposit = (n: number, data: object = {}) =>
  createEvent('proposal.deposited', {
    height: 10 + Math.floor(n / 10),
    index: 4_096 * (n % 10),
    proposalId: MANY,
    data: {
      depositor: `test1depositor${n}`,
      txHash: 'AB'.repeat(32),
      amount: [{ denom: 'utest', amount: `${n + 1}` }],
      ...data,
    },
  })

const HUGE = `${2n ** 256n - 1n}`
const unnamed = {
  depositor: null,
  depositorReason: 'no message names it',
  txHash: null,
  amount: [
    { denom: 'ibc/AB', amount: HUGE },
    { denom: 'utest', amount: '3' },
  ],
}

const testStore = useTestStore(async (store) => {
  await clearReadModel(store)
  const events = Array.from({ length: DEPOSITS }, (_, n) => deposit(n, n === 1 ? unnamed : {}))
  const votes = Array.from({ length: 600 }, (_, n) =>
    createEvent('vote.cast', { height: 40, index: n, proposalId: MANY }),
  )
  const others = [
    createEvent('proposal.deposited', {
      height: 12,
      index: 70_000,
      proposalId: OTHER,
      data: { depositor: 'test1other', amount: [], txHash: null },
    }),
    // This height is not served yet.
    { ...deposit(0), height: 51, id: 'test-1/51/0' },
  ]
  const rows = [...events, ...votes, ...others].map((event) => eventRow(event))
  await insertRows(store, 'events', rows)
  // A delivery that is repeated after a crash.
  await insertRows(store, 'events', rows.slice(95, 105))
  await seed(store, {
    height: 50,
    proposals: [MANY, OTHER, NONE].map((id) => proposalRow(id, 50, { status: 'deposit_period' })),
    marks: [MANY, OTHER, NONE].map((id) => ({ id })),
  })
})

const setup = async () => {
  const rig = await createApiRig(testStore.store)
  const list = async (query = '') =>
    (await rig.ask(`/api/proposals/${MANY}/deposits${query}`)).json()
  return { ...rig, list }
}

describe('the deposits of a proposal', () => {
  it('are in log order, each once, with their position in the log', async () => {
    const { list } = await setup()
    const first = await list()
    expect(first.page).toMatchObject({ number: 0, size: 100, totalItems: DEPOSITS, totalPages: 3 })
    expect(first.items[0]).toEqual({
      depositor: 'test1depositor0',
      depositorReason: null,
      txHash: 'AB'.repeat(32),
      amount: [{ denom: 'utest', amount: '1' }],
      height: 10,
      time: '2026-11-21T00:00:10.000Z',
      eventId: deposit(0).id,
    })
    const pages = [first, await list('?page=1'), await list('?page=2')]
    const ids = pages.flatMap(({ items }) =>
      items.map(({ eventId }: { eventId: string }) => eventId),
    )
    expect(ids).toEqual(Array.from({ length: DEPOSITS }, (_, n) => deposit(n).id))
  })

  it('have exact coins, and null with the reason for an unknown depositor', async () => {
    const { list } = await setup()
    expect((await list()).items[1]).toMatchObject({
      depositor: null,
      depositorReason: 'no message names it',
      txHash: null,
      amount: unnamed.amount,
    })
  })

  it('are the same by cursor as by page number', async () => {
    const { list } = await setup()
    let cursor: string | null = (await list()).page.nextCursor
    const byCursor: unknown[] = []
    while (cursor !== null) {
      const page = await list(`?cursor=${cursor}`)
      byCursor.push(...page.items)
      cursor = page.page.nextCursor
    }
    const byPage = [...(await list('?page=1')).items, ...(await list('?page=2')).items]
    expect(byCursor).toEqual(byPage)
    expect((await list('?page=3')).items).toEqual([])
  })

  it('are not repeated on a page whose offset exceeds 32 bits', async () => {
    const { list } = await setup()
    // 42949673 * 100 = 2 ** 32 + 4.
    expect((await list('?page=42949673')).items).toEqual([])
  })

  it('have all coins of a deposit in one CSV cell', async () => {
    const { ask } = await setup()
    const { text } = await ask(`/api/proposals/${MANY}/deposits`, {
      headers: { accept: 'text/csv' },
    })
    expect(text.split('\r\n')[2]).toContain(`"${HUGE}ibc/AB 3utest"`)
  })

  it('belong to one proposal only, and are empty without deposits', async () => {
    const { ask } = await setup()
    const other = (await ask(`/api/proposals/${OTHER}/deposits`)).json()
    expect(other.items).toMatchObject([{ depositor: 'test1other', amount: [] }])
    const none = (await ask(`/api/proposals/${NONE}/deposits`)).json()
    expect([none.items, none.page.totalItems]).toEqual([[], 0])
    expectProblem(await ask('/api/proposals/4444/deposits'), 404, 'proposal-not-found')
  })
})
