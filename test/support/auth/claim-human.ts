// The actions of a human on the claim page in a browser, and the expected texts.
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

export const confirmCode = (page: Page) => button(page, 'The codes match: continue').click()

/** A failure report contains the text of the page. */
const untilShown = async (page: Page, locator: ReturnType<Page['locator']>): Promise<void> => {
  try {
    await locator.waitFor({ timeout: 20_000 })
  } catch (cause) {
    throw new Error(`the page shows: ${await page.locator('main').ariaSnapshot()}`, { cause })
  }
}

/** Waits for the result: a screen reader announces it, and the URL no longer has the secret. */
export const expectEnd = async (page: Page, what: RegExp): Promise<void> => {
  await untilShown(page, page.getByRole('heading', { name: what }))
  expect(await page.evaluate('document.activeElement.textContent')).toMatch(what)
  expect([new URL(page.url()).pathname, new URL(page.url()).hash]).toEqual(['/delegation', ''])
}

/** Waits for the error, which has the focus and is announced. */
export const expectProblem = async (page: Page, what: RegExp): Promise<void> => {
  await untilShown(page, page.getByRole('group', { name: what }))
  expect(await page.evaluate('document.activeElement.id')).toBe('problem')
}

/** Moves the focus with the keyboard to the named control and presses it. */
export const pressByKeyboard = async (page: Page, name: RegExp): Promise<void> => {
  await expect
    .poll(async () => {
      await page.keyboard.press('Tab')
      return page.evaluate('document.activeElement.textContent')
    })
    .toMatch(name)
  await page.keyboard.press('Enter')
}
