// The links to a list as CSV beside its items on each page.
import { describe, expect, it } from 'vitest'
import { poolPage } from '../../../../api/pages/pool.ts'
import { poolsPage } from '../../../../api/pages/pools.ts'
import { proposalPage } from '../../../../api/pages/proposal/page.ts'
import { proposalsPage } from '../../../../api/pages/proposals.ts'
import { voterPage } from '../../../../api/pages/voter.ts'
import { listData, proposalData } from '../../../support/api/html-data.ts'
import { toHtmlPage } from '../../../support/api/render-pages.ts'
import { AS_OF } from '../../../support/api/shown-proposals.ts'

const proposalsHtml = toHtmlPage(proposalsPage)
const poolHtml = toHtmlPage(poolPage)
const poolsHtml = toHtmlPage(poolsPage)
const voterHtml = toHtmlPage(voterPage)

const AT = { baseUrl: 'https://gov.example.org/rollcall', params: {} }

const envelope = (self: string, totalItems: number) => ({
  items: [],
  page: { number: 1, size: 100, totalItems, totalPages: 3, nextCursor: null },
  links: { self: `${AT.baseUrl}${self}`, next: null, prev: null, first: self, last: self },
  asOf: AS_OF,
})

const findCsvLinks = (page: string): string[][] =>
  [...page.matchAll(/<a href="([^"]*)">CSV<span class="hidden">([^<]*)<\/span><\/a>/g)].map(
    ([, href = '', rest = '']) => [href.replaceAll('&amp;', '&'), `CSV${rest}`],
  )

describe('the CSV link of a page', () => {
  it('has the rows of the page, with its filters, and says which rows these are', () => {
    const filtered = '/api/proposals?status=passed&page=1'
    const participation = { proposalsVoted: 1, proposalsMissed: 0 }
    const pages = [
      proposalsHtml({ ...listData('text'), ...envelope(filtered, 201) }, AT),
      poolsHtml(envelope('/api/pools?page=1', 201), AT),
      poolHtml(
        {
          ...envelope('/api/pools/a/votes?page=1', 201),
          participation,
          accountAddress: null,
          profile: null,
          profileReason: 'not read',
        },
        AT,
      ),
      voterHtml({ ...envelope('/api/voters/b/votes?page=1', 201), pool: null }, AT),
    ]
    expect(pages.map(findCsvLinks)).toEqual([
      [
        [
          '/rollcall/api/proposals?status=passed&page=1&format=csv',
          'CSV of the proposals on this page',
        ],
      ],
      [['/rollcall/api/pools?page=1&format=csv', 'CSV of the validators on this page']],
      [['/rollcall/api/pools/a/votes?page=1&format=csv', 'CSV of the votes on this page']],
      [['/rollcall/api/voters/b/votes?page=1&format=csv', 'CSV of the ballots on this page']],
    ])
  })

  it('stands at both tables of a proposal, and at no empty list', () => {
    const at = { baseUrl: '', params: {} }
    const names = findCsvLinks(toHtmlPage(proposalPage)(proposalData('text'), at)).map(
      ([, name]) => name,
    )
    expect(names).toEqual(['CSV of the validators on this page', 'CSV of these deposits'])
    expect(findCsvLinks(poolsHtml(envelope('/api/pools', 0), AT))).toEqual([])
  })
})
