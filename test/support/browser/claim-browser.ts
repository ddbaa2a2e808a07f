// A browser on the claim page that records requests and console errors, and checks accessibility and layout.
import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { findViolations } from './browser.ts'

/** A page with a record of its requests and console errors. */
export const openBrowserPage = async (browser: Browser, { javaScriptEnabled = true } = {}) => {
  const context = await browser.newContext({
    javaScriptEnabled,
    reducedMotion: 'reduce' as const,
    viewport: { width: 1280, height: 900 },
  })
  const page = await context.newPage()
  const requests: string[] = []
  const complaints: string[] = []
  context.on('request', (request) => requests.push(request.url()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    // The browser also reports each error response of the service.
    const isOfPage = !message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && isOfPage) complaints.push(message.text())
  })
  return { context, page, requests, complaints }
}

const VIEWS = [
  { width: 1280, colorScheme: 'light' },
  { width: 320, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
  { width: 2560, colorScheme: 'dark' },
] as const

/** Accessibility problems and horizontal overflow, in light and dark mode. */
export const expectSound = async (page: Page, name: string): Promise<void> => {
  for (const { width, colorScheme } of VIEWS) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const across = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    expect(across, `${name} at ${width}`).toBe(0)
    if (width !== 1280 && width !== 390) continue
    expect(await findViolations(page), `${name} in ${colorScheme}`).toEqual([])
  }
  await page.setViewportSize({ width: 1280, height: 900 })
}
