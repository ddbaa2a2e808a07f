// What the pages offer to programs in a browser: tools for its own agent, data of schema.org, and the feed.
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

/** Stands for a browser that has an agent; keeps what it is offered. */
const doubleOn = (owner: 'document' | 'navigator') => `
  window.offered = []
  Object.defineProperty(${owner}, 'modelContext', {
    value: { registerTool: (tool) => { window.offered.push(tool) } },
  })`

type Result = { content: { type: string; text: string }[]; isError: boolean }

/** The chain goes on between two answers. */
const timeless = (answer: object): unknown =>
  JSON.parse(JSON.stringify(answer, (key, value) => (key === 'asOf' ? undefined : value)))

const openWith = (prepare: string) => openPage(browser, `${demo.url}/`, { prepare })

describe('a browser with an agent of its own', () => {
  it.each(['document', 'navigator'] as const)(
    'is offered every read tool on its %s',
    async (owner) => {
      const { page, complaints } = await openWith(doubleOn(owner))
      await page.waitForFunction(`window.offered.length === ${TOOLS.length}`)
      const offered = await page.evaluate(
        'window.offered.map(({ name, description, inputSchema, annotations }) => ({ name, description, inputSchema, annotations }))',
      )
      expect(offered).toEqual(
        TOOLS.map(({ name, description, inputSchema, annotations }) =>
          JSON.parse(JSON.stringify({ name, description, inputSchema, annotations })),
        ),
      )
      expect(complaints).toEqual([])
      await page.context().close()
    },
  )

  it('gets from a tool what REST gives, and is told where it may not have it', async () => {
    const { page } = await openWith(doubleOn('document'))
    await page.waitForFunction(`window.offered.length === ${TOOLS.length}`)
    const call = async (name: string, input: object) =>
      (await page.evaluate(
        `window.offered.find((tool) => tool.name === '${name}').execute(${JSON.stringify(input)})`,
      )) as Result
    for (const [name, input, path] of [
      ['get_proposal', { proposalId: '2' }, '/api/proposals/2'],
      ['list_proposals', { q: '35 %', page: 0 }, '/api/proposals?q=35+%25&page=0'],
      ['list_proposal_votes', { proposalId: '2', page: 0 }, '/api/proposals/2/votes?page=0'],
    ] as const) {
      const { content, isError } = await call(name, input)
      const fromMcp = JSON.parse(content[0]?.text ?? '')
      const fromApi = await getJson<Record<string, unknown>>(demo.url, path)
      expect(isError).toBe(false)
      expect(timeless(fromMcp)).toEqual(timeless(fromApi))
    }
    const refused = await call('get_proposal', { proposalId: '../../delegation' })
    expect(refused.isError).toBe(true)
    expect(JSON.parse(refused.content[0]?.text ?? '').code).toBe('invalid-parameter')
    await page.context().close()
  })

  it('that refuses a tool leaves the page as it is, as does one without an agent', async () => {
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

describe('a program that reads the page', () => {
  it.each(['/', '/proposals', '/proposals/2', '/proposals/4'])(
    'finds its facts as data in %s',
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

  it('finds the feed by the page’s link, and in it the proposals of the list', async () => {
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
    expect(feed.titles.some((title) => title.startsWith('2: Raise the quorum'))).toBe(true)
    await page.context().close()
  })
})
