// Shared setup of the claim page tests: the started product, an agent with a claim, and the browser of the human.
import { expect, onTestFinished } from 'vitest'
import { launchBrowser } from '../browser/browser.ts'
import { openBrowserPage } from '../browser/claim-browser.ts'
import { installWallets, type WalletId } from '../browser/wallet-double.ts'
import { createDemoFolder } from '../process/demo-folder.ts'
import { postJson } from '../process/rollcall-process.ts'
import { createTestWallet, type TestWallet } from './test-wallet.ts'

export const DEMO = 'rollcall-demo-1'
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
export const registerAgent = async (url: string) => {
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
