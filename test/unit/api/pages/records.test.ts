// The page of a validator: its profile and its record are texts of others.
import { expect, it } from 'vitest'
import { poolPage } from '../../../../api/pages/pool.tsx'
import type { PoolRecordPage } from '../../../../api/schemas/pool.ts'
import { toHtmlPage } from '../../../support/api/render-pages.ts'

const poolHtml = toHtmlPage(poolPage)

const HOSTILE = '</script><img src=x onerror=alert(1)>"\'\u202e&amp;'
const AS_OF = { chainId: 'test-1', height: 100, time: '2026-11-21T00:01:40.000Z' }
const POOL = 'testvaloper1pool'
const PATH = `/api/pools/${POOL}/votes?page=0`
const AT = { baseUrl: '', params: { operatorAddress: POOL, address: 'test1voter' } }

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

const POOL_DATA: PoolRecordPage = {
  page: { number: 0, size: 100, totalItems: 4, totalPages: 1, nextCursor: null },
  links: { self: PATH, next: null, prev: null, first: PATH, last: PATH },
  asOf: AS_OF,
  items: [
    votedFor('9', null),
    votedFor('8', [
      { option: 'yes', weight: '0.700000000000000000' },
      { option: 'no', weight: '0.300000000000000000' },
    ]),
    votedFor('7', [{ option: 'no_with_veto', weight: '1.000000000000000000' }]),
    votedFor('6', null),
  ],
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
}

/** The page contains no tag from an untrusted text. */
const expectNoMarkup = (page: string) => {
  expect(page).not.toMatch(/<img|\u202e/)
  const data = [...page.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)]
  for (const [, json = ''] of data) expect(() => JSON.parse(json)).not.toThrow()
}

it('the page of a validator quotes its profile: no markup, and only web links, without trust', {
  tags: 'api:profiles-are-quoted',
}, () => {
  const page = poolHtml(POOL_DATA, AT)
  expect(page).toContain('Voted on <strong>2 of 3</strong> proposals. 1 missed')
  expect(page).toContain('1\u202f234\u202f567')
  expectNoMarkup(page)
  const link = 'https://pool.example/a'
  expect(page).toContain(`<a rel="nofollow noopener ugc" href="${link}">${link}</a>`)
  expect(page).not.toMatch(/href="javascript/i)
  expect(page).toContain('<dt>Commission</dt><dd>')
  const unknown = poolHtml({ ...POOL_DATA, profile: null, profileReason: HOSTILE }, AT)
  expect(unknown).toContain('Profile: not known: ')
  expectNoMarkup(unknown)
})
