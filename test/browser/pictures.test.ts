// Screenshots of every HTML page in light and dark colors, on a phone and on a wide screen.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../support/browser/browser.ts'
import { openPage, startDemo } from '../support/browser/demo-browser.ts'
import { takePicture } from '../support/browser/screenshots.ts'
import { getJson } from '../support/process/rollcall-process.ts'

let demo: Awaited<ReturnType<typeof startDemo>>
let browser: Browser
let pool: string
let voter: string

type Items<Item> = { items: Item[] }

beforeAll(async () => {
  demo = await startDemo()
  browser = await launchBrowser()
  const pools = await getJson<Items<{ operatorAddress: string }>>(demo.url, '/api/pools')
  pool = pools.items[0]?.operatorAddress ?? ''
  const path = '/api/proposals/2/ballots'
  const ballots = await getJson<Items<{ voter: string }>>(demo.url, path)
  voter = ballots.items[0]?.voter ?? ''
})
afterAll(async () => {
  await browser?.close()
  await demo?.clean()
})

const PAGES = {
  home: () => '/',
  proposals: () => '/proposals?status=passed',
  proposal: () => '/proposals/2',
  'open-vote': () => '/proposals/14',
  pools: () => '/pools',
  pool: () => `/pools/${pool}`,
  voter: () => `/voters/${voter}`,
  status: () => '/status',
  reference: () => '/docs',
  'not-found': () => '/proposals/99999',
} as const
const NAMES = Object.keys(PAGES) as (keyof typeof PAGES)[]
const WIDTHS = { phone: 390, wide: 1_440 } as const

describe.each(NAMES)('the page %s', (name) => {
  it.each(Object.entries(WIDTHS))(
    'differs in light and dark colors on a %s screen, and does not scroll sideways',
    async (screen, width) => {
      const shown: Buffer[] = []
      for (const colorScheme of ['light', 'dark'] as const) {
        const { page } = await openPage(browser, demo.url + PAGES[name](), {
          colorScheme,
          reducedMotion: 'reduce',
          viewport: { width, height: 900 },
        })
        shown.push(await takePicture(page, `${name}-${screen}-${colorScheme}`))
        const across = 'document.documentElement.scrollWidth - innerWidth'
        expect(await page.evaluate(across)).toBe(0)
        await page.context().close()
      }
      expect(shown[0]?.equals(shown[1] ?? Buffer.alloc(0))).toBe(false)
    },
  )
})
