// The proof section of a proposal in a real browser: verification, and a clear message for each failure.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { GetFromApi } from '../../infra/base/proof/verify-from-api.ts'
import { findViolations, launchBrowser } from '../support/browser/browser.ts'
import { openPage, startDemo } from '../support/browser/demo-browser.ts'
import { openTestRecording } from '../support/chain/test-recording.ts'
import { getJson, until } from '../support/process/rollcall-process.ts'
import { computeHash, createProofApi, RECORDED } from '../support/proof/proof-api.ts'

const PROPOSAL = '2'
const [first] = RECORDED.lightBlocks
const recorded = RECORDED.proposals.find(({ id }) => id === PROPOSAL)
if (!first || !recorded) throw new Error('the recording has no proposal 2')
const TRUSTED = { height: '1', hash: computeHash(first) }
const VERIFIER = /\/assets\/verifier-[0-9a-f]{12}\.js$/
const PROOF_API = /\/api\/(?:proposals\/\d+\/proof|validators|light-blocks)/

let browser: Browser
let url: string
let clean: () => Promise<void>

const untilStatus = (id: string, isIt: (status: string) => boolean) =>
  until(`the status of proposal ${id}`, 60_000, async () => {
    const { status } = await getJson<{ status: string }>(url, `/api/proposals/${id}`)
    return isIt(status) ? status : undefined
  })

beforeAll(async () => {
  ;({ url, clean } = await startDemo({ DEMO_BLOCK_MS: '500' }))
  await untilStatus(PROPOSAL, (status) => status !== 'voting_period')
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await clean?.()
})

/** The page of a decided proposal, with recorded proofs instead of those of the demo chain. */
const open = async (get: GetFromApi = createProofApi(RECORDED).get) => {
  const opened = await openPage(browser, `${url}/proposals/${PROPOSAL}`)
  const { page } = opened
  onTestFinished(() => page.context().close())
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await page.route(PROOF_API, async (route) => {
    const { pathname, search } = new URL(route.request().url())
    const { status, body } = await get(`${pathname}${search}`)
    await route.fulfill({ status, json: body })
  })
  return { ...opened, requests }
}

const verify = async (page: Page, { height, hash } = TRUSTED) => {
  await page.getByLabel('Block number').fill(height)
  await page.getByLabel('Hash of that block').fill(hash)
  await page.getByRole('button', { name: 'Verify in this browser' }).click()
}

const result = (page: Page) => page.locator('#proof-result')
const untilResult = async (page: Page, text: string): Promise<string> => {
  await result(page).getByText(text).first().waitFor({ timeout: 30_000 })
  return (await result(page).textContent()) ?? ''
}

describe('the proof section of a proposal', { tags: 'infra:proof-needs-no-trust' }, () => {
  it('can be verified in a page that was open when the vote ended', async () => {
    // The demo chain starts at a height at which this vote is open.
    await untilStatus('18', (status) => status === 'voting_period')
    const { page } = await openPage(browser, `${url}/proposals/18`)
    onTestFinished(() => page.context().close())
    expect(await page.locator('#proof').textContent()).toContain('After the vote')
    expect(await page.locator('#proof-form').count()).toBe(0)
    await page.getByRole('button', { name: 'Verify in this browser' }).click({ timeout: 100_000 })
    expect(await page.locator(':focus').getAttribute('id')).toBe('proof-height')
  })

  it('loads the verifier on demand and shows each step', async () => {
    const { page, complaints, foreign, requests } = await open()
    expect(requests.filter((path) => VERIFIER.test(path))).toEqual([])
    await verify(page)
    const text = await untilResult(page, 'Proved:')
    expect(text).toContain(`proposal ${PROPOSAL} has the status “rejected”`)
    expect(text).toContain('Final tally, in the smallest unit of the chain: yes 0, ')
    expect(await result(page).locator('li').count()).toBe(4)
    expect(await result(page).getAttribute('role')).toBe('status')
    expect(requests.filter((path) => VERIFIER.test(path))).toHaveLength(1)
    expect(await findViolations(page)).toEqual([])
    expect([complaints, foreign]).toEqual([[], []])
  })

  it('can be verified again without a network, also against another header', async () => {
    const { page, requests } = await open()
    await verify(page)
    await untilResult(page, 'Proved:')
    await page.context().setOffline(true)
    requests.length = 0
    await verify(page, { ...TRUSTED, hash: 'AB'.repeat(32) })
    const refused = await untilResult(page, 'does not have the trusted hash')
    expect(refused).toContain('Do not copy a hash from the service that you verify.')
    // The right hash from Rollcall itself would prove nothing.
    expect(refused.toUpperCase()).not.toContain(TRUSTED.hash.toUpperCase())
    await verify(page, { height: recorded.proof.header.height, hash: computeHash(recorded.proof) })
    expect(await untilResult(page, 'Proved:')).toContain('This header is the one that you trust.')
    expect(requests).toEqual([])
  })

  it('is refused with the reason if one value of the data is changed', async () => {
    const changes: [RegExp, string, string][] = [
      [/"value":"CAI/, '"value":"CAM', 'proves another value'],
      [/"app_hash":"../, '"app_hash":"00', 'has the hash'],
      [/"voting_power":"\d+"/, '"voting_power":"1"', 'The validators do not have the hash'],
      [/"chain_id":"/, '"chain_id":"x', 'is of the chain'],
    ]
    for (const [pattern, replacement, message] of changes) {
      const { get } = createProofApi(RECORDED)
      const { page } = await open(async (path) => {
        const { status, body } = await get(path)
        if (!path.startsWith(`/api/proposals/`) && pattern.source !== '"voting_power":"\\d+"') {
          return { status, body }
        }
        return { status, body: JSON.parse(JSON.stringify(body).replace(pattern, replacement)) }
      })
      await verify(page)
      expect(await untilResult(page, 'The proof is not valid: '), message).toContain(message)
      expect(await result(page).textContent()).not.toContain('Proved')
      await page.context().close()
    }
  })

  it('shows what is missing without a proof, a light block or a network', async () => {
    const none = await open(createProofApi({ ...RECORDED, proposals: [] }).get)
    await verify(none.page)
    expect(await untilResult(none.page, 'Nothing was verified')).toContain(
      `The proof of the end of round 1 of proposal ${PROPOSAL} becomes available at height 102.`,
    )
    const { page } = await open()
    await verify(page, { ...TRUSTED, height: '3' })
    expect(await untilResult(page, 'Nothing was verified')).toContain(
      'Rollcall keeps no light block of height 3. The nearest that it keeps: 2 and',
    )
    const offline = await open()
    await offline.page.context().setOffline(true)
    await verify(offline.page)
    await untilResult(offline.page, 'the data could not be loaded')
    await offline.page.context().setOffline(false)
    await verify(offline.page)
    await untilResult(offline.page, 'Proved:')
  })

  it('is not requested with an invalid height or hash, and the field has the focus', async () => {
    const { page, requests } = await open()
    const mistakes = [
      ['1,200', TRUSTED.hash, 'Block number'],
      ['1', '0xAB', 'Hash of that block'],
    ] as const
    for (const [height, hash, label] of mistakes) {
      await verify(page, { height, hash })
      const id = await page.getByLabel(label).getAttribute('id')
      expect(await page.locator('#proof-form :invalid:focus').getAttribute('id')).toBe(id)
    }
    const loaded = requests.filter((path) => VERIFIER.test(path) || PROOF_API.test(path))
    expect([loaded, await findViolations(page)]).toEqual([[], []])
    await verify(page, { ...TRUSTED, hash: ` ${TRUSTED.hash} ` })
    await untilResult(page, 'Proved:')
  })

  it('verifies each decided proposal of the demo chain from the first header of the chain', async () => {
    // From the recording of the node, independent of the service.
    const { hash } = JSON.parse(openTestRecording().block(1).block).block_id
    const { items } = await getJson<{
      items: { proposalId: string; status: string; tally: { yes: string } }[]
    }>(url, '/api/proposals?status=passed,rejected,failed')
    expect(items.length).toBeGreaterThan(5)
    const { page } = await openPage(browser, url)
    onTestFinished(() => page.context().close())
    for (const { proposalId, status, tally } of items) {
      await until(`the proof of proposal ${proposalId}`, 30_000, async () => {
        const proof = await getJson<{ round: number }>(url, `/api/proposals/${proposalId}/proof`)
        return proof.round > 0 ? true : undefined
      })
      await page.goto(`${url}/proposals/${proposalId}`)
      await verify(page, { height: '1', hash })
      const text = await untilResult(page, 'Proved: the chain itself says')
      expect(text).toContain(`proposal ${proposalId} has the status “${status}”`)
      expect(text).toContain(`yes ${tally.yes}, `)
    }
  })
})
