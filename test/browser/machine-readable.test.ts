// Machine-readable parts of the pages in a real browser: structured data and the feed.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../support/browser/browser.ts'
import { openPage, startDemo } from '../support/browser/demo-browser.ts'

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

describe('a program that reads a page', () => {
  it.each(['/', '/proposals/2', '/proposals/4'])('finds structured data in %s', async (path) => {
    const { page, complaints } = await openPage(browser, `${demo.url}${path}`)
    const data = JSON.parse(
      (await page.locator('script[type="application/ld+json"]').textContent()) ?? '',
    )
    expect(data['@context']).toBe('https://schema.org')
    expect(['WebSite', 'Article']).toContain(data['@type'])
    expect(complaints).toEqual([])
    await page.context().close()
  })

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
