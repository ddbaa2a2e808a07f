// The claim page in a real browser: a user claims or refuses an agent with a wallet.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createTestWallet } from '../support/auth/test-wallet.ts'
import {
  button,
  confirmCode,
  expectEnd,
  expectProblem,
  expectSound,
  HUB,
  pressByKeyboard,
  startClaimRig,
} from '../support/browser/claim-page.ts'

let rig: Awaited<ReturnType<typeof startClaimRig>>

beforeAll(async () => {
  rig = await startClaimRig()
})
afterEach(() => rig.expectNoComplaint())
afterAll(async () => rig?.close())

describe('a user with a wallet', () => {
  it.each([
    ['keplr', 'Keplr'],
    ['leap', 'Leap'],
    ['cosmostation', 'Cosmostation'],
  ] as const)('claims the agent with %s, and the agent gets its token', async (id, name) => {
    const { agent, code, page, double } = await rig.setup({ wallets: [id] })
    expect(await page.locator('#code-again').textContent()).toBe(code)
    expect(await page.locator('#registration').textContent()).toBe(agent.id)
    if (id === 'keplr') await expectSound(page, '1-compare')
    await confirmCode(page)
    if (id === 'keplr') await expectSound(page, '2-choose')
    await button(page, `Connect ${name}`).click()
    await page.getByRole('heading', { name: 'Review and sign' }).waitFor()
    const text = await page.locator('#text').textContent()
    expect(text).toContain(`${agent.id} (code ${code})`)
    if (id === 'keplr') await expectSound(page, '3-sign')
    expect(double.shown).toEqual([])
    await button(page, `Sign with ${name} and claim`).click()
    await expectEnd(page, /^Claimed/)
    if (id === 'keplr') await expectSound(page, '4-claimed')
    expect(double.shown).toEqual([text])
    const { status, body } = await agent.poll()
    expect([status, body.token_type]).toEqual([200, 'Bearer'])
    const read = await fetch(`${rig.url}/api/proposals`, {
      headers: { authorization: `Bearer ${body.access_token}` },
    })
    expect(read.status).toBe(200)
  })

  it('can claim the agent with the keyboard alone', async () => {
    const { agent, page } = await rig.setup()
    await pressByKeyboard(page, /The codes match: continue/)
    await page.getByRole('heading', { name: 'Choose a wallet' }).waitFor()
    await pressByKeyboard(page, /Connect Keplr/)
    await page.getByRole('heading', { name: 'Review and sign' }).waitFor()
    await pressByKeyboard(page, /Sign with Keplr/)
    await expectEnd(page, /^Claimed/)
    expect((await agent.poll()).status).toBe(200)
  })

  it('refuses with a button of the same size, and the agent gets the refusal', async () => {
    const { agent, address, page } = await rig.setup()
    const [confirm, deny] = [
      await button(page, 'The codes match: continue').boundingBox(),
      await button(page, /Refuse/).boundingBox(),
    ]
    expect([deny?.width, deny?.height]).toEqual([confirm?.width, confirm?.height])
    await button(page, /Refuse/).click()
    await expectEnd(page, /^Refused/)
    await expectSound(page, '5-refused')
    const { status, body } = await agent.poll()
    expect([status, body.error]).toEqual([400, 'access_denied'])
    await page.goto(address)
    await expectEnd(page, /^This claim was denied/)
  })

  it('is told what the wallet refused, and can sign again', async () => {
    const { page, double } = await rig.setup()
    await confirmCode(page)
    double.refuses = { enable: 'The wallet is locked' }
    await button(page, 'Connect Keplr').click()
    await expectProblem(page, /Keplr could not complete the request/)
    await page.getByText('The wallet is locked').waitFor()
    double.refuses = { signArbitrary: 'Request rejected' }
    await button(page, 'Connect Keplr').click()
    await button(page, 'Sign with Keplr and claim').click()
    await expectProblem(page, /refused in Keplr/)
    await expectSound(page, '13-rejected')
    double.refuses = {}
    await button(page, 'Sign with Keplr and claim').click()
    await expectEnd(page, /^Claimed/)
  })

  it('can choose among several wallets and chains', async () => {
    const { agent, page, double } = await rig.setup({
      wallets: ['keplr', 'leap', 'cosmostation'],
    })
    const ofHub = await createTestWallet(32)
    double.accounts = { [HUB]: ofHub }
    await confirmCode(page)
    await expectSound(page, '6-choose-among')
    await page.getByLabel('Chain of your wallet').selectOption(HUB)
    await button(page, 'Connect Leap').click()
    await button(page, 'Sign with Leap and claim').click()
    await expectEnd(page, /^Claimed/)
    const { body } = await agent.poll()
    const claims = JSON.parse(
      Buffer.from(body.identity_assertion.split('.')[1], 'base64url').toString(),
    )
    expect(claims.wallet).toMatchObject({ address: ofHub.address, chain_id: HUB })
  })
})

describe('a user without a wallet in the browser', () => {
  it('gets the commands for another signing tool, and can load the page again', async () => {
    const { page } = await rig.setup({ wallets: [] })
    await confirmCode(page)
    await page.getByText('No wallet was found in this browser. This page').waitFor()
    expect(await page.locator('#manual pre').textContent()).toContain(
      `${rig.url}/delegation/complete`,
    )
    await expectSound(page, '12-no-wallet')
    // As after the installation of a wallet: the URL still has the secret.
    await page.reload()
    await confirmCode(page)
    await page.getByLabel('Chain of your wallet').waitFor()
  })

  it('gets a clear message if JavaScript or the token after the # is missing', async () => {
    const { address } = await rig.beginClaim()
    const { page } = await rig.open({ javaScriptEnabled: false })
    await page.goto(address)
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
      'This page needs JavaScript',
    ])
    expect(await page.locator('noscript pre').textContent()).toContain(`${rig.url}/delegation/deny`)
    const bare = await rig.open()
    await bare.page.goto(`${rig.url}/delegation`)
    await expectEnd(bare.page, /link has no claim/)
    await expectSound(bare.page, '16-no-token')
    await bare.page.goto(`${rig.url}/delegation#claim_attempt_token=wrong`)
    await expectEnd(bare.page, /claim does not exist/)
  })
})

describe('all cases of the claim page', () => {
  it(
    'send no request to another origin and write no secret to a log',
    { tags: 'auth:tokens-are-not-stored' },
    () => rig.expectNothingLeaked(),
  )
})
