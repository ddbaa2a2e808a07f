// Every format says how the tally of an open vote is known: computed and proved, or reported by the node.
import { describe, expect, it } from 'vitest'
import { proposalPage } from '../../../api/pages/proposal/page.ts'
import { proposal as operation } from '../../../api/resources/proposal.ts'
import type { ProposalPageData } from '../../../api/resources/proposal-page.ts'
import { PROPOSAL_COLUMNS } from '../../../api/schemas/proposal.ts'
import type { Tally } from '../../../api/schemas/tally.ts'
import { proposalData, tally } from '../../support/api/html-data.ts'
import { toHtmlPage, toMarkdownPage } from '../../support/api/render-pages.ts'

const proposalHtml = toHtmlPage(proposalPage)
const proposalMarkdown = toMarkdownPage(proposalPage)

const AT = { baseUrl: '', params: {} }
const data = proposalData('text')

const withRule = (rule: Tally['rule'], final = false): ProposalPageData => ({
  ...data,
  status: final ? 'passed' : 'voting_period',
  tally: { ...tally, final, rule },
})

const texts = (proposal: ProposalPageData): string[] => [
  proposalHtml(proposal, AT),
  proposalMarkdown(proposal, AT),
  operation.tool?.read(proposal).lines.join('\n') ?? '',
]

const UNKNOWN_RULES = 'Counted by the node itself: Rollcall does not know this chain’s rules.'
const UNKNOWN_STAKE =
  'Counted by the node itself: Rollcall does not know all delegations of the voters.'

describe('the rule of a tally in HTML, Markdown and MCP', () => {
  it.each<[string, Tally['rule'], string]>([
    [
      'was proved',
      { name: 'gov', provedAt: 7, reported: false },
      'The node counted the same at height 7.',
    ],
    ['is refuted', { name: null, provedAt: 7, reported: true }, UNKNOWN_RULES],
    ['is not known', { name: 'own', provedAt: null, reported: true }, UNKNOWN_RULES],
    ['lacks inputs', { name: 'gov', provedAt: null, reported: true }, UNKNOWN_STAKE],
  ])('is said if it %s', (_, rule, expected) => {
    for (const text of texts(withRule(rule))) expect(text).toContain(expected)
  })

  it('is not said after the vote, or if no tally was compared', () => {
    const proved = { name: 'gov', provedAt: 7, reported: false } as const
    for (const proposal of [withRule(proved, true), withRule({ ...proved, provedAt: null })]) {
      for (const text of texts(proposal)) {
        expect(text).not.toContain('The node counted')
        expect(text).not.toContain('Counted by the node')
      }
    }
  })

  it('comes with the height of the stake while the vote is open', () => {
    const rule = { name: 'gov', provedAt: 7, reported: false } as const
    const at = (final: boolean): ProposalPageData => {
      const proposal = withRule(rule, final)
      return { ...proposal, tally: proposal.tally && { ...proposal.tally, stakeAt: 9 } }
    }
    for (const text of texts(at(false))) expect(text).toContain('Stake as of block 9.')
    for (const text of texts(at(true))) expect(text).not.toContain('Stake as of')
  })

  it('explains on the page that the numbers of an open vote are those of the node', () => {
    const reported = proposalHtml(withRule({ name: 'own', provedAt: null, reported: true }), AT)
    expect(reported).toContain('The numbers are those that a node of the chain reports.')
    expect(reported).not.toContain('Rollcall counts every ballot')
  })
})

describe('the rule of a tally in CSV', () => {
  it('has four columns at the end', () => {
    const reported = withRule({ name: 'own', provedAt: 7, reported: true })
    const proposal = { ...reported, tally: { ...tally, ...reported.tally, stakeAt: 9 } }
    const cells = Object.entries(PROPOSAL_COLUMNS).slice(-4)
    expect(cells.map(([name, cell]) => [name, cell(proposal)])).toEqual([
      ['tallyRule', 'own'],
      ['tallyRuleProvedAt', 7],
      ['tallyReported', true],
      ['tallyStakeAt', 9],
    ])
  })
})
