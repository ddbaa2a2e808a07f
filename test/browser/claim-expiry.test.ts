// The claim page of an attempt that expires within seconds: auth alone serves it.
import { expect, it, onTestFinished } from 'vitest'
import { findFreePort, LOOPBACK } from '../../infra/base/runtime/ports.ts'
import { createAuthRig } from '../support/auth/auth-rig.ts'
import { expectEnd } from '../support/auth/claim-human.ts'
import { registerAgent } from '../support/auth/claim-page.ts'
import { launchBrowser } from '../support/browser/browser.ts'
import { expectSound, openBrowserPage } from '../support/browser/claim-browser.ts'

const ATTEMPT_SECONDS = 3

const setup = async () => {
  const port = await findFreePort(LOOPBACK)
  const url = `http://${LOOPBACK}:${port}`
  const config = { claimAttemptSeconds: ATTEMPT_SECONDS }
  const rig = await createAuthRig({ baseUrl: url, config })
  const browser = await launchBrowser()
  onTestFinished(async () => {
    await browser.close()
    await rig.close()
    rig.backend.remove()
  })
  await rig.app.listen({ host: LOOPBACK, port })
  const { begin } = await registerAgent(url)
  const { address } = await begin()
  return { rig, address, human: await openBrowserPage(browser) }
}

it('shows that the claim has expired, in an open page and after the link is opened again', async () => {
  const { rig, address, human } = await setup()
  const { page, complaints } = human
  await page.goto(address)
  await page.getByRole('heading', { name: 'Does your agent show this code?' }).waitFor()
  await page.getByRole('heading', { name: /claim has expired/ }).waitFor()
  await expectSound(page, '11-expired')
  await rig.advance((ATTEMPT_SECONDS + 1) * 1_000)
  await page.goto(address)
  await expectEnd(page, /claim has expired/)
  expect(complaints).toEqual([])
})
