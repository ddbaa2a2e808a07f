// Numbers beside each other on a page agree, or the page says why they differ.
import { describe, expect, it } from 'vitest'
import { poolPage } from '../../../../api/pages/pool.ts'
import { proposalPage } from '../../../../api/pages/proposal/page.ts'
import type { ProposalPageData } from '../../../../api/resources/proposal-page.ts'
import type { PoolRecordPage } from '../../../../api/schemas/pool.ts'
import { proposalData, tally } from '../../../support/api/html-data.ts'
import { toHtmlPage } from '../../../support/api/render-pages.ts'
import { AS_OF } from '../../../support/api/shown-proposals.ts'

const data = proposalData('text')
const render = (changes: Partial<ProposalPageData>) =>
  toHtmlPage(proposalPage)({ ...data, ...changes }, { baseUrl: '', params: {} })
const section = (page: string, id: string): string =>
  new RegExp(`<section id="${id}".*?</section>`, 's').exec(page)?.[0] ?? ''

describe('a share', () => {
  it('that is small is not 0 % in the gauge and more in the table', () => {
    const sums = { yes: '100000000', no: '0', abstain: '0', noWithVeto: '1', turnout: '0' }
    const shown = section(
      render({ tally: { ...tally, ...sums, bondedTokens: '9000000000000' } }),
      'tally',
    )
    const gauge = /id="rule-veto".*?<strong>(.*?)<\/strong>/s.exec(shown)?.[1]
    const row =
      /No with veto<\/th>.*?<td class="number">(?!<data)([^<]*|&lt;[^<]*)<\/td><\/tr>/s.exec(
        shown,
      )?.[1]
    expect(gauge).toBe('&lt;\u202f0.01\u202f%')
    expect(row).toBe(gauge)
    expect(shown).toContain('turnout &lt;\u202f0.01\u202f%')
    expect(/id="rule-quorum".*?<strong>(.*?)<\/strong>/s.exec(shown)?.[1]).toBe(gauge)
  })
})

describe('the chart', () => {
  it('of ballots is headed as ballots, and that of power as turnout', () => {
    const series = data.extras.turnoutSeries as NonNullable<typeof data.extras.turnoutSeries>
    const steps = series.steps.map((step) => ({ ...step, votingPower: null, turnout: null }))
    const ballots = render({
      extras: { ...data.extras, turnoutSeries: { ...series, steps } },
    })
    expect(section(ballots, 'turnout')).toContain('>Ballots over time</h2>')
    expect(section(render({}), 'turnout')).toContain('>Turnout over time</h2>')
  })
})

describe('the section of non-voting validators', () => {
  const pool = (operatorAddress: string) => ({
    operatorAddress,
    moniker: operatorAddress,
    bondedTokens: '1',
  })
  const [voted] = data.votes.items
  const silent = { ...voted!, vote: null, pool: { ...voted!.pool, operatorAddress: 'v1' } }
  const withPools = (...pools: string[]) =>
    render({
      votes: {
        ...data.votes,
        items: [voted!, silent],
        page: { ...data.votes.page, totalItems: 2, totalPages: 1 },
      },
      extras: {
        ...data.extras,
        nonVotingPools: {
          isFinal: true,
          unknownReason: null,
          total: pools.length,
          pools: pools.map(pool),
        },
      },
    })

  it('says how many of them have a row in the table above', () => {
    expect(section(withPools('v1', 'v2'), 'non-voting')).toContain(
      '1 of them has a row in the table above',
    )
    expect(section(withPools('v2'), 'non-voting')).toContain('None of them has a row')
    expect(section(withPools('v1'), 'non-voting')).not.toContain('in the table above')
  })
})

describe('the strip of a validator', () => {
  const item = (
    proposalId: string,
    changes: Partial<PoolRecordPage['items'][number]> = {},
  ): PoolRecordPage['items'][number] => ({
    rank: 0,
    proposalId,
    title: 't',
    status: 'passed',
    round: 1,
    pool: { operatorAddress: 'v1', moniker: 'm', status: 'bonded', jailed: false, counted: true },
    vote: {
      options: [{ option: 'yes', weight: '1.000000000000000000' }],
      height: 5,
      time: AS_OF.time,
      txHash: null,
      reason: null,
    },
    votingPower: '1',
    bondedTokens: '1',
    tally: null,
    missed: false,
    delegators: null,
    ...changes,
  })
  const strip = (...items: PoolRecordPage['items']): string => {
    const at = '/api/pools/v1/votes?page=0'
    const page = toHtmlPage(poolPage)(
      {
        page: {
          number: 0,
          size: 100,
          totalItems: items.length,
          totalPages: 1,
          nextCursor: null,
        },
        links: { self: at, next: null, prev: null, first: at, last: at },
        asOf: AS_OF,
        items,
        participation: { proposalsVoted: 1, proposalsMissed: 1 },
        accountAddress: null,
        profile: null,
        profileReason: 'not read',
      },
      { baseUrl: '', params: { operatorAddress: 'v1' } },
    )
    return /<figure class="strip">.*?<\/figure>/s.exec(page)?.[0] ?? ''
  }

  it('says that it has both rounds of a proposal, which the participation counts once', () => {
    expect(strip(item('2', { round: 2 }), item('2'))).toContain(
      '1 proposal here had two rounds of voting.',
    )
    expect(strip(item('2'), item('1'))).not.toContain('two rounds')
  })

  it('tells a missed vote from an open one and from one that does not count, without color', () => {
    const shown = strip(
      item('3', { vote: null, status: 'voting_period' }),
      item('2', { vote: null, missed: true }),
      item('1', { vote: null, status: 'canceled' }),
    )
    for (const words of ['Not voted yet: 1', 'Missed: 1', 'Did not vote, not counted: 1'])
      expect(shown).toContain(words)
    expect(shown.match(/<path class="missed"/g)).toHaveLength(2)
  })
})
