// The pages on narrow screens: nothing is wider than the screen, and what readers look for is near the top.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findViolations, launchBrowser } from '../support/browser/browser.ts'
import { openPage, startDemo } from '../support/browser/demo-browser.ts'
import { findReaderPages } from '../support/browser/demo-pages.ts'

let demo: Awaited<ReturnType<typeof startDemo>>
let browser: Browser
let pages: Awaited<ReturnType<typeof findReaderPages>>

beforeAll(async () => {
  demo = await startDemo()
  pages = await findReaderPages(demo.url)
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await demo?.clean()
})

const open = async (path: string, width: number, options: { javaScriptEnabled?: boolean } = {}) => {
  const viewport = { width, height: 844 }
  const { page } = await openPage(browser, `${demo.url}${path}`, { viewport, ...options })
  return page
}

const OPEN_ALL = 'for (const each of document.querySelectorAll("details")) each.open = true'

/** The page, and the parts that scroll by themselves, such as a table. Code keeps its lines. */
const FIND_WIDE = `[document.documentElement, ...document.querySelectorAll('.scroll, .prose table')]
  .filter((each) => each.scrollWidth > each.clientWidth)
  .map((each) => each.getAttribute('aria-label') ?? each.localName)`

describe.each([320, 390, 768, 1_280])('a screen of %i px', (width) => {
  it('is as wide as each page and each table, also with all details open', async () => {
    for (const [name, path] of Object.entries(pages)) {
      const page = await open(path, width)
      expect([name, await page.evaluate(FIND_WIDE)]).toEqual([name, []])
      await page.evaluate(OPEN_ALL)
      expect([name, await page.evaluate(FIND_WIDE)]).toEqual([name, []])
      await page.context().close()
    }
  })
})

describe('a phone', () => {
  it('has the votes of a proposal within six screens, whatever the length of its texts', async () => {
    for (const width of [320, 390]) {
      for (const name of ['proposal', 'two-messages', 'open-vote', 'long-texts'] as const) {
        const page = await open(pages[name], width)
        const top = 'document.querySelector("#votes").getBoundingClientRect().top / innerHeight'
        expect(await page.evaluate(top), `${name} at ${width}`).toBeLessThan(6)
        await page.context().close()
      }
    }
  })

  it('shows the first proposal of the list on the first screen, with and without scripts', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const page = await open(pages['all-proposals'], 320, { javaScriptEnabled })
      const first = await page.locator('.entry').first().boundingBox()
      expect((first?.y ?? 0) + (first?.height ?? 0)).toBeLessThan(844)
      await page.context().close()
    }
  })

  it('folds a long description after its first paragraph, and a short one is whole', async () => {
    const long = await open(pages['long-texts'], 390)
    expect(await long.locator('#rest-of-text').getAttribute('open')).toBe(null)
    const shown = await long.locator('#text > .prose').textContent()
    expect(shown?.length).toBeGreaterThan(100)
    expect(shown?.length).toBeLessThan(1_500)
    await long.context().close()
    const short = await open(pages.proposal, 390)
    expect(await short.locator('#rest-of-text').count()).toBe(0)
    await short.context().close()
  })
})

describe('the filters of the list of proposals', () => {
  it('are folded, named in the summary, and in the address', async () => {
    const page = await open('/proposals', 390)
    expect(await page.getByLabel('Status').isVisible()).toBe(false)
    await page.getByText('Filter the list').click()
    await page.getByLabel('Status').selectOption('Passed')
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.waitForURL('**/proposals?status=passed**')
    expect(await page.locator('#filters summary').textContent()).toBe('Filters: Passed')
    expect(await findViolations(page)).toEqual([])
    await page.goto(`${demo.url}/proposals?status=passed&q=no-such-words`)
    expect(await page.locator('#found').textContent()).toContain('No proposals match.')
    await page.context().close()
  })
})

describe('the filters of the votes', () => {
  const setup = async (fragment = '') => {
    const page = await open(`/proposals/14${fragment}`, 390)
    return {
      page,
      shown: () => page.locator('.votes tbody tr:visible').count(),
      count: () => page.locator('.table-tools [role=status]').textContent(),
    }
  }

  it('are folded on a phone, and open on a wide screen', async () => {
    const { page } = await setup()
    expect(await page.getByLabel('Filter by validator').isVisible()).toBe(false)
    await page.context().close()
    const wide = await open('/proposals/14', 1_280)
    expect(await wide.getByLabel('Filter by validator').isVisible()).toBe(true)
    await wide.context().close()
  })

  it('say how many validators match, and if none does', async () => {
    const { page, shown, count } = await setup()
    const all = await shown()
    await page.getByText('Filter and sort').click()
    await page.locator('.table-tools select').first().selectOption('No')
    const some = await shown()
    expect(some).toBeGreaterThan(0)
    expect(await count()).toBe(`${some} of ${all} validators`)
    await page.getByLabel('Filter by validator').fill('no such name')
    expect(await count()).toBe(`No validators match: 0 of ${all} validators`)
    expect(await findViolations(page)).toEqual([])
    await page.context().close()
  })

  it('are in the address, which another reader can open', async () => {
    const { page, shown } = await setup()
    await page.getByText('Filter and sort').click()
    await page.locator('.table-tools select').first().selectOption('Did not vote')
    await page.getByLabel('Filter by validator').fill('har')
    expect(await page.evaluate('location.hash')).toBe('#votes?validator=har&vote=none')
    const some = await shown()
    await page.context().close()
    const other = await setup('#votes?validator=har&vote=none')
    expect(await other.shown()).toBe(some)
    expect(await other.page.locator('#votes').boundingBox()).toMatchObject({
      y: expect.any(Number),
    })
    await other.page.getByText('Filter and sort').click()
    expect(await other.page.getByLabel('Filter by validator').inputValue()).toBe('har')
    await other.page.getByLabel('Filter by validator').fill('')
    await other.page.locator('.table-tools select').first().selectOption('Any')
    expect(await other.page.evaluate('location.hash')).toBe('#votes')
    await other.page.context().close()
  })
})
