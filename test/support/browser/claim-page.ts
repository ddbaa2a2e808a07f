// The claim page in a browser: the started product, an agent with a claim, doubles of wallets, and what the human does and expects.

import type { Browser, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { createTestWallet, type TestWallet } from '../auth/test-wallet.ts'
import { createDemoFolder } from '../process/demo-folder.ts'
import { postJson } from '../process/rollcall-process.ts'
import { findViolations, launchBrowser } from './browser.ts'

/** A page with a record of its requests and console errors. */
const openBrowserPage = async (browser: Browser, { javaScriptEnabled = true } = {}) => {
  const context = await browser.newContext({
    javaScriptEnabled,
    reducedMotion: 'reduce' as const,
    viewport: { width: 1280, height: 900 },
  })
  const page = await context.newPage()
  const requests: string[] = []
  const complaints: string[] = []
  context.on('request', (request) => requests.push(request.url()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    // The browser also reports each error response of the service.
    const isOfPage = !message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && isOfPage) complaints.push(message.text())
  })
  return { context, page, requests, complaints }
}

const VIEWS = [
  { width: 1280, colorScheme: 'light' },
  { width: 320, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
  { width: 2560, colorScheme: 'dark' },
] as const

/** Accessibility problems and horizontal overflow, in light and dark mode. */
export const expectSound = async (page: Page, name: string): Promise<void> => {
  for (const { width, colorScheme } of VIEWS) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const across = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    expect(across, `${name} at ${width}`).toBe(0)
    if (width !== 1280 && width !== 390) continue
    expect(await findViolations(page), `${name} in ${colorScheme}`).toEqual([])
  }
  await page.setViewportSize({ width: 1280, height: 900 })
}

type WalletId = 'keplr' | 'leap' | 'cosmostation'
type Method = 'enable' | 'getKey' | 'signArbitrary'

type WalletDouble = {
  /** The selected account by chain; other chains are unknown to the wallet. */
  accounts: Record<string, TestWallet>
  /** The error that it returns instead of a result. */
  refuses: Partial<Record<Method, string>>
  /** Every text that it received for signing. */
  shown: string[]
}

/** Each forwards to the test; its global object is that of the wallet. */
const inPage = (ids: readonly WalletId[]): string => `(() => {
  const provider = (id) => ({
    enable: (chain) => askTestWallet(id, 'enable', chain),
    getKey: (chain) => askTestWallet(id, 'getKey', chain),
    signArbitrary: (chain, signer, text) => askTestWallet(id, 'signArbitrary', chain, signer, text),
  })
  const ids = ${JSON.stringify(ids)}
  if (ids.includes('keplr')) window.keplr = provider('keplr')
  if (ids.includes('leap')) window.leap = provider('leap')
  if (ids.includes('cosmostation')) window.cosmostation = { providers: { keplr: provider('cosmostation') } }
})()`

const installWallets = async (
  page: Page,
  ids: readonly WalletId[],
  accounts: Record<string, TestWallet>,
): Promise<WalletDouble> => {
  const double: WalletDouble = {
    accounts,
    refuses: {},
    shown: [],
  }
  const answer = async (_id: WalletId, method: Method, ...args: string[]): Promise<unknown> => {
    const [chainId = '', signer, text = ''] = args
    const refusal = double.refuses[method]
    if (refusal !== undefined) throw new Error(refusal)
    const account = double.accounts[chainId]
    if (!account) throw new Error(`There is no modular chain info for ${chainId}`)
    if (method === 'enable') return undefined
    if (method === 'getKey') {
      return { name: 'Everyday', algo: 'secp256k1', bech32Address: account.address }
    }
    double.shown.push(text)
    if (signer !== account.address) throw new Error('Signer mismatched')
    return account.sign(text)
  }
  await page.exposeFunction('askTestWallet', answer)
  await page.addInitScript({ content: inPage(ids) })
  return double
}

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

export const confirmCode = (page: Page) => button(page, 'The codes match: continue').click()

/** A failure report contains the text of the page. */
const untilShown = async (page: Page, locator: ReturnType<Page['locator']>): Promise<void> => {
  try {
    await locator.waitFor({ timeout: 20_000 })
  } catch (cause) {
    throw new Error(`the page shows: ${await page.locator('main').ariaSnapshot()}`, { cause })
  }
}

/** Waits for the result: a screen reader announces it, and the URL no longer has the secret. */
export const expectEnd = async (page: Page, what: RegExp): Promise<void> => {
  await untilShown(page, page.getByRole('heading', { name: what }))
  expect(await page.evaluate('document.activeElement.textContent')).toMatch(what)
  expect([new URL(page.url()).pathname, new URL(page.url()).hash]).toEqual(['/delegation', ''])
}

/** Waits for the error, which has the focus and is announced. */
export const expectProblem = async (page: Page, what: RegExp): Promise<void> => {
  await untilShown(page, page.getByRole('group', { name: what }))
  expect(await page.evaluate('document.activeElement.id')).toBe('problem')
}

/** Moves the focus with the keyboard to the named control and presses it. */
export const pressByKeyboard = async (page: Page, name: RegExp): Promise<void> => {
  await expect
    .poll(async () => {
      await page.keyboard.press('Tab')
      return page.evaluate('document.activeElement.textContent')
    })
    .toMatch(name)
  await page.keyboard.press('Enter')
}

const DEMO = 'rollcall-demo-1'
export const HUB = 'cosmoshub-4'

const ENV = {
  LOG_LEVEL: 'trace',
  WALLET_CHAINS: `${DEMO}:wasm:secp256k1,${HUB}:cosmos:secp256k1`,
  REGISTRATIONS_PER_MINUTE: '100000',
  RATE_LIMIT_PER_MINUTE: '100000',
}

type Registered = { registration_id: string; claim_token: string }
type Started = { claim_attempt: { verification_uri: string; user_code: string } }

/** A registered agent; `begin` returns the URL that it shows to its human. */
const registerAgent = async (url: string) => {
  const agent = await postJson<Registered>(`${url}/agent/identity`, { type: 'anonymous' })
  const begin = async (more: object = {}) => {
    const body = { claim_token: agent.claim_token, client_name: 'Reader of the hub', ...more }
    const { claim_attempt: attempt } = await postJson<Started>(`${url}/agent/identity/claim`, body)
    return { address: attempt.verification_uri, code: attempt.user_code }
  }
  const poll = async () => {
    const grant_type = 'urn:workos:agent-auth:grant-type:claim'
    const response = await fetch(`${url}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type, claim_token: agent.claim_token }),
    })
    // biome-ignore lint/suspicious/noExplicitAny: tokens and errors have no common type
    return { status: response.status, body: (await response.json()) as any }
  }
  return { id: agent.registration_id, begin, poll }
}

type SetupOptions = { wallets?: WalletId[]; claim?: object }

const startProduct = async () => {
  const runFolder = await createDemoFolder()
  const machine = runFolder.run({ env: ENV })
  const url = await machine.untilServing()
  const browser = await launchBrowser()
  const close = async () => {
    await browser.close()
    await runFolder.clean()
  }
  return { url, browser, close, output: () => machine.stdout() + machine.stderr() }
}

/** One started product and one browser for all tests of a file. */
export const startClaimRig = async () => {
  const { url, browser, close, output } = await startProduct()
  const wallet: TestWallet = await createTestWallet(31, { prefix: 'wasm' })
  const humans: Awaited<ReturnType<typeof openBrowserPage>>[] = []
  const tokens: string[] = []
  const open = async (options = {}) => {
    const human = await openBrowserPage(browser, options)
    humans.push(human)
    return human
  }
  const beginClaim = async (more: object = {}) => {
    const agent = await registerAgent(url)
    const started = await agent.begin(more)
    tokens.push(started.address.split('claim_attempt_token=')[1] ?? '')
    return { agent, ...started }
  }
  return {
    url,
    wallet,
    close,
    open,
    beginClaim,
    /** A human who has opened the URL of an agent. */
    setup: async ({ wallets = ['keplr'], claim = {} }: SetupOptions = {}) => {
      const begun = await beginClaim(claim)
      const { page, context } = await open()
      onTestFinished(() => context.close())
      const double = await installWallets(page, wallets, { [DEMO]: wallet })
      await page.goto(begun.address)
      await page.getByRole('heading', { name: 'Does your agent show this code?' }).waitFor()
      return { ...begun, page, double }
    },
    expectNoComplaint: () => {
      for (const { complaints } of humans) expect(complaints).toEqual([])
    },
    /** The events of all actions of the test. */
    expectNothingLeaked: () => {
      const requests = humans.flatMap((human) => human.requests)
      expect(requests.length).toBeGreaterThan(50)
      expect(requests.filter((request) => new URL(request).origin !== url)).toEqual([])
      const text = output()
      expect(text.includes('appended heights')).toBe(true)
      expect(tokens.length).toBeGreaterThan(3)
      expect(tokens.filter((token) => token.length < 40 || text.includes(token))).toEqual([])
    },
  }
}
