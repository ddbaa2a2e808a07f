// What people come for, from the home page to the answer in a real browser, with and without scripts.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { launchBrowser } from '../support/browser/browser.ts'
import { openPage, startDemo } from '../support/browser/demo-browser.ts'
import { getJson } from '../support/process/rollcall-process.ts'

type Pool = { operatorAddress: string; moniker: string; proposalsVoted: number }
type PoolRecord = { proposalId: string; vote: { options: { option: string }[] } | null }

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

const open = async (path: string, options: Parameters<typeof openPage>[2] = {}): Promise<Page> => {
  const { page } = await openPage(browser, `${demo.url}${path}`, options)
  onTestFinished(() => page.context().close())
  return page
}

const search = async (page: Page, text: string): Promise<void> => {
  await page.getByRole('searchbox').first().fill(text)
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
}

const getPath = (page: Page): string => decodeURIComponent(new URL(page.url()).pathname)

const SCRIPTS = [{ javaScriptEnabled: true }, { javaScriptEnabled: false }]

describe.each(SCRIPTS)('a person, with scripts: $javaScriptEnabled,', (options) => {
  it('finds the vote of a validator by its name', async () => {
    const { items } = await getJson<{ items: Pool[] }>(demo.url, '/api/pools')
    const pool = items.find(({ proposalsVoted }) => proposalsVoted > 2) as Pool
    const record = await getJson<{ items: PoolRecord[] }>(
      demo.url,
      `/api/pools/${pool.operatorAddress}/votes`,
    )
    const vote = record.items.find((each) => each.vote?.options[0]?.option === 'yes') as PoolRecord
    const page = await open('/', options)
    await search(page, pool.moniker.toLowerCase())
    expect(getPath(page)).toBe(`/pools/${pool.operatorAddress}`)
    const row = page.locator('tbody tr', {
      has: page.locator(`a[href="/proposals/${vote.proposalId}"]`),
    })
    expect(await row.first().textContent()).toContain('Yes')
  })

  it('finds the own ballot on a proposal by an address', async () => {
    type Ballot = { voter: string; txHash: string; height: number }
    const { items } = await getJson<{ items: Ballot[] }>(demo.url, '/api/proposals/2/ballots')
    const ballot = items[3] as Ballot
    const page = await open('/proposals/2', options)
    await page.getByRole('link', { name: 'All ballots, also of delegators' }).click()
    await page.getByText('Did an address vote? Filter and sort').click()
    await page.getByLabel('Did this address vote?').fill(ballot.voter.toUpperCase())
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.waitForURL('**voter=**')
    const rows = page.locator('tbody tr')
    expect(await rows.count()).toBe(1)
    const text = await rows.first().textContent()
    expect(text).toContain(ballot.voter)
    expect(text).toContain(`block ${ballot.height}, ${ballot.txHash.slice(0, 8)}`)
  })

  it('finds the validator that missed most votes, and the account that it votes with', async () => {
    const { items } = await getJson<{ items: Pool[] }>(demo.url, '/api/pools?sort=missed')
    const page = await open('/pools', options)
    await page.getByLabel('Sort by').selectOption('Missed votes')
    await page.getByRole('button', { name: 'Find' }).click()
    await page.waitForURL('**sort=missed**')
    const first = page.locator('tbody tr a').first()
    expect(await first.textContent()).toBe(items[0]?.moniker)
    await first.click()
    await page.waitForURL('**/pools/**')
    await page.locator('.facts a[href^="/voters/"]').click()
    await page.waitForURL('**/voters/**')
    await page.locator('.facts a[href^="/pools/"]').click()
    await page.waitForURL('**/pools/**')
    expect(getPath(page)).toBe(`/pools/${items[0]?.operatorAddress}`)
  })

  it('opens a proposal by its number from any page', async () => {
    for (const path of ['/', '/pools', '/status', '/nowhere']) {
      const page = await open(path, options)
      await search(page, '#14')
      expect([path, getPath(page)]).toEqual([path, '/proposals/14'])
    }
  })
})
