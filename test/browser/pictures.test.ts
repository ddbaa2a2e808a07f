// Every page for people, by day and by night, on a phone and on a wide screen: seen, and kept where a folder is named for it.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../support/browser/browser.ts'
import { openPage, startDemo } from '../support/browser/people-browser.ts'
import { takePicture } from '../support/browser/screenshots.ts'
import { getJson } from '../support/process/rollcall-process.ts'

let demo: Awaited<ReturnType<typeof startDemo>>
let browser: Browser
let pages: Record<string, string>

type Items<Item> = { items: Item[] }

beforeAll(async () => {
  demo = await startDemo()
  browser = await launchBrowser()
  const [pool] = (await getJson<Items<{ operatorAddress: string }>>(demo.url, '/api/pools')).items
  const ballots = '/api/proposals/2/ballots'
  const [ballot] = (await getJson<Items<{ voter: string }>>(demo.url, ballots)).items
  pages = {
    home: '/',
    proposals: '/proposals?status=passed',
    proposal: '/proposals/2',
    'open-vote': '/proposals/14',
    pools: '/pools',
    pool: `/pools/${pool?.operatorAddress}`,
    voter: `/voters/${ballot?.voter}`,
    status: '/status',
    reference: '/docs',
    'not-found': '/proposals/99999',
  }
})
afterAll(async () => {
  await browser?.close()
  await demo?.clean()
})

const WIDTHS = { phone: 390, wide: 1_440 } as const

describe('every page for people', () => {
  it('has its own picture by day and by night, on a phone and on a wide screen', async () => {
    for (const [name, path] of Object.entries(pages)) {
      for (const [screen, width] of Object.entries(WIDTHS)) {
        const shown: Buffer[] = []
        for (const colorScheme of ['light', 'dark'] as const) {
          const { page } = await openPage(browser, demo.url + path, {
            ...{ colorScheme, reducedMotion: 'reduce', viewport: { width, height: 900 } },
          })
          shown.push(await takePicture(page, `${name}-${screen}-${colorScheme}`))
          const across = 'document.documentElement.scrollWidth - innerWidth'
          expect([name, screen, await page.evaluate(across)]).toEqual([name, screen, 0])
          await page.context().close()
        }
        expect([name, screen, shown[0]?.equals(shown[1] ?? Buffer.alloc(0))]).toEqual([
          ...[name, screen],
          false,
        ])
      }
    }
  })
})
