// The proof section of a proposal: when it is shown, how it works without scripts, and its size.
import { brotliCompressSync, constants } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { ASSETS } from '../../../../../api/html/assets.ts'
import { proposalPage } from '../../../../../api/pages/proposal/page.ts'
import type { ProposalPageData } from '../../../../../api/resources/proposal-page.ts'
import { proposalData } from '../../../../support/api/html-data.ts'
import { toHtmlPage } from '../../../../support/api/render-pages.ts'

const proposalHtml = toHtmlPage(proposalPage)
const data = proposalData('text')
const decided: Partial<ProposalPageData> = {
  status: 'passed',
  round: 1,
  closedTime: '2026-11-21T08:00:00Z',
  extras: { ...data.extras, rounds: [1], shownRound: 1 },
}
const render = (changes: Partial<ProposalPageData> = {}, baseUrl = '') =>
  proposalHtml({ ...data, ...decided, ...changes }, { baseUrl, params: {} })
const findSection = (html: string): string =>
  /<section id="proof".*?<\/section>/s.exec(html)?.[0] ?? ''
const assetNamed = (name: RegExp) => ASSETS.find(({ path }) => name.test(path))

describe('the proof section of a proposal', () => {
  it.each(['passed', 'rejected', 'failed'])(
    'can be verified for a proposal that is %s, and states what it covers',
    (status) => {
      const shown = findSection(render({ status }))
      expect(shown).toContain('the status and the final tally')
      expect(shown).toContain('does not cover single votes')
      expect(shown).toContain('<form id="proof-form" data-proposal="7"')
    },
  )

  it('is announced during the vote, and absent if the chain stores no result', () => {
    const open = findSection(render({ status: 'voting_period' }))
    expect(open).toContain('After the vote, the chain can prove the result.')
    expect(open).not.toContain('<form')
    for (const status of ['deposit_period', 'canceled', 'dropped']) {
      const page = render({ status })
      expect(findSection(page), status).toBe('')
      expect(page, status).not.toMatch(/assets\/proof-/)
    }
  })

  it('gives the reason if the result is from before the first indexed height', () => {
    const historyReason = 'closed before the first indexed height 469'
    const old = render({ round: null, closedTime: null, historyReason })
    const reason = 'closed before block 469, the first one that Rollcall has'
    expect(findSection(old)).toContain(`Reason: <bdi dir="auto">${reason}</bdi>.`)
    expect(findSection(old)).not.toContain('proof verify')
    expect(old).not.toContain('rollcall tally verify')
  })

  it('names the command and the JSON, and so works without scripts', () => {
    const shown = findSection(render({}, 'https://rollcall.example/base'))
    expect(shown).toContain(
      'rollcall proof verify 7 --round 1 --trust HEIGHT:HASH --url https://rollcall.example/base</code>',
    )
    expect(shown).toContain('href="/base/api/proposals/7/proof?round=1"')
    expect(shown).toMatch(/<form [^>]*hidden>/)
  })

  it('uses the round of the page', () => {
    const shown = findSection(render({ extras: { ...data.extras, rounds: [1, 2], shownRound: 2 } }))
    expect(shown).toContain('data-round="2"')
    expect(shown).toContain('href="/api/proposals/7/proof?round=2"')
    expect(shown).toContain('verify 7 --round 2 --trust HEIGHT:HASH --url URL</code>')
  })

  it('loads the verifier only when the user starts the verification', () => {
    const verifier = assetNamed(/verifier-[0-9a-f]{12}\.js$/)
    const page = render()
    expect(page).toContain(`data-verifier="${verifier?.path}"`)
    expect(page).not.toContain(`src="${verifier?.path}"`)
    expect(page).toMatch(/<script type="module" src="\/assets\/proof-[0-9a-f]{12}\.js">/)
    expect(assetNamed(/\/proof-/)?.bytes.toString()).toContain('await import(')
  })

  it('adds less than 1 KB to a compressed page, and the verifier is less than 56 KB', () => {
    // A fast level, with a lower ratio than the service uses.
    const params = { [constants.BROTLI_PARAM_QUALITY]: 4 }
    const bytes = (text: string | Buffer) => brotliCompressSync(text, { params }).length
    const page = render()
    expect(bytes(page) - bytes(page.replace(findSection(page), ''))).toBeLessThan(1_024)
    const verifier = bytes(assetNamed(/verifier-/)?.bytes ?? '')
    expect(verifier).toBeGreaterThan(10_000)
    expect(verifier).toBeLessThan(56 * 1_024)
  })
})
