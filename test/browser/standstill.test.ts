// A reader of a chain that stands still, and of a service that stops, in a real browser: both are said, and nothing counts down.
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { findViolations, launchBrowser } from '../support/browser/browser.ts'
import { openPage } from '../support/browser/demo-browser.ts'
import { openTestRecording } from '../support/chain/test-recording.ts'
import { createDemoFolder } from '../support/process/demo-folder.ts'
import { getJson, until } from '../support/process/rollcall-process.ts'

let browser: Awaited<ReturnType<typeof launchBrowser>>
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

/** The blocks of the demo chain end within seconds. */
const startDemo = async () => {
  const folder = await createDemoFolder()
  onTestFinished(folder.clean)
  const rollcall = folder.run({ env: { DEMO_BLOCK_MS: '40' } })
  return { rollcall, url: await rollcall.untilServing() }
}

const open = async (url: string) => {
  const { page, complaints } = await openPage(browser, url)
  onTestFinished(() => page.context().close())
  return { page, complaints }
}

/** Between two blocks a slow machine is silent for as long as a chain that stands still. */
const untilLastBlock = (url: string) =>
  until('the last block of the recording', 240_000, async () => {
    type Served = { chain: { height: number } | null; noBlockSince: string | null }
    const { chain, noBlockSince } = await getJson<Served>(url, '/api/health')
    return chain?.height === LAST_HEIGHT && noBlockSince !== null ? true : undefined
  })

const { lastHeight: LAST_HEIGHT } = openTestRecording().manifest
const HALTED = 'The recording ends here'
/** A page of a busy machine is updated late. */
const PATIENT = { timeout: 60_000 }

it('an open page says that the recording has ended, and its countdown ends', async () => {
  const { url } = await startDemo()
  const { page, complaints } = await open(`${url}/`)
  await untilLastBlock(url)
  const notice = page.locator('#notice')
  await notice.getByText(HALTED).waitFor(PATIENT)
  await page.locator('#open-votes').getByText('with the first block after').first().waitFor()
  await expect.poll(() => page.locator('time.left').count(), PATIENT).toBe(0)
  expect([await findViolations(page), complaints]).toEqual([[], []])

  await page.goto(`${url}/status`)
  await page.locator('#freshness').getByText('End of the recording').first().waitFor(PATIENT)
  const { items } = await getJson<{ items: { proposalId: string }[] }>(
    url,
    '/api/proposals?status=voting_period',
  )
  await page.goto(`${url}/proposals/${items[0]?.proposalId}`)
  const state = page.locator('#state')
  await state.getByText('with the first block after').first().waitFor(PATIENT)
  const countTimes = async () => {
    const { noBlockSince } = await getJson<{ noBlockSince: string }>(url, '/api/health')
    return await state.locator(`time[datetime="${noBlockSince}"]`).count()
  }
  await expect.poll(countTimes, PATIENT).toBe(1)
})

it('an open page says that the service no longer responds, and when it does again', async () => {
  const { rollcall, url } = await startDemo()
  const { page } = await open(`${url}/status`)
  const lost = page.getByText('Rollcall has not responded since')
  expect(await lost.count()).toBe(0)
  const asked = `${url}/status`
  await page.route(asked, (route) => route.abort())
  await lost.waitFor(PATIENT)
  expect(await findViolations(page)).toEqual([])
  await page.unroute(asked)
  await until('the notice to disappear', 60_000, async () =>
    (await lost.count()) === 0 ? true : undefined,
  )

  const { page: home } = await open(`${url}/`)
  rollcall.signal('SIGTERM')
  await rollcall.ended
  await home.getByText('Rollcall has not responded since').waitFor(PATIENT)
})
