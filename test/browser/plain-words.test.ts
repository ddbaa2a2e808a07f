// The words of the pages: a reader who is no developer knows each of them. Texts of the chain are left out.
import type { Browser, Page } from 'playwright-core'
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

/** Words of operators and developers. */
const FORBIDDEN = [
  /\bnodes?\b/i,
  /\bSDK\b/,
  /\bprojections?\b/i,
  /\breplayable\b/i,
  /\b(?:un)?bond(?:ed|ing)\b/i,
  /\bbech32\b/i,
  /\bcursors?\b/i,
  /\bETag\b/,
  /\bheights?\b/i,
  /\bapp hash\b/i,
  /\bMessages\b/,
  /\bbase units?\b/i,
  /\bveto: more/,
]

/** Quoted texts, commands and drawings have other words. */
const OWN_TEXT = `(() => {
  const copy = document.body.cloneNode(true)
  for (const each of copy.querySelectorAll('bdi, .prose, code, pre, svg, #programs')) each.remove()
  return copy.textContent.replace(/\\s+/g, ' ')
})()`

const findForbidden = async (page: Page): Promise<string[]> => {
  const text = (await page.evaluate(OWN_TEXT)) as string
  return FORBIDDEN.flatMap((word) => {
    const at = text.search(word)
    return at < 0 ? [] : [`${word}: … ${text.slice(Math.max(0, at - 60), at + 60)} …`]
  })
}

describe('the own texts of a page', () => {
  it('have no word that only operators and developers know', async () => {
    for (const [name, path] of Object.entries(pages)) {
      const { page } = await openPage(browser, `${demo.url}${path}`)
      expect([name, await findForbidden(page)]).toEqual([name, []])
      await page.context().close()
    }
  })

  it('say in one sentence on the home page what the site is for', async () => {
    const sentence =
      'See every proposal of this chain, who voted how, and check the count yourself.'
    const { page } = await openPage(browser, `${demo.url}/`)
    expect(await page.locator('.lead').textContent()).toBe(sentence)
    expect(await page.locator('meta[name=description]').getAttribute('content')).toBe(sentence)
    await page.context().close()
    const markdown = await fetch(demo.url, { headers: { accept: 'text/markdown' } })
    expect(await markdown.text()).toContain(sentence)
  })

  it('say what a changed parameter means, next to its values', async () => {
    const { page } = await openPage(browser, `${demo.url}/proposals/2`)
    const values = page.locator('#messages dt', { hasText: 'quorum' }).locator('~ dd')
    expect((await values.allInnerTexts()).slice(0, 2)).toEqual([
      '33.4 % → 35 %',
      'The share of all voting power that must vote for a result to count.',
    ])
    await page.context().close()
  })

  it('say beside the status why a result was not compared', async () => {
    const { page } = await openPage(browser, `${demo.url}/proposals/12`)
    expect(await page.locator('#state').textContent()).toContain(
      'Not compared with the chain the proposal was canceled: there is no tally',
    )
    await page.context().close()
  })

  it('give the limits of a vote as sentences', async () => {
    const { page } = await openPage(browser, `${demo.url}/proposals/2`)
    const shown = (await page.locator('.rule').allInnerTexts()).join(' ').replace(/\s+/g, ' ')
    expect(shown).toContain('quorum: at least 33.4 % of all voting power')
    expect(shown).toContain('rejected if more than 33.4 % vote No with veto')
    await page.context().close()
  })
})
