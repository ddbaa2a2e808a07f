// `/feed.atom` with `pool` or `voter` over a real ClickHouse: votes, missed votes and last days, and what is refused.
import { expect, it } from 'vitest'
import { TABLES } from '../../projections/contract/tables.ts'
import { useListsRig } from '../support/api/lists-rig.ts'
import { BEFORE_VOTE, BIG_VOTE, FREQUENT, IDLE, insertRows } from '../support/api/lists-story.ts'
import { account } from '../support/simulator/addresses.ts'
import { tallyRow, timestampAt } from '../support/store/read-model-seed.ts'

const setup = useListsRig()

const findAll = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, one]) => one)
const findTitles = (text: string) => findAll(text, /<title>([^<·]+) ·/g)

it('the feed of an account has its votes, newest first', async () => {
  const { ask, get } = await setup()
  const { status, headers, text } = await ask(`/feed.atom?voter=${FREQUENT}`)
  expect([status, headers['content-type']]).toEqual([200, 'application/atom+xml; charset=utf-8'])
  const times = findAll(text, /<updated>([^<]+)<\/updated>/g).slice(1)
  expect(times).toEqual(times.toSorted().reverse())
  const { page } = await get(`/api/voters/${FREQUENT}/votes`)
  expect(times).toHaveLength(Math.min(page.totalItems, 100))
  expect(findTitles(text)).toContain('Voted yes on proposal 298')
  const { text: html } = await ask(`/voters/${FREQUENT}`, { headers: { accept: 'text/html' } })
  expect(html).toContain(`<a href="/feed.atom?voter=${FREQUENT}">Feed of its votes (Atom)</a>`)
})

it('the feed of a pool has the votes that it missed, and those on which it had not voted when their last day began', async () => {
  const { ask, tables } = await setup({ changes: true })
  const missed = [7, 6, 5, 4, 3, 2, 1].map((id) => `Missed the vote on proposal ${id}`)
  await insertRows(tables, TABLES.tallies.name, [
    tallyRow(BIG_VOTE, 61, { stake_height: '61', last_day_time: timestampAt(60) }),
    tallyRow(BEFORE_VOTE, 61, {
      stake_height: '61',
      pools_voted: null,
      matches_chain_reason: 'an endpoint is silent',
      last_day_time: timestampAt(59),
    }),
  ])
  const { text } = await ask(`/feed.atom?pool=${IDLE}`)
  expect(findTitles(text)).toEqual([
    `No vote on proposal ${BIG_VOTE} when its last day began`,
    `It is not known who voted on proposal ${BEFORE_VOTE} when its last day began`,
    ...missed,
  ])
  expect(text).toContain('It is not known who voted: an endpoint is silent')
  expect(text).not.toContain('1970-01-01')
})

it('the page of a validator links to its feed', async () => {
  const { ask } = await setup()
  const { text } = await ask(`/pools/${IDLE}`, { headers: { accept: 'text/html' } })
  const path = `/feed.atom?pool=${IDLE}`
  expect(text).toContain(`<a href="${path}">Feed of its votes (Atom)</a>`)
})

it('an unknown pool is 404, and another filter or an invalid address is 400', async () => {
  const { ask } = await setup()
  const unknown = await ask(`/feed.atom?pool=${account('unknown')}`)
  expect(unknown.status).toBe(404)
  for (const query of ['voter=x', `pool=${IDLE}&status=passed`, `pool=${IDLE}&voter=${FREQUENT}`]) {
    const refused = await ask(`/feed.atom?${query}`)
    expect([query, refused.status]).toEqual([query, 400])
  }
})
