// The pages of validators, voters, status and problems: their texts, and the escaping of untrusted texts.
import { describe, expect, it } from 'vitest'
import { poolPage } from '../../../../api/pages/pool.tsx'
import { poolsPage } from '../../../../api/pages/pools.tsx'
import { writeProblem } from '../../../../api/pages/problem.tsx'
import { writeStatus } from '../../../../api/pages/status.tsx'
import { voterPage } from '../../../../api/pages/voter.tsx'
import { writeVoters } from '../../../../api/pages/voters.tsx'
import type { Health } from '../../../../api/schemas/health.ts'
import type { PoolRecordPage } from '../../../../api/schemas/pool.ts'
import { toHtmlPage } from '../../../support/api/render-pages.ts'
import { AS_OF } from '../../../support/api/shown-proposals.ts'

const poolHtml = toHtmlPage(poolPage)
const poolsHtml = toHtmlPage(poolsPage)
const voterHtml = toHtmlPage(voterPage)

const votersHtml = toHtmlPage({ write: writeVoters })
const statusHtml = toHtmlPage({ write: writeStatus })
const problemHtml = toHtmlPage({ write: writeProblem })

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
  expect(page).not.toMatch(/<img|\u202e/)
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

  it('exists for a validator that never voted', () => {
    const page = poolHtml(
      { ...createPoolData([]), participation: { proposalsVoted: 0, proposalsMissed: 0 } },
      AT,
    )
    expect(page).toContain('No votes cast or missed yet.')
  })

  it('is linked from the list by the name or the address of the validator', () => {
    const pool = {
      operatorAddress: POOL,
      accountAddress: 'test1a',
      moniker: '',
      status: 'bonded',
      jailed: false,
      counted: true,
      bondedTokens: '5',
      proposalsVoted: 0,
      proposalsMissed: 0,
      powerShare: '0.25',
    }
    const items = [pool, { ...pool, moniker: HOSTILE, jailed: true, proposalsVoted: 4 }]
    const page = poolsHtml({ ...envelope('/api/pools?page=0', 2), items }, AT)
    expect(page).toContain(`<a href="/pools/${POOL}">${POOL}</a>`)
    expect(page).toContain('4 of 4')
    expect(page).toContain('active, jailed')
    expectNoMarkup(page)
  })
})

describe('the page of a voter', () => {
  it('shows an invalid address in the form with the reason', () => {
    const prefixes = { account: 'iaa', operator: 'iva' }
    const problem = 'must be a bech32 address'
    const page = votersHtml({ address: HOSTILE, problem, prefixes }, AT)
    expect(page).toContain('This is not a valid address.</strong> It must be a bech32 address')
    expect(page).toContain('aria-invalid="true"')
    expect(page).toContain('value="&lt;/script>')
    expect(page).toContain('such as iaa1…')
    const empty = votersHtml({ address: '', problem: null, prefixes: null }, AT)
    expect(empty).toContain('aria-invalid="false"')
    expect(empty).not.toContain('1…')
  })

  it('has a text for an account without ballots', () => {
    const page = voterHtml(
      { ...envelope('/api/voters/x/votes?page=0', 0), items: [], pool: null },
      AT,
    )
    expect(page).toContain('No ballots of this address.')
  })
})

describe('the status page', () => {
  const health: Health = {
    status: 'catching_up',
    version: '1.2.3',
    chain: AS_OF,
    tip: 107,
    behind: { heights: 7, seconds: 7_300 },
    lagEvents: null,
    freshnessSeconds: 61.2,
    noBlockSince: null,
    catchUp: null,
    limitations: [],
    history: null,
    links: { openapi: '', mcp: '', authMd: '', apiCatalog: '' },
  }

  it('shows the number of blocks behind the chain, and marks unknown values', () => {
    const page = statusHtml(health, AT)
    expect(page).toContain('<strong>Catching up</strong>')
    expect(page).toContain('<dt>Blocks behind</dt><dd>7 (about 2 hours)</dd>')
    expect(page).toContain('<dd>61 seconds</dd>')
    expect(page).toContain('<dt>Pending events</dt><dd><span class="soft">not known</span></dd>')
    expect(statusHtml({ ...health, chain: null, tip: null }, AT)).toContain('none yet')
    const unknown = { ...health, behind: { heights: null, seconds: null } }
    expect(statusHtml(unknown, AT)).toContain('<dt>Blocks behind</dt><dd><span class="soft">')
    const caughtUp = { ...health, behind: { heights: 0, seconds: 0 } }
    expect(statusHtml(caughtUp, AT)).toContain('<dt>Blocks behind</dt><dd>0</dd>')
  })

  it('lists what cannot be read or verified of the chain, and nothing for other chains', () => {
    const [kind, since, message] = ['no_gov', 7, 'This chain has no x/gov.'] as const
    const limited = { ...health, limitations: [{ kind, since, message, reason: HOSTILE }] }
    const page = statusHtml(limited, AT)
    expect(page).toContain('<li>This chain has no x/gov. Since block 7: ')
    expect(page).not.toContain(HOSTILE)
    expect(statusHtml(health, AT)).not.toContain('Limitations of this chain')
  })
})

describe('the page of a problem', () => {
  it('is a page that reloads itself, and no error, before the first height', () => {
    const page = problemHtml(
      {
        type: '/problems/nothing-projected',
        title: 'No height is indexed yet',
        status: 503,
        detail: 'The first heights are being indexed.',
        code: 'nothing-projected',
        requestId: 'abc-1',
      },
      AT,
    )
    expect(page).toContain('<h1>The first block is being read</h1>')
    expect(page).toContain('<meta http-equiv="refresh" content="5"/>')
    expect(page).not.toMatch(/503|abc-1|Next steps/)
  })

  it('shows the errors, the next steps and the request ID', () => {
    const body = {
      type: '/problems/invalid-parameter',
      title: 'Invalid parameter',
      status: 400,
      detail: HOSTILE,
      code: 'invalid-parameter',
      requestId: 'abc-1',
      errors: [{ parameter: HOSTILE, detail: 'must be digits only' }],
    }
    const page = problemHtml(body, AT)
    expect(page).toContain('must be digits only.')
    expect(page).toContain('abc-1')
    expect(page).toContain('<meta name="robots" content="noindex"/>')
    expect(page).not.toContain('rel="canonical"')
    expectNoMarkup(page)
  })
})
