// A filter that finds nothing, over a real ClickHouse: the page says what is wrong, and links to what would be right.
import { expect, it } from 'vitest'
import { createApiRig } from '../support/api/api-rig.ts'
import { seedListsStory } from '../support/api/lists-story.ts'
import { account } from '../support/simulator/addresses.ts'
import { useTestStore } from '../support/store/test-store.ts'

const testStore = useTestStore(seedListsStory)

const setup = async () => {
  const rig = await createApiRig(testStore.store)
  const page = async (path: string) => {
    const { status, text } = await rig.ask(path, { headers: { accept: 'text/html' } })
    return { status, text, title: /<title>([^<]*)/.exec(text)?.[1] }
  }
  return { ...rig, page }
}

it('a filter by a text that is no address says so, and links to the search for it', async () => {
  const { page } = await setup()
  const { status, text } = await page('/proposals?proposer=foo')
  expect(status).toBe(200)
  expect(text).toContain('“foo” is not an address of an account.')
  expect(text).toContain('href="/search?q=foo"')
})

it('an account without proposals has links to its votes and to all proposals', async () => {
  const { page } = await setup()
  const address = account('never-proposed')
  const { text } = await page(`/proposals?proposer=${address}`)
  expect(text).toMatch(/No proposals of the account .* match/)
  expect(text).toContain(`href="/voters/${address}"`)
  expect(text).toContain('href="/proposals">See all proposals</a>')
})

it('a list of proposals has one name, with and without a filter', async () => {
  const { page } = await setup()
  for (const path of ['/proposals', '/proposals?status=passed', '/proposals?proposer=foo']) {
    const { title, text } = await page(path)
    expect([path, title]).toEqual([path, 'Proposals · Rollcall'])
    expect(text).toContain('<h1>Proposals</h1>')
  }
})
