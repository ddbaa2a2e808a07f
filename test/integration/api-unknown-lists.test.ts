// Tests of lists whose items are not known: of a proposal from before the first indexed height, in every format.
import { describe, expect, it } from 'vitest'
import { createApiRig } from '../support/api/api-rig.ts'
import { createEvent, eventRow, insertRows } from '../support/api/lists-story.ts'
import { createMcpRig } from '../support/api/mcp-rig.ts'
import { clearReadModel, proposalRow, seed, tallyRow } from '../support/store/read-model-seed.ts'
import { useTestStore } from '../support/store/test-store.ts'

const CLOSED = 1
const OPEN = 2
const NEW = 3
const CANCELED = 4
const REASON = 'submitted before the first indexed height 10'

const before = {
  submitted_height: null,
  submitted_tx_hash: null,
  history: 'partial' as const,
  history_reason: REASON,
}

const testStore = useTestStore(async (store) => {
  await clearReadModel(store)
  const deposit = (proposalId: number) =>
    createEvent('proposal.deposited', {
      height: 20,
      index: proposalId,
      proposalId,
      data: { depositor: 'test1late', depositorReason: null, amount: [], txHash: null },
    })
  await insertRows(
    store,
    'events',
    [OPEN, NEW].map((id) => eventRow(deposit(id))),
  )
  await seed(store, {
    height: 50,
    proposals: [
      proposalRow(CLOSED, 20, { ...before, status: 'rejected' }),
      proposalRow(OPEN, 20, before),
      proposalRow(NEW, 20, { status: 'deposit_period', round: 0 }),
      proposalRow(CANCELED, 20, {
        ...before,
        status: 'canceled',
        round: 0,
        round_reason: 'the state of a canceled proposal has no votes',
      }),
    ],
    tallies: [
      tallyRow(CLOSED, 20, { final: true, ballots: null, pools_voted: null, pool_rows: 0 }),
      tallyRow(OPEN, 20, { ballots: 0, pools_voted: 0, pool_rows: 0 }),
    ],
    marks: [CLOSED, OPEN, NEW, CANCELED].map((id) => ({
      id,
      final: id === CLOSED || id === CANCELED,
    })),
  })
})

const setup = async () => {
  const { ask } = await createApiRig(testStore.store)
  const readPage = async (path: string) => (await ask(`/api/proposals/${path}`)).json()
  const { call } = await createMcpRig(testStore.store)
  return { ask, call, readPage }
}

const LISTS = ['votes', 'ballots', 'deposits'] as const

describe('a list of a proposal from before the first indexed height', () => {
  it.each(LISTS)('has no number of items if none is known: %s', async (list) => {
    const { readPage, ask } = await setup()
    for (const id of [CLOSED, CANCELED]) {
      for (const query of ['', list === 'ballots' ? '?option=yes' : '?page=3']) {
        const { items, page, links } = await readPage(`${id}/${list}${query}`)
        expect([items, page.totalItems, links.next]).toEqual([[], null, null])
      }
      expect((await readPage(`${id}`)).historyReason).toBe(REASON)
    }
    for (const format of ['csv', 'ndjson']) {
      const { headers, status } = await ask(`/api/proposals/${CLOSED}/${list}?format=${format}`)
      expect([status, headers['rollcall-total-items']]).toEqual([200, undefined])
    }
  })

  it('has 0 items if there are none', async () => {
    const { readPage } = await setup()
    for (const path of [`${OPEN}/votes`, `${OPEN}/ballots`, `${NEW}/votes`, `${NEW}/ballots`]) {
      expect([path, (await readPage(path)).page.totalItems]).toEqual([path, 0])
    }
  })

  it('never takes an unknown vote for a missing one', async () => {
    const { readPage, call } = await setup()
    for (const id of [CLOSED, OPEN, CANCELED]) {
      const { items, page, votedReason } = await readPage(`${id}/votes?voted=false`)
      expect([id, items, page.totalItems]).toEqual([id, [], null])
      expect(votedReason).toMatch(/not been read|still open|submitted before/)
    }
    expect((await readPage(`${NEW}/votes?voted=false`)).page.totalItems).toBe(0)
    const told = await call('list_proposal_votes', { proposalId: `${OPEN}`, voted: 'false' })
    expect(told.content[0].text).toContain('It is not known who voted: "the pools have not')
  })

  it('says why deposits are missing: all, the earlier ones, or none', async () => {
    const { readPage } = await setup()
    const seen = await Promise.all(
      [CLOSED, OPEN, NEW].map(async (id) => {
        const { page, historyReason } = await readPage(`${id}/deposits`)
        return [page.totalItems, historyReason]
      }),
    )
    expect(seen).toEqual([
      [null, REASON],
      [1, REASON],
      [1, null],
    ])
  })

  it('is not known on the page of the proposal, and in the tools', async () => {
    const { ask, call } = await setup()
    const read = async (path: string) =>
      (await ask(path, { headers: { accept: 'text/markdown' } })).text
    const closed = await read(`/proposals/${CLOSED}`)
    expect(closed).toContain('The deposits are not known: Rollcall does not have the submission.')
    expect(closed).toContain('The votes are not known.')
    expect(closed).toContain('submitted before block 10, the first one that Rollcall has')
    expect(await read(`/proposals/${OPEN}`)).toContain(
      'Earlier deposits are not known: Rollcall does not have the submission.',
    )
    expect(await read(`/proposals/${NEW}`)).not.toContain('not known: submitted')
    expect(await read(`/proposals/${CLOSED}/ballots`)).toContain('The votes are not known.')
    const tell = async (name: string, id: number) =>
      (await call(name, { proposalId: `${id}` })).content[0].text
    for (const name of ['list_proposal_votes', 'list_proposal_deposits']) {
      expect(await tell(name, CLOSED)).toContain('historyReason of the proposal has the reason')
    }
    expect(await tell('list_proposal_deposits', OPEN)).toContain(
      `Earlier deposits are not known: ${REASON}`,
    )
    expect(await tell('get_proposal', CLOSED)).toContain('The votes are not known')
  })
})
