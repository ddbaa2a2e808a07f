// Machine-readable parts of the pages in a real browser: WebMCP tools, structured data and the feed.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TOOLS } from '../../api/mcp/tools.ts'
import { launchBrowser } from '../support/browser/browser.ts'
import { openPage, startDemo } from '../support/browser/demo-browser.ts'
import { getJson } from '../support/process/rollcall-process.ts'

let demo: Awaited<ReturnType<typeof startDemo>>
let browser: Awaited<ReturnType<typeof launchBrowser>>
beforeAll(async () => {
  demo = await startDemo()
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await demo?.clean()
})

/** Emulates a browser with an agent, and records the registered tools. */
const doubleOn = (owner: 'document' | 'navigator') => `
  window.registered = []
  Object.defineProperty(${owner}, 'modelContext', {
    value: { registerTool: (tool) => { window.registered.push(tool) } },
  })`

type Result = {
  content: { type: string; text: string }[]
  structuredContent?: object
  isError?: boolean
}

/** Ignores `asOf`: the chain adds blocks between two responses. */
const withoutAsOf = (answer: object): unknown =>
  JSON.parse(JSON.stringify(answer, (key, value) => (key === 'asOf' ? undefined : value)))

const openWith = (prepare: string) => openPage(browser, `${demo.url}/`, { prepare })

describe('a browser with an agent', () => {
  it.each(['document', 'navigator'] as const)(
    'gets every read tool registered on its %s',
    async (owner) => {
      const { page, complaints } = await openWith(doubleOn(owner))
      await page.waitForFunction(`window.registered.length === ${TOOLS.length}`)
      const registered = await page.evaluate(
        'window.registered.map(({ name, description, inputSchema, annotations }) => ({ name, description, inputSchema, annotations }))',
      )
      expect(registered).toEqual(
        TOOLS.map(({ name, description, inputSchema, annotations }) =>
          JSON.parse(JSON.stringify({ name, description, inputSchema, annotations })),
        ),
      )
      expect(complaints).toEqual([])
      await page.context().close()
    },
  )

  it('gets the same data from a tool as from REST, and an error for an invalid call', async () => {
    const { page } = await openWith(doubleOn('document'))
    await page.waitForFunction(`window.registered.length === ${TOOLS.length}`)
    const call = async (name: string, input: object) =>
      (await page.evaluate(
        `window.registered.find((tool) => tool.name === '${name}').execute(${JSON.stringify(input)})`,
      )) as Result
    for (const [name, input, path] of [
      ['list_proposals', { q: '35 %', page: 0 }, '/api/proposals?q=35+%25&page=0'],
      ['list_proposal_votes', { proposalId: '2', page: 1 }, '/api/proposals/2/votes?page=1'],
      ['list_pools', { page: 1 }, '/api/pools?page=1'],
    ] as const) {
      const { structuredContent = {}, isError } = await call(name, input)
      const fromApi = await getJson<Record<string, unknown>>(demo.url, path)
      expect(isError).toBeUndefined()
      expect(withoutAsOf(structuredContent)).toEqual(withoutAsOf(fromApi))
    }
    const refused = await call('get_proposal', { proposalId: '../../delegation' })
    expect(refused.isError).toBe(true)
    expect(refused.content[0]?.text).toContain('proposalId must be 1 to 20 digits')
    await page.context().close()
  })

  it('does not break the page if it refuses a tool or has no agent', async () => {
    const throwing = `Object.defineProperty(navigator, 'modelContext', {
      value: { registerTool: () => { throw new Error('no') } } })`
    for (const prepare of [throwing, '']) {
      const { page, complaints } = await openWith(prepare)
      await page.waitForLoadState('networkidle').catch(() => undefined)
      expect(complaints).toEqual([])
      await page.context().close()
    }
  })
})

describe('a program that reads a page', () => {
  it.each(['/', '/proposals', '/proposals/2', '/proposals/4'])(
    'finds structured data in %s',
    async (path) => {
      const { page, complaints } = await openPage(browser, `${demo.url}${path}`)
      const data = JSON.parse(
        (await page.locator('script[type="application/ld+json"]').textContent()) ?? '',
      )
      expect(data['@context']).toBe('https://schema.org')
      expect(['WebSite', 'Dataset', 'Article']).toContain(data['@type'])
      expect(complaints).toEqual([])
      await page.context().close()
    },
  )

  it('finds the feed by the link of the page, with the proposals of the list', async () => {
    const { page } = await openPage(browser, `${demo.url}/`)
    const feed = (await page.evaluate(`(async () => {
      const href = document.querySelector('link[type="application/atom+xml"]').href
      const text = await (await fetch(href)).text()
      const xml = new DOMParser().parseFromString(text, 'application/xml')
      return {
        isBroken: xml.querySelector('parsererror') !== null,
        titles: [...xml.querySelectorAll('entry > title')].map((title) => title.textContent),
      }
    })()`)) as { isBroken: boolean; titles: string[] }
    expect(feed.isBroken).toBe(false)
    const isOfTwo = (title: string) =>
      title.startsWith('Proposal 2 · ') && title.includes('“Raise the quorum')
    expect(feed.titles.some(isOfTwo)).toBe(true)
    await page.context().close()
  })
})
