// The API reference in a real browser: a page of the site, on all screen widths, in light and dark colors.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { findViolations, launchBrowser } from '../support/browser/browser.ts'
import { openPage } from '../support/browser/demo-browser.ts'
import { createDemoFolder } from '../support/process/demo-folder.ts'

let browser: Browser
let url: string
let clean: () => Promise<void>

beforeAll(async () => {
  const folder = await createDemoFolder()
  clean = folder.clean
  url = await folder.run({}).untilServing()
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await clean?.()
})

const open = async (width: number, colorScheme: 'light' | 'dark' = 'light', path = '/docs') => {
  const opened = await openPage(browser, `${url}${path}`, {
    viewport: { width, height: 844 },
    colorScheme,
  })
  onTestFinished(() => opened.page.context().close())
  return opened
}

const FIND_WIDE = `[document.documentElement, ...document.querySelectorAll('.scroll')]
  .filter((each) => each.scrollWidth > each.clientWidth)
  .map((each) => each.getAttribute('aria-label') ?? each.localName)`

const LOOK = `['body', 'h1', 'header.site', '.site-name', 'footer.site'].map((selector) => {
  const { color, backgroundColor, fontFamily, fontSize } = getComputedStyle(document.querySelector(selector))
  return [selector, color, backgroundColor, fontFamily, fontSize]
})`

describe('the API reference', () => {
  it.each([320, 390, 768, 1_280, 2_560])(
    'fits %i px across, with all of its tables',
    async (width) => {
      const { page, complaints } = await open(width)
      expect([await page.evaluate(FIND_WIDE), complaints]).toEqual([[], []])
    },
  )

  it.each(['light', 'dark'] as const)('looks like the status page in %s colors', async (scheme) => {
    const [docs, status] = [await open(1_280, scheme), await open(1_280, scheme, '/status')]
    expect(await docs.page.evaluate(LOOK)).toEqual(await status.page.evaluate(LOOK))
    expect(await docs.page.getByRole('search').isVisible()).toBe(true)
    expect(await docs.page.locator('header nav [aria-current]').textContent()).toBe('API reference')
    expect(docs.foreign).toEqual([])
  })

  it.each([390, 1_280])('has no axe violations at %i px', async (width) => {
    for (const scheme of ['light', 'dark'] as const) {
      const { page } = await open(width, scheme)
      expect(await findViolations(page)).toEqual([])
    }
  })

  it('begins with its text on a phone: the contents are folded', async () => {
    const { page } = await open(390)
    const first = await page.locator('.reference p').first().boundingBox()
    expect(first?.y).toBeLessThan(844)
  })

  it('links from its contents to an operation, which the keyboard can open', async () => {
    const { page } = await open(1_280)
    await page.locator('.contents summary').first().click()
    await page.click('nav a[href="#listProposalVotes"]')
    expect(page.url()).toBe(`${url}/docs#listProposalVotes`)
    await page.focus('#listProposalVotes summary')
    await page.keyboard.press('Enter')
    expect(await page.isVisible('#listProposalVotes details pre')).toBe(true)
  })
})

describe('the page of a problem', () => {
  it('looks like the other pages', async () => {
    const problem = await open(390, 'light', '/problems/proposal-not-found')
    const status = await open(390, 'light', '/status')
    expect(await problem.page.evaluate(LOOK)).toEqual(await status.page.evaluate(LOOK))
    expect(await findViolations(problem.page)).toEqual([])
  })
})
