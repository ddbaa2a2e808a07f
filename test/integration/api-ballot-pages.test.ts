// A filtered list of ballots keeps its pages while voters change their votes, with a real ClickHouse.
import { expect, it } from 'vitest'
import { TABLES } from '../../projections/contract/tables.ts'
import { useListsRig } from '../support/api/lists-rig.ts'
import {
  BALLOTS,
  BIG_VOTE,
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
