// Starts the machine's Chromium and checks the accessibility of a page.
import axe from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'
import { browserPath } from '../suite/requirements.ts'

/** Chromium refuses its sandbox only to root. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: browserPath() ?? '',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })

type Violation = { id: string; nodes: { html: string }[] }

/** Problems that axe-core reports, by rule, with the elements. */
export const findViolations = async (page: Page): Promise<string[]> => {
  await page.evaluate(`if (!window.axe) { ${axe.source} }`)
  const found = (await page.evaluate(
    `axe.run(':root').then(({ violations }) => violations)`,
  )) as Violation[]
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
}
