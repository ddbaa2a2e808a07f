// The API reference in a real browser: one request only, on all screen widths, in light and dark colors.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { docsPage } from '../../api/discovery/docs/page.ts'
import { aboutService } from '../support/api/discovery.ts'
import { launchBrowser } from '../support/browser/browser.ts'

let browser: Browser
let server: Server
let url: string
const requestedUrls: string[] = []

beforeAll(async () => {
  const about = aboutService()
  const headers = { 'content-type': docsPage.type, ...docsPage.headers?.(about) }
  const html = docsPage.write(about)
  server = createServer((request, response) => {
    requestedUrls.push(request.url ?? '')
    response.writeHead(200, headers).end(html)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs`
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  server?.close()
})

const open = async (options: { width: number; colorScheme: 'light' | 'dark' }) => {
  const { width, colorScheme } = options
  const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(url, { waitUntil: 'networkidle' })
  return { page, complaints }
}

type Rgb = readonly [number, number, number]

/** Relative luminance and contrast, WCAG 2.2. */
const luminance = (rgb: Rgb): number => {
  const [red = 0, green = 0, blue = 0] = rgb.map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const contrast = (one: Rgb, other: Rgb): number => {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

const parseRgb = (text: string): Rgb => {
  const [red = 0, green = 0, blue = 0] = (text.match(/\d+/g) ?? []).map(Number)
  return [red, green, blue]
}

describe('the API reference', () => {
  it.each([320, 768, 1440, 2560])('fits %i px across without scrolling sideways', async (width) => {
    const { page, complaints } = await open({ width, colorScheme: 'light' })
    const { scrollWidth, clientWidth } = (await page.evaluate(
      '({ scrollWidth: document.documentElement.scrollWidth, clientWidth: document.documentElement.clientWidth })',
    )) as { scrollWidth: number; clientWidth: number }
    expect(scrollWidth).toBe(clientWidth)
    expect(complaints).toEqual([])
  })

  it('sends no requests except for the page', async () => {
    requestedUrls.length = 0
    await open({ width: 1024, colorScheme: 'light' })
    expect(requestedUrls).toEqual(['/docs'])
  })

  it.each(['light', 'dark'] as const)('has enough contrast in %s colors', async (colorScheme) => {
    const { page } = await open({ width: 1024, colorScheme })
    const style = async (selector: string, name: string) =>
      parseRgb(
        (await page.evaluate(
          `getComputedStyle(document.querySelector('${selector}')).${name}`,
        )) as string,
      )
    const back = await style('body', 'backgroundColor')
    expect(luminance(back) > 0.5).toBe(colorScheme === 'light')
    for (const selector of ['p', 'a[href^="#"]', '.soft', 'nav h2']) {
      expect(contrast(await style(selector, 'color'), back)).toBeGreaterThanOrEqual(4.5)
    }
    expect(
      contrast(await style('pre code', 'color'), await style('pre', 'backgroundColor')),
    ).toBeGreaterThanOrEqual(4.5)
  })

  it('links from its contents to an operation, which the keyboard can open', async () => {
    const { page } = await open({ width: 1440, colorScheme: 'light' })
    await page.click('nav a[href="#listProposalVotes"]')
    expect(page.url()).toBe(`${url}#listProposalVotes`)
    await page.focus('#listProposalVotes summary')
    await page.keyboard.press('Enter')
    expect(await page.isVisible('#listProposalVotes details pre')).toBe(true)
  })
})
