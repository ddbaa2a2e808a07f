// The claim page where something goes wrong: it says what and what to do next, and lets it be done again, or ends.
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { button, confirmCode, expectEnd, expectProblem } from '../support/auth/claim-human.ts'
import { ATTEMPT_SECONDS, DEMO, HUB, startClaimRig } from '../support/auth/claim-page.ts'
import { createTestWallet } from '../support/auth/test-wallet.ts'
import { expectSound } from '../support/browser/claim-browser.ts'

let rig: Awaited<ReturnType<typeof startClaimRig>>
let early: { page: Page; address: string }

beforeAll(async () => {
  rig = await startClaimRig()
  const { address } = await rig.beginClaim()
  const { page } = await rig.open()
  early = { page, address }
  await page.goto(address)
})
afterEach(() => rig.expectNoComplaint())
afterAll(async () => rig?.close())

describe('what goes wrong is said in plain words, and can be done again', () => {
  it.each([
    ['the human rejects it', 'signArbitrary', 'Request rejected', /refused in the wallet/],
    ['the wallet is locked', 'enable', 'KeyRing is locked', /wallet is locked/],
    [
      'the wallet cannot sign it',
      'signArbitrary',
      'Ledger: unsupported',
      /could not complete the request/,
    ],
  ] as const)('%s', async (state, method, refusal, what) => {
    const { agent, page, double } = await rig.setup()
    double.refuses = { [method]: refusal }
    await confirmCode(page)
    await button(page, 'Connect Keplr').click()
    if (method === 'signArbitrary') await button(page, /Sign with/).click()
    await expectProblem(page, what)
    await expectSound(page, `7-${state.replaceAll(' ', '-')}`)
    double.refuses = {}
    if (method === 'enable') await button(page, 'Connect Keplr').click()
    await button(page, /Sign with/).click()
    await expectEnd(page, /^Claimed/)
    expect((await agent.poll()).status).toBe(200)
  })

  it('the wallet does not know the chain, or has an account of another', async () => {
    const { page, double } = await rig.setup()
    double.accounts = { [HUB]: rig.wallet }
    await confirmCode(page)
    await button(page, 'Connect Keplr').click()
    await expectProblem(page, /does not know this chain/)
    await page.getByLabel('Chain of your wallet').selectOption(HUB)
    await button(page, 'Connect Keplr').click()
    await expectProblem(page, /address of another chain/)
    await expectSound(page, '8-wrong-chain')
  })

  it('the agent asked for another wallet: once it is chosen, the page goes on by itself', async () => {
    const named = await createTestWallet(33, { prefix: 'wasm' })
    const { page, double } = await rig.setup({ claim: { login_hint: named.address } })
    await confirmCode(page)
    await button(page, 'Connect Keplr').click()
    await expectProblem(page, /another wallet than the account/)
    await double.change({ [DEMO]: named })
    await button(page, /Sign with/).click()
    await expectEnd(page, /^Claimed/)
    expect(await page.locator('#end-facts').textContent()).toContain(named.address)
  })

  it('an account that changes while it is asked to sign starts over, and what the old one signed is dropped', async () => {
    const { agent, page, double } = await rig.setup()
    const other = await createTestWallet(34, { prefix: 'wasm' })
    let release = () => {}
    double.holds = new Promise((resolve) => {
      release = resolve
    })
    await confirmCode(page)
    await button(page, 'Connect Keplr').click()
    await button(page, /Sign with/).click()
    await button(page, 'Stop waiting').waitFor()
    await expectSound(page, '9-waiting')
    await double.change({ [DEMO]: other })
    await page.getByText(other.address, { exact: true }).waitFor()
    release()
    expect(await page.locator('#changed').textContent()).toMatch(/Keplr changed/)
    expect((await agent.poll()).body.error).toBe('authorization_pending')
    await button(page, /Sign with/).click()
    await expectEnd(page, /^Claimed/)
    expect(await page.locator('#end-facts').textContent()).toContain(other.address)
  })

  it('a wallet that never answers can be given up, and asked again', async () => {
    const { page, double } = await rig.setup()
    double.holds = new Promise(() => {})
    await confirmCode(page)
    await button(page, 'Connect Keplr').click()
    await button(page, /Sign with/).click()
    await button(page, 'Stop waiting').click()
    double.holds = Promise.resolve()
    await button(page, /Sign with/).click()
    await expectEnd(page, /^Claimed/)
    expect(double.shown).toHaveLength(2)
  })

  it('a newer attempt takes its place, and a completed one stays completed', async () => {
    const { agent, address, page } = await rig.setup()
    const { address: newer } = await agent.begin()
    await confirmCode(page)
    await button(page, 'Connect Keplr').click()
    await expectEnd(page, /begun a newer claim/)
    await expectSound(page, '10-superseded')
    await page.goto(newer)
    await confirmCode(page)
    await button(page, 'Connect Keplr').click()
    await button(page, /Sign with/).click()
    await expectEnd(page, /^Claimed/)
    await page.goto(newer)
    await expectEnd(page, /completed already/)
    await page.goto(address)
    await expectEnd(page, /claimed already, by another/)
  })

  it('a service that is away or has had enough: the same can be done again', async () => {
    const { page } = await rig.setup()
    await page.route('**/delegation/attempt', (route) => route.fulfill({ status: 502 }))
    await page.reload()
    await expectProblem(page, /cannot do this just now/)
    await page.unroute('**/delegation/attempt')
    await button(page, 'Ask the service again').click()
    await confirmCode(page)
    await page.context().setOffline(true)
    await button(page, 'Connect Keplr').click()
    await expectProblem(page, /cannot be reached/)
    await page.context().setOffline(false)
    const error_description = 'Too many requests. Come back in 7 s.'
    await page.route('**/delegation/text', (route) =>
      route.fulfill({ status: 429, json: { error: 'rate_limited', error_description } }),
    )
    await button(page, 'Connect Keplr').click()
    await expectProblem(page, /Too many requests/)
    expect(await page.locator('#problem').textContent()).toContain('in 7 s')
    await page.unroute('**/delegation/text')
    await button(page, 'Connect Keplr').click()
    await button(page, /Sign with/).click()
    await expectEnd(page, /^Claimed/)
  })

  it('a page left open ends when its time is over, and says the same when it is opened again', async () => {
    const { page, address } = early
    await page
      .getByRole('heading', { name: /time to claim is over/ })
      .waitFor({ timeout: ATTEMPT_SECONDS * 1_000 + 5_000 })
    await expectSound(page, '11-expired')
    await page.goto(address)
    await expectEnd(page, /time to claim is over/)
  })
})

describe('of all that', () => {
  it('no request left the origin, and no secret is in a log', () => rig.expectNothingLeaked())
})
