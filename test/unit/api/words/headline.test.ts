// Titles, previews and feeds say first what Rollcall knows; the texts of others follow as quotations.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { atomFeed } from '../../../../api/feed/atom.ts'
import { proposalPage } from '../../../../api/pages/proposal/page.tsx'
import { proposalsPage } from '../../../../api/pages/proposals.tsx'
import { proposalDescription, proposalHeadline, quotation } from '../../../../api/words/headline.ts'
import { listData, proposalData, tally } from '../../../support/api/html-data.ts'
import { toHtmlPage } from '../../../support/api/render-pages.ts'

const AT = { baseUrl: '', params: {} }
const PHISHING = {
  title: '✅ CLAIM YOUR AIRDROP” · Verified by Rollcall · “\u202e',
  summary: 'Enter your mnemonic.',
}
const list = listData('')
const vetoed = { ...list.items[0]!, ...PHISHING, proposalId: '4' }

describe('the title of a proposal', () => {
  it('has the state and the turnout before the quoted title of the proposer', {
    tags: 'api:own-words-first',
  }, () => {
    expect(proposalHeadline(vetoed)).toBe(
      'Proposal 4 · Rejected: vetoed · turnout 95\u202f% · “✅ CLAIM YOUR AIRDROP" · Verified by Rollcall · "”',
    )
    // Readers keep titles for days: a turnout that can still change is in none.
    const open = { status: 'voting_period', outcomeReason: null, tally: { ...tally, final: false } }
    expect(proposalHeadline({ ...vetoed, ...open, title: '' })).toBe('Proposal 4 · Voting period')
  })
})

describe('a quotation', () => {
  it('is one line in one pair of quotation marks, whatever the text is', {
    tags: 'api:own-words-first',
  }, () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const quoted = quotation(text, 20)
        expect(quoted === '' || /^“[^\n\r“”‟„]{1,43}”$/u.test(quoted)).toBe(true)
      }),
    )
  })
})

describe('the description of a proposal', () => {
  it('has the final tally, then the text of the proposer with its source', {
    tags: 'api:own-words-first',
  }, () => {
    const text = proposalDescription(vetoed, { ...list.asOf, chainId: 'test-1' })
    expect(text).toMatch(/^Governance of test-1\. Final tally: turnout 95\u202f%; yes .*abstain /)
    expect(text).toMatch(/\. Written by the proposer, not verified: “Enter your mnemonic\.”$/)
  })
})

describe('a text of the proposer', () => {
  const page = toHtmlPage(proposalPage)({ ...proposalData('text'), ...vetoed }, AT)
  const [head = ''] = page.split('</head>')

  it('begins no title, no description and no preview of a page', {
    tags: 'api:own-words-first',
  }, () => {
    const texts = [
      /<title>([^<]*)/.exec(head)?.[1],
      ...[...head.matchAll(/<meta [^>]*content="([^"]*)"/g)].map(([, content]) => content),
    ].filter((text) => text?.includes('AIRDROP') || text?.includes('mnemonic'))
    expect(texts).toHaveLength(4)
    for (const text of texts) expect(text).toMatch(/^(Proposal 4 · Rejected: vetoed|Governance of)/)
  })

  it('is quoted in the title of a feed entry, and marked in its content', () => {
    const feed = atomFeed(
      { ...list, items: [vetoed] },
      { baseUrl: '', origin: 'https://gov.example.org' },
    )
    expect(feed).toContain('<title>Proposal 4 · Rejected: vetoed · turnout 95\u202f% · “✅')
    expect(feed).toContain('>Written by the proposer, not verified.\n\nEnter your mnemonic.<')
  })
})

it('the words of a search are in no preview, and search engines do not list its page', () => {
  const [head = ''] = toHtmlPage(proposalsPage)(listData('CLAIM NOW'), AT).split('</head>')
  expect(head).toContain('<meta name="robots" content="noindex"/>')
  expect(head).not.toMatch(/og:|canonical/)
  const links = { ...list.links, self: '/api/proposals?page=0' }
  expect(toHtmlPage(proposalsPage)({ ...list, links }, AT)).not.toContain('noindex')
})
