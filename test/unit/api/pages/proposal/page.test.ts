// The page of a proposal: known values are exact, and unknown values are marked as not known.
import { describe, expect, it } from 'vitest'
import { proposalPage } from '../../../../../api/pages/proposal/page.tsx'
import type { ProposalPageData } from '../../../../../api/resources/proposal-page.ts'
import { proposalData, tally } from '../../../../support/api/html-data.ts'
import { toHtmlPage } from '../../../../support/api/render-pages.ts'

const proposalHtml = toHtmlPage(proposalPage)
const AT = { baseUrl: '', params: {} }
const data = proposalData('text')

const render = (changes: Partial<ProposalPageData> = {}) =>
  proposalHtml({ ...data, ...changes }, AT)
const section = (html: string, id: string): string =>
  new RegExp(`<section id="${id}".*?</section>`, 's').exec(html)?.[0] ?? ''

describe('the page of a proposal', () => {
  it('marks a title and a description of the metadata, with authors and forum link', () => {
    const shown = render({
      title: 'Lower the inflation',
      titleSource: 'metadata',
      summarySource: 'metadata',
      authors: ['Ada', '<b>'],
      forumUrl: 'https://forum.example.org/t/1',
      metadata: 'ipfs://bafybeigdyrzt5sfp7',
    })
    expect(shown).toContain('The title is from the metadata of the proposal.')
    expect(shown).toContain('The description is from the metadata of the proposal.')
    expect(section(shown, 'details')).toMatch(/Ada.*&lt;b>/s)
    for (const url of ['https://forum.example.org/t/1', 'ipfs://bafybeigdyrzt5sfp7'])
      expect(section(shown, 'details')).toContain(`<a rel="nofollow noopener ugc" href="${url}">`)
    expect(render()).not.toContain('from the metadata of the proposal')
  })

  it('has the line ends of a description that was escaped once too often', () => {
    const summary = '# One\\r\\n\\r\\n## Summary\\r\\n\\r\\n* tested\\n* small'
    const shown = section(render({ summary }), 'text')
    expect(shown).toMatch(/<h4>Summary<\/h4>.*<li>tested<\/li>/s)
    expect(shown).not.toContain('\\n')
  })

  it('shows the tally with quorum, threshold and veto', () => {
    const shown = section(render(), 'tally')
    for (const words of [
      '95\u202f%',
      'at least 33.4\u202f%',
      'reached',
      'more than 50\u202f%',
      '70.58\u202f%',
    ]) {
      expect(shown).toContain(words)
    }
    expect(shown).toContain('<strong>not vetoed</strong>')
  })

  it('shows the same share of yes in the sentence and in the table', () => {
    const sums = { yes: '89645', no: '8995', abstain: '1360', noWithVeto: '0' }
    const shown = section(render({ tally: { ...tally, ...sums } }), 'tally')
    expect(shown.split('89.65\u202f%')).toHaveLength(3)
    expect(shown).toContain('yes 89.65\u202f% of all votes')
  })

  it('says once why the tally of an open vote is not known yet', () => {
    const unknown = { yes: null, no: null, abstain: null, noWithVeto: null }
    const reason = 'the delegations of 4,700 of 5,000 voters are still being read'
    const shown = render({
      tally: { ...tally, ...unknown, final: false, matchesChainReason: reason },
    })
    expect(shown).toContain('The tally is not known: ')
    expect(shown.split(reason)).toHaveLength(2)
  })

  it('marks unknown values as not known, and never shows 0 for them', {
    tags: 'api:unknown-is-null',
  }, () => {
    const unknown = { yes: null, no: null, abstain: null, noWithVeto: null }
    const shown = render({
      tally: { ...tally, ...unknown, turnout: null, bondedTokens: null, ballots: null },
      extras: { ...data.extras, turnoutSeries: null, nonVotingPools: null },
    })
    const numbers = section(shown, 'tally')
    expect(numbers.match(/not known/g)?.length).toBeGreaterThan(5)
    expect(numbers).not.toMatch(/>0</)
    expect(shown).not.toContain('id="turnout"')
  })

  it('says that a chain has no veto or no quorum, instead of an unknown limit', () => {
    const three = { ...tally, noWithVeto: null, vetoThreshold: null }
    const shown = section(render({ tally: three }), 'tally')
    expect(shown).toContain('this chain has no veto')
    expect(shown).not.toContain('not known')
    expect(shown.match(/No with veto/g)).toHaveLength(1)
    const noQuorum = section(render({ tally: { ...tally, quorum: null } }), 'tally')
    expect(noQuorum).toContain('this chain has no quorum')
  })

  it('shows both tallies if the recomputed tally differs from the chain', () => {
    const shown = section(render(), 'evidence')
    expect(shown).toContain('Differs from the chain')
    expect(shown).toMatch(/600.*599/s)
    expect(shown).toContain('href="/api/proposals/7/evidence?round=2"')
  })

  it('has live updates only while the vote is open', () => {
    expect(render()).not.toContain('data-stream')
    const open = render({ status: 'voting_period', tally: { ...tally, final: false } })
    expect(open).toContain('data-stream="/api/stream?proposalId=7"')
    expect(open).not.toContain('Differs from the chain')
  })

  it('links to the other round and to the next page of the same round', () => {
    expect(render()).toContain('href="/proposals/7?round=1"')
    expect(render()).toContain('href="/proposals/7?round=2&amp;page=1#votes"')
  })

  it('collapses a long description, and keeps the numbering of a split list', () => {
    const summary = Array.from({ length: 60 }, (_, n) => `${n + 1}. ${'word '.repeat(20)}`).join(
      '\n',
    )
    const text = section(render({ summary }), 'text')
    const start = Number(/<ol start="(\d+)">/.exec(text)?.[1])
    expect(start).toBe(6)
    expect(text.match(/<li>/g)).toHaveLength(60)
    expect(section(render({ summary: 'x'.repeat(50_000) }), 'text')).toContain('Full description')
  })

  it('collapses a description of more than 1,200 characters after its first paragraph', () => {
    const [first, second, third] = ['first ', 'second ', 'third '].map((word) => word.repeat(70))
    const long = section(render({ summary: `${first}\n\n${second}\n\n${third}` }), 'text')
    expect(long.indexOf('first ')).toBeLessThan(long.indexOf('<details'))
    expect(long.indexOf('second ')).toBeGreaterThan(long.indexOf('<details'))
    const short = section(render({ summary: `${first}\n\n${second}` }), 'text')
    expect(short).not.toContain('<details')
  })

  it('shows images as links, demotes headings, and escapes HTML of the proposer', () => {
    const summary =
      '# Big\n\n![a cat](https://a.example/cat.png)\n\n<b>bold</b> [x](javascript:1) [y](/z)'
    const text = section(render({ summary }), 'text')
    expect(text).toContain('<h3>Big</h3>')
    expect(text).toContain('href="https://a.example/cat.png">Image: a cat</a>')
    expect(text).toContain('&lt;b&gt;bold')
    expect(text.match(/<a /g)).toHaveLength(1)
  })
})

describe('the votes section of a proposal', () => {
  const sortedBy = (query: string) => {
    const { votes } = data
    const links = { ...votes.links, self: `/api/proposals/7/votes?${query}page=0` }
    return section(render({ votes: { ...votes, links } }), 'votes')
  }

  it('shows the sort order of the list', () => {
    expect(sortedBy('')).toContain('In the order of first appearance in the log.')
    expect(sortedBy('sort=power&')).toContain('Largest voting power first.')
  })

  it('shows weights of a split vote that add up to 100 %, with the exact weights in titles', () => {
    const [record] = data.votes.items
    if (!record?.vote) throw new Error('there is no vote')
    const third = { option: 'yes', weight: '0.333333333333333333' }
    const options = [
      third,
      { ...third, option: 'abstain' },
      { option: 'no', weight: '0.333333333333333334' },
    ]
    const items = [{ ...record, vote: { ...record.vote, options } }]
    const shown = section(render({ votes: { ...data.votes, items } }), 'votes')
    const parts = [...shown.matchAll(/exactly (\S+) %">\S+ (\S+)\u202f%,?</g)]
    expect(parts.map(([, exact, cut]) => [exact, cut])).toEqual([
      ['33.3333333333333333', '33.33'],
      ['33.3333333333333333', '33.33'],
      ['33.3333333333333334', '33.34'],
    ])
  })

  it('uses the singular for one validator', () => {
    const page = { ...data.votes.page, totalItems: 1, totalPages: 1 }
    expect(section(render({ votes: { ...data.votes, page } }), 'votes')).toContain(
      '<p>1 validator</p>',
    )
    expect(section(render(), 'non-voting')).toContain('1 validator was in the tally')
  })

  it('is empty before the voting period', () => {
    const votes = { ...data.votes, items: [], page: { ...data.votes.page, totalItems: 0 } }
    const early = render({ status: 'deposit_period', tally: null, votes })
    expect(section(early, 'tally')).toContain('Voting has not started.')
    expect(section(early, 'votes')).toContain('No votes yet.')
  })

  it('has no votes to come after the deposit period if it was dropped', () => {
    const votes = { ...data.votes, items: [], page: { ...data.votes.page, totalItems: 0 } }
    const dropped = render({ status: 'dropped', round: 0, tally: null, votes })
    expect(section(dropped, 'votes')).toContain('<p>No votes.</p>')
  })

  it('marks votes and limits before the first indexed height as not known', {
    tags: 'api:unknown-is-null',
  }, () => {
    const votes = { ...data.votes, items: [], page: { ...data.votes.page, totalItems: 0 } }
    const unknown = { turnout: null, bondedTokens: null, poolsVoted: null, ballots: null }
    const limits = { quorum: null, threshold: null, vetoThreshold: null }
    const old = render({
      status: 'passed',
      round: null,
      tally: { ...tally, ...unknown, ...limits, final: true },
      votes,
    })
    expect(section(old, 'votes')).toContain('<p>The votes are not known.</p>')
    for (const words of ['at least <', 'more than <']) {
      expect(section(old, 'tally')).not.toContain(words)
    }
  })
})
