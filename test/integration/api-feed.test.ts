// `/feed.atom` over a real ClickHouse: pagination, filters, entity tag and errors.
import { expect, it } from 'vitest'
import { createApiRig } from '../support/api/api-rig.ts'
import { seedStory } from '../support/api/api-story.ts'
import { useTestStore } from '../support/store/test-store.ts'

const FEED = 'application/atom+xml; charset=utf-8'
const testStore = useTestStore(seedStory)

const setup = () => createApiRig(testStore.store, { baseUrl: 'https://gov.example.org' })

const findLink = (feed: string, rel: string): string | undefined =>
  new RegExp(
    `<link rel="${rel}" type="application/atom\\+xml" href="https://gov.example.org([^"]+)"`,
  )
    .exec(feed)?.[1]
    ?.replaceAll('&amp;', '&')

it('the feed has all proposals, by its links from page to page', async () => {
  const { ask } = await setup()
  const seen: string[] = []
  for (let url: string | undefined = '/feed.atom'; url; ) {
    const { status, headers, text } = await ask(url)
    expect([status, headers['content-type']]).toEqual([200, FEED])
    seen.push(
      ...[...text.matchAll(/href="[^"]+\/api\/proposals\/(\d+)"/g)].map(([, id]) => id ?? ''),
    )
    url = findLink(text, 'next')
  }
  expect(seen).toEqual(Array.from({ length: 45 }, (_, n) => `${45 - n}`))
})

it('the feed has an ETag, 304, HEAD and compression, for every Accept header', async () => {
  const { ask } = await setup()
  const first = await ask('/feed.atom', { headers: { accept: 'text/html' } })
  const etag = first.headers['etag'] ?? ''
  expect(etag).toMatch(/^"[^"]+"$/)
  expect(first.headers['content-type']).toBe(FEED)
  const again = await ask('/feed.atom', { headers: { 'if-none-match': etag } })
  expect([again.status, again.text]).toEqual([304, ''])
  const head = await ask('/feed.atom', { method: 'HEAD' })
  expect([head.status, head.text, head.headers['etag']]).toEqual([200, '', etag])
  const coded = await ask('/feed.atom', { headers: { 'accept-encoding': 'br' } })
  expect(coded.headers['content-encoding']).toBe('br')
  expect(coded.headers['etag']).not.toBe(etag)
})

it('the feed of a query has its proposals only, and an invalid query is refused', async () => {
  const { ask } = await setup()
  const { text } = await ask('/feed.atom?status=voting_period')
  const categories = [...text.matchAll(/<category term="([^"]+)" label=/g)].map(([, term]) => term)
  expect(new Set(categories)).toEqual(new Set(['voting_period']))
  expect(findLink(text, 'self')).toBe('/feed.atom?status=voting_period&page=0')
  const wrong = await ask('/feed.atom?page=x')
  expect([wrong.status, wrong.json().code]).toEqual([400, 'invalid-parameter'])
})
