// Pictures of pages, kept where `SCREENSHOTS` names a folder: for whoever wants to look at what a run has seen.
import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'

const FOLDER = process.env['SCREENSHOTS']

/** The whole page as PNG; `name` becomes its file's. */
export const takePicture = async (page: Page, name: string): Promise<Buffer> => {
  if (!FOLDER) return await page.screenshot({ fullPage: true })
  mkdirSync(FOLDER, { recursive: true })
  return await page.screenshot({ path: `${FOLDER}/${name}.png`, fullPage: true })
}
