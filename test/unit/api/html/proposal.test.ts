// Tests of the proposal page: known values are exact, and unknown values are marked as unknown.
import { describe, expect, it } from 'vitest'
import { proposalHtml } from '../../../../api/html/proposal.ts'
import { width } from '../../../../api/html/shares.ts'
import { spanInWords } from '../../../../api/html/time-left.ts'
import type { PageData } from '../../../../api/resources/page-data.ts'
import { proposalData, tally } from '../../../support/api/html-data.ts'

const AT = { baseUrl: '', params: {} }
const data = proposalData('text')

const render = (changes: Partial<PageData['proposal']> = {}) =>
  proposalHtml({ ...data, ...changes }, AT)
const section = (html: string, id: string): string =>
  new RegExp(`<section id="${id}".*?</section>`, 's').exec(html)?.[0] ?? ''

describe('the page of a proposal', () => {
  it('shows the tally with the limits of the tally rules', () => {
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

  it('reports a difference from the chain, and shows both numbers', () => {
    const shown = section(render(), 'evidence')
    expect(shown).toContain('Differs from the chain')
    expect(shown).toMatch(/600.*599/s)
    expect(shown).toContain('href="/api/proposals/7/evidence?round=2"')
  })

  it('subscribes to changes only while the vote is open', () => {
    expect(render()).not.toContain('data-stream')
    const open = render({ status: 'voting_period', tally: { ...tally, final: false } })
    expect(open).toContain('data-stream="/api/stream?proposalId=7"')
    expect(open).not.toContain('Differs from the chain')
  })

  it('links the other round and the next page of the same round', () => {
    expect(render()).toContain('href="/proposals/7?round=1"')
    expect(render()).toContain('href="/proposals/7?round=2&amp;page=1#votes"')
  })

  it('collapses long content, and continues the numbering of a list that it cuts', () => {
    const summary = Array.from({ length: 60 }, (_, n) => `${n + 1}. ${'word '.repeat(20)}`).join(
      '\n',
    )
    const text = section(render({ summary }), 'text')
    const start = Number(/<ol start="(\d+)">/.exec(text)?.[1])
    expect(start).toBeGreaterThan(10)
    expect(text.match(/<li>/g)).toHaveLength(60)
    expect(section(render({ summary: 'x'.repeat(50_000) }), 'text')).toContain('The whole text')
  })

  it('shows an image as a link, lowers headings, and removes HTML of the proposer', () => {
    const summary =
      '# Big\n\n![a cat](https://a.example/cat.png)\n\n<b>bold</b> [x](javascript:1) [y](/z)'
    const text = section(render({ summary }), 'text')
    expect(text).toContain('<h3>Big</h3>')
    expect(text).toContain('href="https://a.example/cat.png">Image: a cat</a>')
    expect(text).toContain('&lt;b&gt;bold')
    expect(text.match(/<a /g)).toHaveLength(1)
  })
})

describe('the votes on the page of a proposal', () => {
  const sortedBy = (query: string) => {
    const { votes } = data
    const links = { ...votes.links, self: `/api/proposals/7/votes?${query}page=0` }
    return section(render({ votes: { ...votes, links } }), 'votes')
  }

  it('use the same order as the URL of their list', () => {
    expect(sortedBy('')).toContain('In the order of first appearance in the log.')
    expect(sortedBy('sort=power&')).toContain('Largest voting power first.')
  })

  it('show rounded weights of a split vote that add up, each with the exact weight', () => {
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

  it('use the singular for one vote', () => {
    const page = { ...data.votes.page, totalItems: 1, totalPages: 1 }
    expect(section(render({ votes: { ...data.votes, page } }), 'votes')).toContain(
      '<p>1 validator</p>',
    )
    expect(section(render(), 'silent')).toContain('1 validator was in the tally')
  })

  it('are absent before the voting starts', () => {
    const votes = { ...data.votes, items: [], page: { ...data.votes.page, totalItems: 0 } }
    const early = render({ status: 'deposit_period', tally: null, votes })
    expect(section(early, 'tally')).toContain('Voting has not started.')
    expect(section(early, 'votes')).toContain('No votes yet.')
  })
})

describe('the parts of the page', () => {
  it.each([
    [0, '0 seconds'],
    [1, '1 second'],
    [3_661, '1 hour 1 minute'],
    [180_000, '2 days 2 hours'],
  ])('%i s are %s', (seconds, words) => expect(spanInWords(seconds)).toBe(words))

  it('draw a bar as wide as the share', () => {
    expect(['0.9500', '1', '0.5', '0.0004', null].map(width)).toEqual([
      '95.00%',
      '100.00%',
      '50.00%',
      '0.04%',
      '0.00%',
    ])
  })
})
