// Errors on the claim page: it shows the reason and the next step, and allows a retry or ends.
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

describe('errors of the claim page have a plain text and a retry', () => {
  it.each([
    [
      'when the user rejects the request',
      'signArbitrary',
      'Request rejected',
      /refused in the wallet/,
    ],
    ['when the wallet is locked', 'enable', 'KeyRing is locked', /wallet is locked/],
    [
      'when the wallet cannot sign',
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

  it('a wallet without the chain, or with an account of another chain, is reported', async () => {
    const { page, double } = await rig.setup()
    double.accounts = { [HUB]: rig.wallet }
    await confirmCode(page)
    await button(page, 'Connect Keplr').click()
    await expectProblem(page, /does not have this chain/)
    await page.getByLabel('Chain of your wallet').selectOption(HUB)
    await button(page, 'Connect Keplr').click()
    await expectProblem(page, /address of another chain/)
    await expectSound(page, '8-wrong-chain')
  })

  it('the page continues by itself after the human has selected the wallet that the agent named', async () => {
    const named = await createTestWallet(33, { prefix: 'wasm' })
    const { page, double } = await rig.setup({ claim: { login_hint: named.address } })
    await confirmCode(page)
    await button(page, 'Connect Keplr').click()
    await expectProblem(page, /not the one that your agent requested/)
    await double.change({ [DEMO]: named })
    await button(page, /Sign with/).click()
    await expectEnd(page, /^Claimed/)
    expect(await page.locator('#end-facts').textContent()).toContain(named.address)
  })

  it('an account change during signing restarts the step, and the old signature is dropped', async () => {
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

  it('a wallet that never answers can be canceled and retried', async () => {
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

  it('a newer attempt replaces an older one, and a completed one stays completed', async () => {
    const { agent, address, page } = await rig.setup()
    const { address: newer } = await agent.begin()
    await confirmCode(page)
    await button(page, 'Connect Keplr').click()
    await expectEnd(page, /started a newer claim/)
    await expectSound(page, '10-superseded')
    await page.goto(newer)
    await confirmCode(page)
    await button(page, 'Connect Keplr').click()
    await button(page, /Sign with/).click()
    await expectEnd(page, /^Claimed/)
    await page.goto(newer)
    await expectEnd(page, /already completed/)
    await page.goto(address)
    await expectEnd(page, /already claimed, by another/)
  })

  it('a step can be retried after an outage or a quota error of the service', async () => {
    const { page } = await rig.setup()
    await page.route('**/delegation/attempt', (route) => route.fulfill({ status: 502 }))
    await page.reload()
    await expectProblem(page, /temporarily unavailable/)
    await page.unroute('**/delegation/attempt')
    await button(page, 'Try again').click()
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

  it('an open page ends when the attempt expires, and shows the same when it is opened again', async () => {
    const { page, address } = early
    await page
      .getByRole('heading', { name: /claim has expired/ })
      .waitFor({ timeout: ATTEMPT_SECONDS * 1_000 + 5_000 })
    await expectSound(page, '11-expired')
    await page.goto(address)
    await expectEnd(page, /claim has expired/)
  })
})

describe('in all these tests', () => {
  it('no request left the origin, and no secret is in a log', () => rig.expectNothingLeaked())
})
