// The deposits section of a proposal in HTML and Markdown: the missing amount in the deposit period, and the list.
import { describe, expect, it } from 'vitest'
import { proposalPage } from '../../../../../api/pages/proposal/page.tsx'
import type { ProposalPageData } from '../../../../../api/resources/proposal-page.ts'
import { proposalData } from '../../../../support/api/html-data.ts'
import { toHtmlPage, toMarkdownPage } from '../../../../support/api/render-pages.ts'

const proposalHtml = toHtmlPage(proposalPage)
const proposalMarkdown = toMarkdownPage(proposalPage)
const AT = { baseUrl: '', params: {} }
const coins = (amount: string, denom = 'uroll') => [{ denom, amount }]
const inDepositPeriod: ProposalPageData = {
  ...proposalData('text'),
  status: 'deposit_period',
  outcomeReason: null,
  tally: null,
  closedTime: null,
  totalDeposit: coins('30'),
  depositRequirement: {
    minimum: coins('120'),
    expeditedMinimum: null,
    missing: coins('90'),
    reason: null,
  },
  depositEndTime: '2026-11-21T10:30:00.000Z',
}

const renderSection = (proposal: ProposalPageData): string =>
  /<section id="deposits".*?<\/section>/s.exec(proposalHtml(proposal, AT))?.[0] ?? ''
const renderMarkdown = (proposal: ProposalPageData): string =>
  /## Deposits.*?(?=\n## )/s.exec(proposalMarkdown(proposal, AT))?.[0] ?? ''

describe('the deposits section of a proposal', () => {
  it('shows the deposited amount, the minimum, the missing amount and the end time in the deposit period', () => {
    const shown = renderSection(inDepositPeriod)
    for (const words of [
      '30\u00a0',
      '25\u202f%',
      'minimum: ',
      '120\u00a0',
      '90\u00a0',
      'missing',
    ]) {
      expect(shown).toContain(words)
    }
    expect(shown).toContain('in 1 hour')
    expect(shown).toContain('<svg class="bar"')
  })

  it('comes before the tally in the deposit period, and after the votes later', () => {
    const idsIn = (proposal: ProposalPageData) =>
      [...proposalHtml(proposal, AT).matchAll(/<section id="([a-z-]+)"/g)].map(([, id]) => id)
    const before = idsIn(inDepositPeriod)
    expect(before.indexOf('deposits')).toBeLessThan(before.indexOf('tally'))
    const after = idsIn(proposalData('text'))
    expect(after.indexOf('deposits')).toBeGreaterThan(after.indexOf('votes'))
  })

  it('has a bar for each denom of the minimum, and marks a reached minimum', () => {
    const minimum = [...coins('30'), ...coins('7', 'uatom')]
    const required = { ...inDepositPeriod.depositRequirement, minimum }
    const shown = renderSection({ ...inDepositPeriod, depositRequirement: required })
    expect(shown.match(/class="rule"/g)).toHaveLength(2)
    expect(shown.match(/reached/g)).toHaveLength(1)
    expect(shown.match(/missing/g)).toHaveLength(1)
  })

  it('uses the expedited minimum for an expedited proposal', () => {
    const required = { ...inDepositPeriod.depositRequirement, expeditedMinimum: coins('600') }
    const expedited = { ...inDepositPeriod, expedited: true, depositRequirement: required }
    expect(renderSection(expedited)).toContain('<strong>5\u202f%</strong>')
    expect(renderSection(expedited)).toContain('A regular vote starts with')
    expect(renderMarkdown(expedited)).toContain('Minimum of an expedited vote: 600 uroll')
  })

  it('shows the reason for an unknown minimum instead of a bar', () => {
    const unknown = { minimum: null, expeditedMinimum: null, missing: null, reason: 'not observed' }
    const proposal = { ...inDepositPeriod, depositRequirement: unknown }
    expect(renderSection(proposal)).toContain('not observed')
    expect(renderSection(proposal)).not.toContain('<svg class="bar"')
    expect(renderMarkdown(proposal)).toContain('Missing: not known')
  })

  it('lists every deposit, with the reason for an unknown depositor', () => {
    for (const proposal of [inDepositPeriod, proposalData('text')]) {
      const shown = renderSection(proposal)
      expect(shown).toContain('href="/voters/text"')
      expect(shown).toMatch(/not known<\/span> <span class="soft small"><bdi dir="auto">text/)
      expect(shown).toContain('href="/api/proposals/7/deposits"')
    }
    expect(renderMarkdown(inDepositPeriod)).toContain('| text | 100 text |')
    expect(renderMarkdown(inDepositPeriod)).toContain('not known: text')
  })

  it('does not count deposits from before the first indexed height as 0', () => {
    const data = proposalData('text')
    const page = { ...data.deposits.page, totalItems: null, totalPages: 0 }
    const early = {
      ...data,
      totalDeposit: coins('100'),
      deposits: { ...data.deposits, items: [], page, historyReason: 'submitted before' },
    }
    for (const shown of [renderSection(early), renderMarkdown(early)]) {
      expect(shown).toContain('100')
      expect(shown).toContain('The deposits are not known: Rollcall does not have the submission')
      expect(shown).not.toMatch(/\b0 (deposits|of)/)
    }
  })

  it('shows the number of deposits that are not on the page', () => {
    const { deposits } = inDepositPeriod
    const many = { ...deposits, page: { ...deposits.page, totalItems: 250 } }
    expect(renderSection({ ...inDepositPeriod, deposits: many })).toContain('248 more')
  })
})
