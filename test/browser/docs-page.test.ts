// The API reference in a real browser: Scalar under the policy of all pages, its console, and the page without a script.
import type { Browser, Page } from 'playwright-core'
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

type Options = NonNullable<Parameters<typeof openPage>[2]>

const open = async (width: number, { path = '/docs', ...options }: Options & { path?: string }) => {
  const opened = await openPage(browser, `${url}${path}`, {
    viewport: { width, height: 844 },
    ...options,
  })
  onTestFinished(() => opened.page.context().close())
  return opened
}

const openReference = async (width: number, options: Options = {}) => {
  const opened = await open(width, options)
  await opened.page.locator('.scalar-app h1').waitFor()
  return opened
}

const FIND_WIDE = `document.documentElement.scrollWidth - document.documentElement.clientWidth`

/** Of the style sheets that the policy would refuse inline. */
const findColor = (page: Page) =>
  page.evaluate(
    `getComputedStyle(document.querySelector('.scalar-app h1')).getPropertyValue('--scalar-color-1')`,
  )

describe('the API reference', () => {
  it.each([320, 390, 768, 1_280, 2_560])('fits %i px across, in its styles', async (width) => {
    const { page } = await openReference(width)
    expect(await page.evaluate(FIND_WIDE)).toBe(0)
    expect(await findColor(page)).not.toBe('')
  })

  it('loads nothing from another host, and no error is thrown', async () => {
    const { page, foreign, complaints } = await openReference(1_280)
    await page.getByText('List the votes per pool').first().waitFor()
    expect(foreign).toEqual([])
    expect(complaints.filter((text) => /\bError\b|script-src|connect-src/.test(text))).toEqual([])
    expect(await page.locator('header nav [aria-current]').textContent()).toBe('API reference')
  })

  it('tries an operation in its console, and shows what the service answers', async () => {
    const { page } = await openReference(1_280)
    await page.getByRole('button', { name: /Test Request.*get \/api\/proposals\)/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /^Send/ }).first().click()
    await dialog.getByText('200 OK').waitFor()
    await dialog.getByText('"proposalId"').first().waitFor()
  })

  it.each(['light', 'dark'] as const)(
    'has no axe violations in its line of links, %s',
    async (colorScheme) => {
      const { page } = await openReference(1_280, { colorScheme })
      expect(await findViolations(page, 'header.site')).toEqual([])
    },
  )

  it('without a script, names the OpenAPI document', async () => {
    const { page } = await open(390, { javaScriptEnabled: false })
    expect(await page.locator('main').textContent()).toContain('This page needs a script')
    await page.locator('main').getByRole('link', { name: 'OpenAPI' }).click()
    expect(page.url()).toBe(`${url}/openapi.json`)
  })
})

const LOOK = `['body', 'h1', 'header.site', '.site-name', 'footer.site'].map((selector) => {
  const { color, backgroundColor, fontFamily, fontSize } = getComputedStyle(document.querySelector(selector))
  return [selector, color, backgroundColor, fontFamily, fontSize]
})`

describe('the page of a problem', () => {
  it('looks like the other pages', async () => {
    const problem = await open(390, { path: '/problems/proposal-not-found' })
    const status = await open(390, { path: '/status' })
    expect(await problem.page.evaluate(LOOK)).toEqual(await status.page.evaluate(LOOK))
    expect(await findViolations(problem.page)).toEqual([])
  })
})
