// A person reads why a proposal failed, and reads votes on paper, in a real browser.
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { findViolations, launchBrowser } from '../support/browser/browser.ts'
import { openPage, startDemo } from '../support/browser/demo-browser.ts'
import { getJson } from '../support/process/rollcall-process.ts'

let demo: Awaited<ReturnType<typeof startDemo>>
let browser: Awaited<ReturnType<typeof launchBrowser>>
beforeAll(async () => {
  demo = await startDemo()
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await demo?.clean()
})

type Listed = { items: { proposalId: string; outcomeReason: string | null }[] }

const list = async (filter: string) =>
  (await getJson<Listed>(demo.url, `/api/proposals?${filter}`)).items

const open = async (path: string) => {
  const { page, complaints } = await openPage(browser, `${demo.url}${path}`)
  onTestFinished(() => page.context().close())
  return { page, complaints }
}

it('a person reads from the list why a proposal failed, with its numbers beside the status', async () => {
  const [failed] = await list('status=failed')
  const vetoed = (await list('status=rejected')).find((each) => each.outcomeReason === 'vetoed')
  const { page, complaints } = await open('/proposals')
  await page.locator(`#proposal-${failed?.proposalId} h3 a`).click()
  const reason = page.locator('#state .reason')
  await reason.waitFor()
  expect(await page.locator('#state').textContent()).toContain('Execution failed')
  expect(await reason.textContent()).toMatch(
    /The chain reports: “.*\sROLL is smaller than .*\sROLL/,
  )
  expect(await page.title()).toMatch(/^Proposal \d+ · Execution failed · turnout /)
  const box = await reason.boundingBox()
  expect(box?.y).toBeLessThan(500)

  await page.goto(`${demo.url}/proposals/${vetoed?.proposalId}`)
  expect(await reason.textContent()).toMatch(
    /^[\d.]+\s%\svoted No with veto\. A proposal is rejected/,
  )
  expect([await findViolations(page), complaints]).toEqual([[], []])
})

it('votes differ on paper and without color: each option has a texture of its own', async () => {
  const { page } = await open('/proposals/14')
  for (const media of ['screen', 'print'] as const) {
    await page.emulateMedia({ media })
    const fills = (await page.evaluate(`Object.fromEntries(['yes', 'no', 'veto', 'abstain'].map(
      (name) => [name, getComputedStyle(document.querySelector('svg.key .' + name)).fill]))`)) as Record<
      string,
      string
    >
    expect([media, new Set(Object.values(fills)).size]).toEqual([media, 4])
    for (const name of ['no', 'veto', 'abstain']) expect(fills[name]).toContain(`url("#${name}")`)
  }
})

it('times have their zone, in the language of the page', async () => {
  const { page } = await open('/proposals/14')
  const times = await page.locator('ol.timeline time').allTextContents()
  expect(times.length).toBeGreaterThan(1)
  for (const time of times) expect(time).toMatch(/^\d{1,2} [A-Z][a-z]{2,3} \d{4}, [\d:]{8} [A-Z]/)
})
