// The sitemap over a real ClickHouse: what search engines find of proposals and validators.
import { expect, it } from 'vitest'
import { createApiRig } from '../support/api/api-rig.ts'
import { seedListsStory } from '../support/api/lists-story.ts'
import { useTestStore } from '../support/store/test-store.ts'

const testStore = useTestStore(seedListsStory)

it('the sitemap has every proposal with its last change, every validator and the pages', async () => {
  const rig = await createApiRig(testStore.store, { baseUrl: 'https://gov.example.org' })
  const { text, headers } = await rig.ask('/sitemap.xml')
  expect(headers['content-type']).toBe('application/xml; charset=utf-8')
  const proposals = [...text.matchAll(/proposals\/(\d+)<\/loc><lastmod>\d{4}-[^<]+Z<\/lastmod>/g)]
  expect(proposals.length).toBeGreaterThan(1)
  const { items } = (await rig.ask('/api/pools')).json()
  expect(items.length).toBeGreaterThan(1)
  for (const { operatorAddress } of items) expect(text).toContain(`/pools/${operatorAddress}</loc>`)
  expect(text).toContain('https://gov.example.org/status</loc>')
  const again = await rig.ask('/sitemap.xml', {
    headers: { 'if-none-match': headers['etag'] ?? '' },
  })
  expect(again.status).toBe(304)
  await rig.close()
})

it('the sitemap has its pages and proposals while the store does not respond', async () => {
  const rig = await createApiRig(testStore.store, { baseUrl: 'https://gov.example.org' })
  rig.store.isAway = true
  const { text, status } = await rig.ask('/sitemap.xml')
  expect([status, text.includes('/pools/')]).toEqual([200, false])
  expect(text).toMatch(/proposals\/\d+</)
  await rig.close()
})
