// Screenshots and prints of every kind of page, and the accessibility tree of a proposal, for review after a run.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../support/browser/browser.ts'
import { openPage, startDemo } from '../support/browser/demo-browser.ts'
import { findReaderPages, READER_PAGES } from '../support/browser/demo-pages.ts'
import { saveFile, takePicture } from '../support/browser/screenshots.ts'

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

const WIDTHS = [320, 390, 768, 1_280]
const KINDS = [...READER_PAGES, 'reference'] as const
const toUrl = (kind: (typeof KINDS)[number]): string =>
  demo.url + (kind === 'reference' ? '/docs' : pages[kind])

describe.each(KINDS)('the page %s', (kind) => {
  it.each(WIDTHS)(
    'differs in light and dark colors on a screen of %i px, and does not scroll sideways',
    async (width) => {
      const shown: Buffer[] = []
      for (const colorScheme of ['light', 'dark'] as const) {
        const { page } = await openPage(browser, toUrl(kind), {
          colorScheme,
          reducedMotion: 'reduce',
          viewport: { width, height: 900 },
        })
        shown.push(await takePicture(page, `${kind}-${width}-${colorScheme}`))
        const across = 'document.documentElement.scrollWidth - innerWidth'
        expect(await page.evaluate(across)).toBe(0)
        await page.context().close()
      }
      expect(shown[0]?.equals(shown[1] ?? Buffer.alloc(0))).toBe(false)
    },
  )

  it('can be printed', async () => {
    const { page } = await openPage(browser, toUrl(kind))
    const pdf = await page.pdf({ format: 'A4' })
    saveFile(`${kind}.pdf`, pdf)
    expect(pdf.length).toBeGreaterThan(1_000)
    await page.context().close()
  })
})

describe('the accessibility tree of a proposal', () => {
  it('has its sections as headings in order', async () => {
    const { page } = await openPage(browser, toUrl('proposal'))
    const tree = await page.locator('body').ariaSnapshot()
    saveFile('proposal-accessibility.txt', tree)
    const headings = [...tree.matchAll(/heading "([^"]+)" \[level=2\]/g)].map(([, name]) => name)
    expect(headings).toEqual([
      'Tally',
      'Voting power by validator',
      'Description',
      'What it does',
      'Turnout over time',
      'Votes by validator',
      'Non-voting validators',
      'Check the count',
      'Proof',
      'Deposits',
      'Details',
    ])
    await page.context().close()
  })
})
