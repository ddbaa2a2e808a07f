// The machine's own Chromium, and what a checker of accessibility finds wrong with a page in it.
import axe from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'
import { browserPath } from '../suite/requirements.ts'

/** A sandbox of its own is refused to root, and only to root. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: browserPath() ?? '',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })

type Violation = { id: string; nodes: { html: string }[] }

/** What axe-core finds wrong, by rule, with where. */
export const findViolations = async (page: Page): Promise<string[]> => {
  await page.evaluate(`if (!window.axe) { ${axe.source} }`)
  const found = (await page.evaluate(
    'axe.run().then(({ violations }) => violations)',
  )) as Violation[]
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
}
