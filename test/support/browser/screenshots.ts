// Pictures of pages, kept where `SCREENSHOTS` names a folder: for whoever wants to look at what a run has seen.
import { mkdirSync, writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'

const FOLDER = process.env['SCREENSHOTS']

/** By the browser's own protocol: the same pixels in half the time, as it need not look for the smallest file. */
const capture = async (page: Page): Promise<Buffer> => {
  const session = await page.context().newCDPSession(page)
  const { cssContentSize } = await session.send('Page.getLayoutMetrics')
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'png',
    captureBeyondViewport: true,
    optimizeForSpeed: true,
    clip: { ...cssContentSize, scale: 1 },
  })
  await session.detach()
  return Buffer.from(data, 'base64')
}

/** The whole page as PNG; `name` becomes its file's. */
export const takePicture = async (page: Page, name: string): Promise<Buffer> => {
  const picture = await capture(page)
  if (FOLDER) {
    mkdirSync(FOLDER, { recursive: true })
    writeFileSync(`${FOLDER}/${name}.png`, picture)
  }
  return picture
}
