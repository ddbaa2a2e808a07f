// The pages of readers over the demo chain in a real browser: accessible, live, safe against hostile texts, on narrow screens and on
// paper. People find what they come for, with and without scripts.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { findViolations, launchBrowser } from '../support/browser/browser.ts'
import { openPage, startDemo } from '../support/browser/demo-browser.ts'
import { getJson, until } from '../support/process/rollcall-process.ts'

let demo: Awaited<ReturnType<typeof startDemo>>
let browser: Browser
/** By kind. */
let pages: Record<string, string>

type Items<Item> = { items: Item[] }

beforeAll(async () => {
  demo = await startDemo({ DEMO_BLOCK_MS: '2000' })
  browser = await launchBrowser()
  const { url } = demo
  const pools = await getJson<Items<{ operatorAddress: string }>>(url, '/api/pools')
  const ballots = await getJson<Items<{ voter: string }>>(url, '/api/proposals/2/ballots')
  pages = {
    home: '/',
    proposals: '/proposals',
    passed: '/proposals?status=passed',
    proposal: '/proposals/2',
    failed: '/proposals/6',
    canceled: '/proposals/12',
    'two-messages': '/proposals/14',
    'long-texts': '/proposals/17',
    'open-vote': '/proposals/20',
    ballots: '/proposals/2/ballots',
    search: '/search?q=quorum',
    pools: '/pools',
    pool: `/pools/${pools.items[0]?.operatorAddress}`,
    'voter-look-up': '/voters',
    voter: `/voters/${ballots.items[0]?.voter}`,
    status: '/status',
    'not-found': '/proposals/99999',
  }
})
afterAll(async () => {
  await browser?.close()
  await demo?.clean()
})

/** Hostile: 4 (markup), 15 (many scripts and directions) and 17 (very long). */
const CHECKED_BY_AXE = [
  '/',
  '/proposals',
  '/proposals/4',
  '/proposals/11?round=1',
  '/proposals/15',
  '/proposals/17',
  '/proposals/20',
]

const DESKTOP = { width: 1280, height: 900 }
const PHONE = { width: 390, height: 844 }

const open = async (path = '', options: BrowserContextOptions = {}) => {
  const opened = await openPage(browser, `${demo.url}${path}`, { viewport: DESKTOP, ...options })
  onTestFinished(() => opened.page.context().close())
  return opened
}

const openOnPhone = async (path = ''): Promise<Page> => (await open(path, { viewport: PHONE })).page

const OPEN_ALL = 'for (const each of document.querySelectorAll("details")) each.open = true'

/** The page, and the parts that scroll by themselves, such as a table. Code keeps its lines. */
const FIND_WIDE = `[document.documentElement, ...document.querySelectorAll('.scroll, .prose table')]
  .filter((each) => each.scrollWidth > each.clientWidth)
  .map((each) => each.getAttribute('aria-label') ?? each.localName)`

const expectSortedByPower = async (page: Page): Promise<void> => {
  const powers = (await page.evaluate(
    '[...document.querySelectorAll(".votes tbody td:nth-child(3)")].map((cell) => cell.dataset.sort)',
  )) as string[]
  const sorted = powers.map(BigInt).toSorted((one, other) => (one < other ? 1 : -1))
  expect(powers.map(BigInt)).toEqual(sorted)
}

describe('a page of a proposal', () => {
  // The first, because the demo chain ends after some minutes.
  it('shows new votes while it is open, and keeps details that the reader opened', async () => {
    const { items } = await getJson<Items<{ proposalId: string }>>(
      demo.url,
      '/api/proposals?status=voting_period',
    )
    const { page, complaints } = await open(`/proposals/${items[0]?.proposalId}`)
    await page.evaluate('document.body.dataset.mark = "not loaded again"')
    await page.locator('.votes thead button').nth(2).click()
    await page.locator('#evidence-how summary').focus()
    await page.keyboard.press('Enter')
    const shown = () => page.locator('#in-short').textContent()
    const before = await shown()
    await until('a vote to be counted', 60_000, async () =>
      (await shown()) === before ? undefined : true,
    )
    expect(await page.evaluate('document.body.dataset.mark')).toBe('not loaded again')
    expect(await page.locator('#evidence-how').getAttribute('open')).toBe('')
    expect(await page.locator('#votes .table-tools').count()).toBe(1)
    expect(await page.locator('.votes [aria-sort="descending"]').count()).toBe(1)
    expect(await page.locator('#evidence-how summary:focus').count()).toBe(1)
    expect(complaints).toEqual([])
  })

  it('can be used by keyboard alone', async () => {
    const { page } = await open('/proposals/14')
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').textContent()).toBe('Skip to the content')
    await page.keyboard.press('Enter')
    expect(await page.locator('main:focus').count()).toBe(1)
    await page.locator('.votes thead button').nth(2).focus()
    await page.keyboard.press('Enter')
    expect(await page.locator('[aria-sort="descending"]').count()).toBe(1)
    await expectSortedByPower(page)
  })

  it('opens a validator by a click on its rectangle in the power map, also on a small one', async () => {
    const { page } = await open(pages['proposal'])
    const small = page.locator('.power-map > svg > a').nth(2)
    const href = await small.getAttribute('href')
    await small.locator('rect').first().click()
    await page.waitForURL(`**${href}`)
  })
})

describe('each page', () => {
  it.each([
    ['light', DESKTOP],
    ['dark', PHONE],
  ] as const)(
    'has no axe violations in %s colors, fits its screen, and loads nothing of another origin',
    async (colorScheme, viewport) => {
      for (const path of CHECKED_BY_AXE) {
        const { page, complaints, foreign } = await open(path, { colorScheme, viewport })
        await page.evaluate(OPEN_ALL)
        expect([path, await findViolations(page), complaints, foreign]).toEqual([path, [], [], []])
        const wide = await page.evaluate('document.documentElement.scrollWidth')
        expect(wide, path).toBe(viewport.width)
        await page.context().close()
      }
    },
  )

  it.each([320, 390, 768, 1_280])(
    'is as wide as a screen of %i px, and each table too, also with all details open',
    async (width) => {
      for (const [name, path] of Object.entries(pages)) {
        const { page } = await open(path, { viewport: { width, height: 844 } })
        expect([name, await page.evaluate(FIND_WIDE)]).toEqual([name, []])
        await page.evaluate(OPEN_ALL)
        expect([name, await page.evaluate(FIND_WIDE)]).toEqual([name, []])
        await page.context().close()
      }
    },
  )

  it('has no navigation, no forms and no tools on paper, and a proposal has at most five sheets', async () => {
    const navigation =
      'header.site nav, .search, .skip, form, .table-tools, footer.site ul, .paging ul'
    for (const [name, path] of Object.entries(pages)) {
      const { page } = await open(path)
      await page.emulateMedia({ media: 'print' })
      const shown = await page.locator(navigation).filter({ visible: true }).count()
      expect([name, shown]).toEqual([name, 0])
      if (['proposal', 'two-messages', 'long-texts', 'failed'].includes(name)) {
        const pdf = (await page.pdf({ format: 'A4' })).toString('latin1')
        expect(pdf.match(/\/Type\s*\/Page\b/g)?.length, name).toBeLessThanOrEqual(5)
      }
      await page.context().close()
    }
  })
})

describe('a phone', () => {
  it('shows a split vote as one value next to its label, and sorts votes by a separate control', async () => {
    const page = await openOnPhone('/proposals/6')
    const cells = '.votes tr[data-choice="split"] td:nth-child(2)'
    const shown = (await page.evaluate(
      `[...document.querySelectorAll('${cells}')].map((cell) => cell.childNodes.length)`,
    )) as number[]
    expect(new Set(shown)).toEqual(new Set([1]))
    await page.getByText('Filter and sort').click()
    await page.getByLabel('Sort by').selectOption('Voting power')
    await expectSortedByPower(page)
    // The heads are shown on keyboard focus only.
    const readHeight = async () => (await page.locator('.votes thead').boundingBox())?.height
    expect(await readHeight()).toBeLessThanOrEqual(1)
    await page.locator('.votes thead button').first().focus()
    expect(await readHeight()).toBeGreaterThan(20)
  })

  it('has the votes of a proposal within six screens, whatever the length of its texts', async () => {
    for (const name of ['proposal', 'two-messages', 'open-vote', 'long-texts']) {
      const { page } = await open(pages[name], { viewport: { width: 320, height: 844 } })
      const top = 'document.querySelector("#votes").getBoundingClientRect().top / innerHeight'
      expect(await page.evaluate(top), name).toBeLessThan(6)
    }
  })

  it('shows the first proposal of the list on the first screen, with and without scripts', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const viewport = { width: 320, height: 844 }
      const { page } = await open('/proposals', { viewport, javaScriptEnabled })
      const first = await page.locator('.entry').first().boundingBox()
      expect((first?.y ?? 0) + (first?.height ?? 0)).toBeLessThan(844)
    }
  })

  it('folds the filters of the list, which are in the summary and in the address', async () => {
    const page = await openOnPhone('/proposals')
    expect(await page.getByLabel('Status').isVisible()).toBe(false)
    await page.getByText('Filter the list').click()
    await page.getByLabel('Status').selectOption('Passed')
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.waitForURL('**/proposals?status=passed**')
    expect(await page.locator('#filters summary').textContent()).toBe('Filters: Passed')
    expect(await findViolations(page)).toEqual([])
  })

  it('folds the filters of votes, which say how many validators match and are in the address', async () => {
    const setup = async (fragment = '') => {
      const page = await openOnPhone(`/proposals/14${fragment}`)
      return { page, shown: () => page.locator('.votes tbody tr:visible').count() }
    }
    const { page, shown } = await setup()
    const all = await shown()
    expect(await page.getByLabel('Filter by validator').isVisible()).toBe(false)
    await page.getByText('Filter and sort').click()
    await page.locator('.table-tools select').first().selectOption('Did not vote')
    await page.getByLabel('Filter by validator').fill('har')
    expect(await page.evaluate('location.hash')).toBe('#votes?validator=har&vote=none')
    const some = await shown()
    expect(some).toBeGreaterThan(0)
    const count = page.locator('.table-tools [role=status]')
    expect(await count.textContent()).toBe(`${some} of ${all} validators`)
    expect(await findViolations(page)).toEqual([])

    const other = await setup('#votes?validator=har&vote=none')
    expect(await other.shown()).toBe(some)
    await other.page.getByText('Filter and sort').click()
    await other.page.getByLabel('Filter by validator').fill('no such name')
    expect(await other.page.locator('.table-tools [role=status]').textContent()).toBe(
      `No validators match: 0 of ${all} validators`,
    )
    await other.page.getByLabel('Filter by validator').fill('')
    await other.page.locator('.table-tools select').first().selectOption('Any')
    expect(await other.page.evaluate('location.hash')).toBe('#votes')
  })
})

type Pool = { operatorAddress: string; moniker: string; proposalsVoted: number }
type PoolRecord = { proposalId: string; vote: { options: { option: string }[] } | null }
type Ballot = { voter: string; txHash: string; height: number }

const search = async (page: Page, text: string): Promise<void> => {
  await page.getByRole('searchbox').first().fill(text)
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
}

const getPath = (page: Page): string => decodeURIComponent(new URL(page.url()).pathname)

const SCRIPTS = [{ javaScriptEnabled: true }, { javaScriptEnabled: false }]

describe.each(SCRIPTS)('a person, with scripts: $javaScriptEnabled,', (options) => {
  it('finds the vote of a validator by its name', async () => {
    const { items } = await getJson<Items<Pool>>(demo.url, '/api/pools')
    const pool = items.find(({ proposalsVoted }) => proposalsVoted > 2) as Pool
    const record = await getJson<Items<PoolRecord>>(
      demo.url,
      `/api/pools/${pool.operatorAddress}/votes`,
    )
    const vote = record.items.find((each) => each.vote?.options[0]?.option === 'yes') as PoolRecord
    const page = (await open('/', options)).page
    await search(page, pool.moniker.toLowerCase())
    expect(getPath(page)).toBe(`/pools/${pool.operatorAddress}`)
    const row = page.locator('tbody tr', {
      has: page.locator(`a[href="/proposals/${vote.proposalId}"]`),
    })
    expect(await row.first().textContent()).toContain('Yes')
  })

  it('finds the own ballot on a proposal by an address', async () => {
    const { items } = await getJson<Items<Ballot>>(demo.url, '/api/proposals/2/ballots')
    const ballot = items[3] as Ballot
    const page = (await open('/proposals/2', options)).page
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
    const { items } = await getJson<Items<Pool>>(demo.url, '/api/pools?sort=missed')
    const page = (await open('/pools', options)).page
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
      const page = (await open(path, options)).page
      await search(page, '#14')
      expect([path, getPath(page)]).toEqual([path, '/proposals/14'])
    }
  })
})
