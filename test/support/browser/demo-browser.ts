// The started demo chain in a real browser: shared setup of the web UI tests.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { createDemoFolder } from '../process/demo-folder.ts'
import { getJson, until } from '../process/rollcall-process.ts'

type Listed = { page: { totalItems: number } }

/** Waits for decided proposals and an open vote. */
export const startDemo = async (env: Readonly<Record<string, string>> = {}) => {
  const runFolder = await createDemoFolder()
  const url = await runFolder.run({ env }).untilServing()
  await until('decided and open proposals', 60_000, async () => {
    const { page } = await getJson<Listed>(url, '/api/proposals?status=passed,rejected')
    const open = await getJson<Listed>(url, '/api/proposals?status=voting_period')
    return page.totalItems > 0 && open.page.totalItems > 0 ? true : undefined
  })
  return { url, clean: runFolder.clean }
}

type Opened = { page: Page; complaints: string[]; foreign: string[] }

/** A page with all console messages, and its requests to other origins. */
export const openPage = async (
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Opened> => {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const complaints: string[] = []
  const foreign: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('dialog', (dialog) => complaints.push(`dialog: ${dialog.message()}`))
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(url).origin) foreign.push(request.url())
  })
  await page.goto(url, { waitUntil: 'load' })
  return { page, complaints, foreign }
}
