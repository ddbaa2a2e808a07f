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
  return { url, folder: runFolder.folder, clean: runFolder.clean }
}

export type Opened = { page: Page; complaints: string[]; foreign: string[]; status: number }

/** A page with all console messages; `prepare` runs before the scripts of the page. */
export const openPage = async (
  browser: Browser,
  url: string,
  options: BrowserContextOptions & { prepare?: string } = {},
): Promise<Opened> => {
  const { prepare, ...rest } = options
  const context = await browser.newContext(rest)
  const page = await context.newPage()
  const complaints: string[] = []
  const foreign: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(url).origin) foreign.push(request.url())
  })
  if (prepare !== undefined) await context.addInitScript(prepare)
  const response = await page.goto(url, { waitUntil: 'load' })
  return { page, complaints, foreign, status: response?.status() ?? 0 }
}
