// Numbers beside each other on a page agree, or the page says why they differ.
import { describe, expect, it } from 'vitest'
import { proposalPage } from '../../../../api/pages/proposal/page.ts'
import type { ProposalPageData } from '../../../../api/resources/proposal-page.ts'
import { proposalData, tally } from '../../../support/api/html-data.ts'
import { toHtmlPage } from '../../../support/api/render-pages.ts'

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
