// `/feed.atom?validator=` over a real ClickHouse: votes and missed votes, each form of the address, and what is refused.
import { expect, it } from 'vitest'
import { useListsRig } from '../support/api/lists-rig.ts'
import { BUSY, IDLE } from '../support/api/lists-story.ts'
import { account } from '../support/simulator/addresses.ts'

const setup = useListsRig()

const findAll = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, one]) => one)

it('the feed of a validator has the proposals that it voted on or missed, newest first', async () => {
  const { ask } = await setup()
  const busy = await ask(`/feed.atom?validator=${BUSY}`)
  expect([busy.status, busy.headers['content-type']]).toEqual([
    200,
    'application/atom+xml; charset=utf-8',
  ])
  expect(busy.text).toContain('<title>Voted yes on proposal 300 · “')
  const times = findAll(busy.text, /<updated>([^<]+)<\/updated>/g)
  expect(times.slice(1)).toEqual(times.slice(1).sort().reverse())
  const idle = await ask(`/feed.atom?validator=${IDLE}`)
  expect(findAll(idle.text, /<title>([^<·]+) ·/g)).toEqual(
    [7, 6, 5, 4, 3, 2, 1].map((id) => `Missed the vote on proposal ${id}`),
  )
  expect(idle.text).not.toContain('1970-01-01')
})

it('the pages of the feed have the votes of the list', async () => {
  const { ask, get } = await setup()
  const { page } = await get(`/api/pools/${BUSY}/votes`)
  let entries = 0
  for (let url: string | undefined = `/feed.atom?validator=${BUSY}`; url; ) {
    const { text } = await ask(url)
    entries += findAll(text, /<(entry)>/g).length
    url = /rel="next" [^>]*href="(?:https?:\/\/[^/]+)?([^"]+)"/
      .exec(text)?.[1]
      ?.replaceAll('&amp;', '&')
  }
  expect(page.totalPages).toBeGreaterThan(1)
  expect(entries).toBe(page.totalItems)
})

it('the page of a validator links to its feed', async () => {
  const { ask } = await setup()
  const { text } = await ask(`/pools/${BUSY}`, { headers: { accept: 'text/html' } })
  const path = `/feed.atom?validator=${BUSY}`
  expect(text).toContain(`<a href="${path}">Feed of its votes (Atom)</a>`)
  expect(text).toMatch(
    new RegExp(
      `<link rel="alternate" type="application/atom\\+xml" title="Votes of [^>]*href="${path.replace('?', '\\?')}"`,
    ),
  )
})

it('an unknown validator is 404, and another filter or an invalid address is 400', async () => {
  const { ask } = await setup()
  const unknown = await ask(`/feed.atom?validator=${account('unknown')}`)
  expect(unknown.status).toBe(404)
  for (const query of [`validator=x`, `validator=${BUSY}&status=passed`]) {
    const refused = await ask(`/feed.atom?${query}`)
    expect([query, refused.status]).toEqual([query, 400])
  }
})
