// The page of a validator: its profile and its record are texts of others.
import { describe, expect, it } from 'vitest'
import { poolPage } from '../../../../api/pages/pool.ts'
import type { PoolRecordPage } from '../../../../api/schemas/pool.ts'
import { toHtmlPage } from '../../../support/api/render-pages.ts'
import { AS_OF } from '../../../support/api/shown-proposals.ts'

const poolHtml = toHtmlPage(poolPage)

const HOSTILE = '</script><img src=x onerror=alert(1)>"\'\u202e&amp;'
const POOL = 'testvaloper1pool'
const AT = { baseUrl: '', params: { operatorAddress: POOL, address: 'test1voter' } }

const envelope = (path: string, totalItems: number) => ({
  page: { number: 0, size: 100, totalItems, totalPages: 1, nextCursor: null },
  links: { self: path, next: null, prev: null, first: path, last: path },
  asOf: AS_OF,
})

type Item = PoolRecordPage['items'][number]
type Options = NonNullable<Item['vote']>['options']

const votedFor = (proposalId: string, options: Options | null): Item => ({
  rank: 0,
  proposalId,
  title: HOSTILE,
  status: 'passed',
  round: 1,
  pool: { operatorAddress: POOL, moniker: HOSTILE, status: 'bonded', jailed: true, counted: false },
  vote: options && {
    options,
    height: 5,
    time: AS_OF.time,
    txHash: null,
    reason: { metadata: HOSTILE, memo: HOSTILE },
  },
  votingPower: '1234567.5',
  bondedTokens: '2000000',
  tally: null,
  missed: options === null && proposalId !== '6',
  delegators: { ballots: 3, votingPower: '1', yes: '1', no: '0', abstain: '0', noWithVeto: '0' },
})

const whole = (option: string): Options => [{ option, weight: '1.000000000000000000' }]

const createPoolData = (items: Item[]): PoolRecordPage => ({
  ...envelope(`/api/pools/${POOL}/votes?page=0`, items.length),
  items,
  participation: { proposalsVoted: 2, proposalsMissed: 1 },
  accountAddress: 'test1operator',
  profile: {
    website: `javascript:alert(1) ${HOSTILE} https://pool.example/a`,
    details: HOSTILE,
    identity: HOSTILE,
    commission: null,
    height: 7,
  },
  profileReason: null,
})

/** The page contains no tag from an untrusted text. */
const expectNoMarkup = (page: string) => {
  expect(page).not.toMatch(/<img|onerror=alert\(1\)>|\u202e/)
  for (const [, data = ''] of page.matchAll(
    /<script type="application\/ld\+json">(.*?)<\/script>/gs,
  )) {
    expect(() => JSON.parse(data)).not.toThrow()
  }
}

describe('the page of a validator', () => {
  const record = [
    votedFor('9', null),
    votedFor('8', [
      { option: 'yes', weight: '0.700000000000000000' },
      { option: 'no', weight: '0.300000000000000000' },
    ]),
    votedFor('7', whole('no_with_veto')),
    votedFor('6', null),
  ]

  it('shows the participation, and each vote in a table', () => {
    const page = poolHtml(createPoolData(record), AT)
    expect(page).toContain('Voted on <strong>2 of 3</strong> proposals. 1 missed')
    expect(page).toContain('1\u202f234\u202f567')
    expectNoMarkup(page)
  })

  it('quotes the profile: no markup, and only web links, without trust', {
    tags: 'api:profiles-are-quoted',
  }, () => {
    const page = poolHtml(createPoolData(record), AT)
    expectNoMarkup(page)
    const link = 'https://pool.example/a'
    expect(page).toContain(`<a rel="nofollow noopener ugc" href="${link}">${link}</a>`)
    expect(page).not.toMatch(/href="javascript/i)
    expect(page).toContain('<dt>Commission</dt><dd>')
    const none = { ...createPoolData(record), profile: null, profileReason: HOSTILE }
    expect(poolHtml(none, AT)).toContain('Profile: not known: ')
    expectNoMarkup(poolHtml(none, AT))
  })
})
