// The pages of validators, voters, status and problems in a real browser over the demo chain.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findViolations, launchBrowser } from '../support/browser/browser.ts'
import { openPage, startDemo } from '../support/browser/demo-browser.ts'
import { getJson, until } from '../support/process/rollcall-process.ts'

type Pool = { operatorAddress: string; moniker: string; proposalsVoted: number }

let demo: Awaited<ReturnType<typeof startDemo>>
let browser: Awaited<ReturnType<typeof launchBrowser>>
let pool: Pool
let voter: string
beforeAll(async () => {
  // The 150 live blocks last longer than the file, whose last test waits for one.
  demo = await startDemo({ DEMO_BLOCK_MS: '4000' })
  browser = await launchBrowser()
  const pools = await getJson<{ items: Pool[] }>(demo.url, '/api/pools')
  pool = pools.items.find(({ proposalsVoted }) => proposalsVoted > 2) ?? (pools.items[0] as Pool)
  const ballots = await getJson<{ items: { voter: string }[] }>(
    demo.url,
    '/api/proposals/2/ballots',
  )
  voter = ballots.items[3]?.voter ?? ''
})
afterAll(async () => {
  await browser?.close()
  await demo?.clean()
})

const PAGES = {
  'the list of validators': () => '/pools',
  'the validators with a name': () => '/pools?q=a&sort=participation',
  'a name that no validator has': () => '/pools?q=no+such+name',
  'the page of a validator': () => `/pools/${pool.operatorAddress}`,
  'the voter look-up': () => '/voters',
  'the voter look-up with an invalid address': () => '/voters?address=cosmos1nonsense',
  'the page of a voter': () => `/voters/${voter}`,
  'the ballots on a proposal': () => '/proposals/2/ballots',
  'the delegators who override a validator': () =>
    `/proposals/2/ballots?delegatedTo=${pool.operatorAddress}&sort=power`,
  'the results of a search': () => '/search?q=quorum',
  'a search without results': () => '/search?q=nothing+like+it',
  'the status page': () => '/status',
  'the page of an unknown proposal': () => '/proposals/999999',
  'a page that does not exist': () => '/nowhere',
} as const
const NAMES = Object.keys(PAGES) as (keyof typeof PAGES)[]

const open = (path: string, options: Parameters<typeof openPage>[2] = {}) =>
  openPage(browser, `${demo.url}${path}`, options)

describe.each(NAMES)('%s', (name) => {
  it.each(['light', 'dark'] as const)(
    'has no axe violations in %s colors and loads files of this service only',
    { tags: 'api:own-files-only' },
    async (colorScheme) => {
      const { page, complaints, foreign, status } = await open(PAGES[name](), { colorScheme })
      expect(await findViolations(page)).toEqual([])
      expect(foreign).toEqual([])
      // The browser logs each error response.
      expect(complaints).toHaveLength(status === 200 ? 0 : 1)
      await page.context().close()
    },
  )

  it.each([360, 390, 1440])('fits %i px without scrolling sideways', async (width) => {
    const { page } = await open(PAGES[name](), { viewport: { width, height: 800 } })
    const scrolls = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
    expect(await page.evaluate(scrolls)).toBe(0)
    await page.context().close()
  })

  it('has the same headings without scripts', async () => {
    const path = PAGES[name]()
    const [plain, scripted] = [await open(path, { javaScriptEnabled: false }), await open(path)]
    const headings = async ({ page }: typeof plain) => page.locator('h1, h2').allInnerTexts()
    expect(await headings(plain)).toEqual(await headings(scripted))
    expect(await plain.page.locator('main').textContent()).not.toBe('')
    for (const { page } of [plain, scripted]) await page.context().close()
  })
})

describe('the voter look-up', () => {
  it('finds a voter or a validator by address, with the keyboard alone', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const { page } = await open('/voters', { javaScriptEnabled })
      await page.getByLabel('Address', { exact: true }).fill(`  ${voter.toUpperCase()} `)
      await page.keyboard.press('Enter')
      await page.waitForURL(`**/voters/${voter}`)
      expect(await page.locator('h1').textContent()).toBe('Voter')
      await page.goto(`${demo.url}/voters`)
      await page.getByLabel('Address', { exact: true }).fill(pool.operatorAddress)
      await page.keyboard.press('Enter')
      await page.waitForURL(`**/pools/${pool.operatorAddress}`)
      expect(await page.locator('h1').textContent()).toBe(pool.moniker)
      await page.context().close()
    }
  })

  it('shows the error of an address next to its field', async () => {
    const { page, status } = await open('/voters?address=cosmos1nonsense')
    const field = page.getByLabel('Address', { exact: true })
    expect([status, await field.inputValue()]).toEqual([400, 'cosmos1nonsense'])
    expect(await field.getAttribute('aria-describedby')).toBe('address-problem address-hint')
    expect(await page.locator('#address-problem').textContent()).toContain(
      'must be a bech32 address',
    )
    await page.context().close()
  })
})

describe('the page of a validator', () => {
  it('has the rows of its JSON', async () => {
    const { page } = await open(`/pools/${pool.operatorAddress}`)
    type Row = { proposalId: string; vote: { options: { option: string }[] } | null }
    const api = `/api/pools/${pool.operatorAddress}/votes`
    const { items } = await getJson<{ items: Row[] }>(demo.url, api)
    const rows = await page.locator('tbody tr').allInnerTexts()
    expect(rows.length).toBeGreaterThanOrEqual(items.length - 1)
    await page.context().close()
  })

  it('is printed without navigation, with the URLs of its links', async () => {
    const { page } = await open(`/pools/${pool.operatorAddress}`)
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('header nav').isVisible()).toBe(false)
    expect(await page.locator('form.search').isVisible()).toBe(false)
    const content = `getComputedStyle(document.querySelector('tbody a'), '::after').content`
    expect(await page.evaluate(content)).toContain('/proposals/')
    await page.context().close()
  })
})

describe('the status page', () => {
  it('updates the indexed height without a reload', async () => {
    const { page } = await open('/status')
    const figures = page.locator('#figures')
    const before = await figures.textContent()
    await page.evaluate('window.isSamePage = true')
    await until('new figures', 30_000, async () =>
      (await figures.textContent()) === before ? undefined : true,
    )
    expect(await page.evaluate('window.isSamePage')).toBe(true)
    await page.context().close()
  })
})
