// Pages on paper: few, and without navigation.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../support/browser/browser.ts'
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

const countPrinted = (pdf: Buffer): number =>
  pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0

const NAVIGATION = 'header.site nav, .search, .skip, form, .table-tools, footer.site ul, .paging ul'

describe('a printed page', () => {
  it.each(['A4', 'Letter'])('of a proposal fits in five pages of %s', async (format) => {
    for (const name of ['proposal', 'two-messages', 'long-texts', 'failed'] as const) {
      const { page } = await openPage(browser, `${demo.url}${pages[name]}`)
      expect(countPrinted(await page.pdf({ format })), name).toBeLessThanOrEqual(5)
      await page.context().close()
    }
  })

  it('has no navigation, no forms and no tools', async () => {
    for (const [name, path] of Object.entries(pages)) {
      const { page } = await openPage(browser, `${demo.url}${path}`)
      await page.emulateMedia({ media: 'print' })
      expect([name, await page.locator(NAVIGATION).filter({ visible: true }).count()]).toEqual([
        name,
        0,
      ])
      await page.context().close()
    }
  })

  it('of a proposal has the names of the largest validators below the power map', async () => {
    const { page } = await openPage(browser, `${demo.url}${pages.proposal}`)
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('.power-map ol a:visible').count()).toBe(8)
    await page.context().close()
  })
})

describe('the power map', () => {
  it('opens a validator by a click on its rectangle, also on a small one', async () => {
    const { page } = await openPage(browser, `${demo.url}${pages.proposal}`, {
      viewport: { width: 1_280, height: 900 },
    })
    const small = page.locator('.power-map > svg > a').nth(2)
    const href = await small.getAttribute('href')
    await small.locator('rect').first().click()
    await page.waitForURL(`**${href}`)
    await page.context().close()
  })
})
