// The web UI over the demo chain in a real browser: accessible, live, and safe against hostile texts.
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { findViolations, launchBrowser } from '../support/browser/browser.ts'
import { createDemoFolder } from '../support/process/demo-folder.ts'
import { getJson, until } from '../support/process/rollcall-process.ts'

let browser: Browser
let url: string
let clean: () => Promise<void>
type Proposal = { proposalId: string; status: string; updatedAt: { height: number } }

beforeAll(async () => {
  const folder = await createDemoFolder()
  clean = folder.clean
  url = await folder.run({ env: { DEMO_BLOCK_MS: '2000' } }).untilServing()
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await clean?.()
})

const open = async (path: string, options: BrowserContextOptions = {}) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const complaints: string[] = []
  const origins: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('dialog', (dialog) => complaints.push(`dialog: ${dialog.message()}`))
  page.on('request', (request) => origins.push(new URL(request.url()).origin))
  const response = await page.goto(`${url}${path}`)
  expect(response?.status()).toBe(200)
  return { page, complaints, origins }
}

/** Hostile proposals: 4 (markup), 15 (many scripts and directions) and 17 (very long). */
const PAGES = [
  '/',
  '/proposals',
  '/proposals/4',
  '/proposals/11?round=1',
  '/proposals/15',
  '/proposals/17',
]

const openVote = () =>
  until('an open vote', 60_000, async () => {
    const { items } = await getJson<{ items: Proposal[] }>(
      url,
      '/api/proposals?status=voting_period',
    )
    return items[0]
  })

describe('the web UI', () => {
  it.each(['light', 'dark'] as const)('has no axe violations in %s colors', async (colorScheme) => {
    const { proposalId } = await openVote()
    for (const path of [...PAGES, `/proposals/${proposalId}`]) {
      const { page, complaints } = await open(path, { colorScheme })
      await page.evaluate(
        'for (const each of document.querySelectorAll("details")) each.open = true',
      )
      expect([path, await findViolations(page), complaints]).toEqual([path, [], []])
      await page.context().close()
    }
  })

  it('fits a phone without scrolling sideways, with and without scripts', async () => {
    for (const path of PAGES) {
      for (const javaScriptEnabled of [true, false]) {
        const { page, complaints, origins } = await open(path, {
          viewport: { width: 360, height: 740 },
          javaScriptEnabled,
        })
        const wide = await page.evaluate('document.documentElement.scrollWidth')
        expect([path, wide]).toEqual([path, 360])
        expect(await page.locator('h1').count()).toBe(1)
        expect([complaints, [...new Set(origins)]]).toEqual([[], [new URL(url).origin]])
        await page.context().close()
      }
    }
  })

  it('shows a split vote on a phone as one value next to its label, without the table heads', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const viewport = { width: 390, height: 844 }
      const { page } = await open('/proposals/6', { viewport, javaScriptEnabled })
      const cells = '.votes tr[data-choice="split"] td:nth-child(2)'
      const shown = (await page.evaluate(
        `[...document.querySelectorAll('${cells}')].map((cell) => cell.childNodes.length)`,
      )) as number[]
      expect(shown.length).toBeGreaterThan(0)
      expect(new Set(shown)).toEqual(new Set([1]))
      const head = await page.locator('.votes thead').boundingBox()
      expect(head?.height).toBeLessThanOrEqual(1)
      await page.context().close()
    }
  })

  it('sorts votes on a phone by a separate control, and shows the heads on keyboard focus', async () => {
    const { page } = await open('/proposals/6', { viewport: { width: 390, height: 844 } })
    await page.getByText('Filter and sort').click()
    await page.getByLabel('Sort by').selectOption('Voting power')
    const powers = (await page.evaluate(
      '[...document.querySelectorAll(".votes tbody td:nth-child(3)")].map((cell) => cell.dataset.sort)',
    )) as string[]
    const sorted = powers.map(BigInt).toSorted((one, other) => (one < other ? 1 : -1))
    expect(powers.map(BigInt)).toEqual(sorted)
    await page.locator('.votes thead button').first().focus()
    expect((await page.locator('.votes thead').boundingBox())?.height).toBeGreaterThan(20)
  })

  it('can be searched and navigated with forms and links only', async () => {
    const { page } = await open('/', { javaScriptEnabled: false })
    await page.fill('#site-search', 'quorum')
    await page.press('#site-search', 'Enter')
    await page.click('.entries h3 a')
    expect(new URL(page.url()).pathname).toBe('/proposals/2')
    await page.click('a[href="#evidence"]')
    expect(await page.locator('#evidence').textContent()).toContain('to the last unit')
  })

  it('can be used by keyboard alone', async () => {
    const { page } = await open('/proposals/14')
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').textContent()).toBe('Skip to the content')
    await page.keyboard.press('Enter')
    expect(await page.locator('main:focus').count()).toBe(1)
    await page.locator('.votes thead button').nth(2).focus()
    await page.keyboard.press('Enter')
    expect(await page.locator('[aria-sort="descending"]').count()).toBe(1)
    const powers = (await page.evaluate(
      '[...document.querySelectorAll(".votes tbody td:nth-child(3)")].map((cell) => cell.dataset.sort)',
    )) as string[]
    const sorted = powers.map(BigInt).toSorted((one, other) => (one < other ? 1 : -1))
    expect(powers.map(BigInt)).toEqual(sorted)
    await page.locator('#votes .table-tools input').fill('no such validator')
    expect(await page.locator('.votes tbody tr:visible').count()).toBe(0)
  })

  it('shows new votes in an open page, and keeps details that the reader opened', async () => {
    const { proposalId } = await openVote()
    const { page, complaints } = await open(`/proposals/${proposalId}`)
    await page.evaluate('document.body.dataset.mark = "not loaded again"')
    await page.locator('.votes thead button').nth(2).click()
    await page.locator('#evidence-how summary').focus()
    await page.keyboard.press('Enter')
    const shown = () => page.locator('#in-short').textContent()
    const before = await shown()
    await until('a vote to be counted', 60_000, async () =>
      (await shown()) === before ? undefined : true,
    )
    expect(await page.evaluate('document.body.dataset.mark')).toBe('not loaded again')
    expect(await page.locator('#evidence-how').getAttribute('open')).toBe('')
    expect(await page.locator('#votes .table-tools').count()).toBe(1)
    expect(await page.locator('.votes thead button').count()).toBe(5)
    expect(await page.locator('.votes [aria-sort="descending"]').count()).toBe(1)
    expect(await page.locator('#evidence-how summary:focus').count()).toBe(1)
    expect(complaints).toEqual([])
  })
})
