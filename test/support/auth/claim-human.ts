// What a human does and sees on the claim page, in a browser.
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

export const confirmCode = (page: Page) => button(page, 'The codes match: continue').click()

/** Who reads why a test failed wants to know what the page said instead. */
const untilShown = async (page: Page, locator: ReturnType<Page['locator']>): Promise<void> => {
  try {
    await locator.waitFor({ timeout: 20_000 })
  } catch (cause) {
    throw new Error(`the page shows: ${await page.locator('main').ariaSnapshot()}`, { cause })
  }
}

/** Waits for the end; what it says is read out, and nothing of the secret stays in the address. */
export const expectEnd = async (page: Page, what: RegExp): Promise<void> => {
  await untilShown(page, page.getByRole('heading', { name: what }))
  expect(await page.evaluate('document.activeElement.textContent')).toMatch(what)
  expect([new URL(page.url()).pathname, new URL(page.url()).hash]).toEqual(['/delegation', ''])
}

/** Waits for what went wrong; whoever reads or listens is led there. */
export const expectProblem = async (page: Page, what: RegExp): Promise<void> => {
  await untilShown(page, page.getByRole('group', { name: what }))
  expect(await page.evaluate('document.activeElement.id')).toBe('problem')
}

/** Moves on with the keyboard until it stands on what is named, and presses it. */
export const pressByKeyboard = async (page: Page, name: RegExp): Promise<void> => {
  await expect
    .poll(async () => {
      await page.keyboard.press('Tab')
      return page.evaluate('document.activeElement.textContent')
    })
    .toMatch(name)
  await page.keyboard.press('Enter')
}
