// The claim page in failure cases: it shows what happened and the next step, and can be retried or ends.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { button, confirmCode, expectEnd, expectProblem } from '../support/auth/claim-human.ts'
import { DEMO, HUB, startClaimRig } from '../support/auth/claim-page.ts'
import { createTestWallet } from '../support/auth/test-wallet.ts'
import { expectSound } from '../support/browser/claim-browser.ts'

let rig: Awaited<ReturnType<typeof startClaimRig>>

beforeAll(async () => {
  rig = await startClaimRig()
})
afterEach(() => rig.expectNoComplaint())
afterAll(async () => rig?.close())

describe('a failure on the claim page has a clear message and can be retried', () => {
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

  it('when the wallet lacks the chain, or returns an account of another chain', async () => {
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

  it('continues by itself after the user switches to the wallet that the agent requested', async () => {
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

  it('starts over when the account changes during signing, and drops the signature of the old account', async () => {
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

  it('can stop waiting for a wallet that does not respond, and try again', async () => {
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

  it('shows that a newer attempt replaces an older one, and that a completed one stays completed', async () => {
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

  it('can be retried when the service is unavailable, unreachable or limits requests', async () => {
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
    const error_description = 'Too many requests. Retry in 7 s.'
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
})

describe('all failure cases of the claim page', () => {
  it('send no request to another origin and write no secret to a log', () =>
    rig.expectNothingLeaked())
})
