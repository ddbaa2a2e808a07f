// Lists of ballots keep their pages while voters change their votes, and leave out ballots that only an event has. With a real ClickHouse.
import { describe, expect, it } from 'vitest'
import { TABLES } from '../../projections/contract/tables.ts'
import { pointViews } from '../../projections/read-model/prepare.ts'
import { useListsRig, walkPages } from '../support/api/lists-rig.ts'
import {
  BALLOTS,
  BIG_VOTE,
  BUSY,
  ballotRow,
  createVoter,
  insertRows,
  LISTS_HEIGHT,
} from '../support/api/lists-story.ts'
import { seedMarks } from '../support/store/read-model-seed.ts'

const setup = useListsRig()

const BIG = `/api/proposals/${BIG_VOTE}/ballots`

type List = { items: { voter: string }[]; links: { next: string | null } }

it('the ballots of one option can be paged without a gap or a repeat while voters change their votes', async () => {
  const { get, tables, state } = await setup({ changes: true })
  const seen: string[] = []
  let url: string | null = `${BIG}?option=yes`
  for (let height = LISTS_HEIGHT + 1; url !== null; height++) {
    const list: List = await get(url)
    seen.push(...list.items.map(({ voter }) => voter))
    url = list.links.next
    const rank = height - LISTS_HEIGHT
    await insertRows(tables, TABLES.ballots.name, [
      ballotRow(BIG_VOTE, rank, { height, options: [{ option: 'no', weight: '1.0' }] }),
    ])
    await seedMarks(tables, { height, marks: [{ id: BIG_VOTE }] })
    await state.refresh()
  }
  expect(seen).toEqual(Array.from({ length: BALLOTS }, (_, rank) => createVoter(rank)))
  expect((await get(`${BIG}?option=yes`)).page.totalItems).toBe(BALLOTS - 3)
})

describe('ballots that only an event has', () => {
  const hide = (ranks: readonly number[], height: number) =>
    ranks.map((rank) => ballotRow(BIG_VOTE, rank, { height, in_state: false }))
  const isShown = (hidden: readonly number[]) => (rank: number) => !hidden.includes(rank)
  const RANKS = Array.from({ length: BALLOTS }, (_, rank) => rank)

  it('are on no page, and pages do not shift if a ballot becomes one of them', async () => {
    const { get, tables, state } = await setup({ changes: true })
    const first: List = await get(BIG)
    const hidden = [3, 1_000, 1_001, BALLOTS - 1]
    await insertRows(tables, TABLES.ballots.name, hide(hidden, LISTS_HEIGHT + 1))
    await seedMarks(tables, { height: LISTS_HEIGHT + 1, marks: [{ id: BIG_VOTE }] })
    await state.refresh()
    const rest = await walkPages(get, first.links.next ?? '')
    const seen = [first, ...rest].flatMap(({ items }) => items).map(({ voter }) => voter)
    const known = RANKS.filter((rank) => rank < 1_000 || isShown(hidden)(rank))
    expect(seen).toEqual(known.map(createVoter))
    const again = await walkPages(get, BIG)
    expect(again.flatMap(({ items }) => items).map(({ voter }) => voter)).toEqual(
      RANKS.filter(isShown(hidden)).map(createVoter),
    )
    for (const { page } of again) expect(page.totalItems).toBe(BALLOTS - hidden.length)
  })

  it('are in no filter, no format, no record of a voter, no turnout and no view', async () => {
    const { get, ask, tables, state } = await setup({ changes: true })
    const voter = createVoter(3)
    await insertRows(tables, TABLES.ballots.name, hide([3], LISTS_HEIGHT + 1))
    await seedMarks(tables, { height: LISTS_HEIGHT + 1, marks: [{ id: BIG_VOTE }] })
    await state.refresh()
    const filters = [`voter=${voter}`, 'option=yes', `delegatedTo=${BUSY}`, 'sort=power']
    const counts = filters.map(async (query) => (await get(`${BIG}?${query}`)).page.totalItems)
    expect(await Promise.all(counts)).toEqual([0, ...Array(3).fill(BALLOTS - 1)])
    const csv = await ask(`${BIG}?format=csv`)
    expect(csv.text).not.toContain(voter)
    expect(csv.headers['rollcall-total-items']).toBe(`${BALLOTS - 1}`)
    expect((await get(`/api/voters/${voter}/votes`)).page.totalItems).toBe(0)
    const html = await ask(`/proposals/${BIG_VOTE}/ballots`, { headers: { accept: 'text/html' } })
    expect(html.text).not.toContain(voter)
    const { items } = await get(`/api/proposals/${BIG_VOTE}/turnout`)
    expect(items.at(-1).ballots).toBe(BALLOTS - 1)
    await pointViews(tables, { control: 'rollcall', generation: 1 })
    const views = ['v_ballots', 'v_delegator_votes'].map((view) =>
      tables.select(`SELECT voter FROM rollcall.${view} WHERE voter = {voter:String}`, { voter }),
    )
    expect(await Promise.all(views)).toEqual([[], []])
  })
})
