// Saves screenshots and prints of pages in the folder that `SCREENSHOTS` names, for review after a run.
import { mkdirSync, writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'

const FOLDER = process.env['SCREENSHOTS']

/** Uses the browser protocol: the same pixels in half the time, because it does not optimize the file size. */
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

export const saveFile = (name: string, content: Buffer | string): void => {
  if (!FOLDER) return
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(`${FOLDER}/${name}`, content)
}

/** The whole page as PNG; `name` is the file name. */
export const takePicture = async (page: Page, name: string): Promise<Buffer> => {
  const picture = await capture(page)
  saveFile(`${name}.png`, picture)
  return picture
}
