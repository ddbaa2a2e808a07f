// Who voted how: filters and orders of the ballots of one vote, in the API and on the page, with a real ClickHouse.
import { beforeAll, describe, expect, it } from 'vitest'
import { TABLES } from '../../projections/contract/tables.ts'
import { createApiRig, expectProblem } from '../support/api/api-rig.ts'
import { ballotRow, insertRows, poolRow } from '../support/api/lists-story.ts'
import { account, operator } from '../support/simulator/addresses.ts'
import {
  clearReadModel,
  poolVoteRow,
  proposalRow,
  seed,
  tallyRow,
} from '../support/store/read-model-seed.ts'
import { useTestStore } from '../support/store/test-store.ts'

const testStore = useTestStore()

const OPEN = 1
const CLOSED = 2
const VOTES = 250
const ONE = 10n ** 18n
const LARGE = operator('large')
const SMALL = operator('small')
const HEIGHT = 100
const OPTIONS = ['yes', 'no', 'abstain'] as const

const vote = (option: string) => [{ option, weight: '1.000000000000000000' }]
const split = [
  { option: 'yes', weight: '0.500000000000000000' },
  { option: 'no_with_veto', weight: '0.500000000000000000' },
]
const voterAt = (rank: number) => account(`voter ${rank}`)

/** The shares grow with the rank, up to 100. The power of a share of LARGE is 3, that of SMALL is 1. */
const openBallot = (rank: number, option: string = OPTIONS[rank % 3] ?? '') =>
  ballotRow(OPEN, rank, {
    height: 60,
    options: rank === 77 ? split : vote(option),
    delegations: [
      {
        operator_address: rank % 5 === 0 ? SMALL : LARGE,
        shares: `${(rank * 7) % 100}.000000000000000000`,
        voting_power_atto: null,
      },
    ],
  })
const openPower = (rank: number) => (rank % 5 === 0 ? 1 : 3) * ((rank * 7) % 100)

const closedBallot = (rank: number) =>
  ballotRow(CLOSED, rank, {
    height: 50,
    voting_power_atto: rank === 3 ? null : `${BigInt((rank * 13) % 50) * ONE}`,
    delegations: [],
  })

beforeAll(async () => {
  const { store } = testStore
  await clearReadModel(store)
  const ranks = Array.from({ length: VOTES }, (_, rank) => rank)
  await insertRows(store, TABLES.pools.name, [
    poolRow(LARGE, '300', {
      delegator_shares: '100.000000000000000000',
      account_address: voterAt(4),
      moniker: 'Large',
    }),
    poolRow(SMALL, '100', { moniker: 'Small' }),
  ])
  await insertRows(
    store,
    TABLES.ballots.name,
    ranks.map((rank) => openBallot(rank)),
  )
  await insertRows(store, TABLES.ballots.name, ranks.slice(0, 60).map(closedBallot))
  const closed = { status: 'passed', closed_height: '50' }
  await seed(store, {
    height: HEIGHT,
    proposals: [
      proposalRow(OPEN, 60, { title: 'The <open> vote' }),
      proposalRow(CLOSED, 50, closed),
    ],
    tallies: [
      tallyRow(OPEN, 60, { ballots: VOTES, pool_rows: 1 }),
      tallyRow(CLOSED, 50, { final: true, ballots: 60, pool_rows: 0 }),
    ],
    poolVotes: [poolVoteRow(OPEN, 0, { height: 60, operator_address: LARGE, options: vote('no') })],
    marks: [
      { id: OPEN, height: 60 },
      { id: CLOSED, height: 50, final: true },
    ],
  })
})

type Ballot = { voter: string; votingPower: string | null; options: { option: string }[] }

const setup = async () => {
  const rig = await createApiRig(testStore.store)
  const get = async (url: string) => (await rig.ask(url)).json()
  const list = (id: number, query: Record<string, string>) =>
    get(`/api/proposals/${id}/ballots?${new URLSearchParams(query)}`)
  const page = async (id: number, query: Record<string, string>) =>
    rig.ask(`/proposals/${id}/ballots?${new URLSearchParams(query)}`, {
      headers: { accept: 'text/html' },
    })
  return { ...rig, get, list, page }
}

const ranksWhere = (isFound: (rank: number) => boolean): string[] =>
  Array.from({ length: VOTES }, (_, rank) => rank)
    .filter(isFound)
    .map(voterAt)

const toVoters = ({ items }: { items: Ballot[] }): string[] => items.map(({ voter }) => voter)

describe('the ballots on a proposal', () => {
  it('of one voter are its ballot, or none', async () => {
    const { list } = await setup()
    const found = await list(OPEN, { voter: voterAt(17) })
    expect([toVoters(found), found.page.totalItems]).toEqual([[voterAt(17)], 1])
    expect(toVoters(await list(OPEN, { voter: voterAt(17).toUpperCase() }))).toEqual([voterAt(17)])
    expect(await list(CLOSED, { voter: voterAt(70) })).toMatchObject({
      items: [],
      page: { totalItems: 0 },
      links: { next: null },
    })
    expect(toVoters(await list(OPEN, { voter: voterAt(17), option: 'yes' }))).toEqual([])
  })

  it('of an operator address are those of its account', async () => {
    const { list, ask } = await setup()
    const refused = await ask(`/api/proposals/${OPEN}/ballots?voter=cosmos1nonsense`)
    expectProblem(refused, 400, 'invalid-parameter')
    expect(toVoters(await list(OPEN, { voter: voterAt(4) }))).toEqual([voterAt(4)])
  })

  it('can be filtered by option, with split votes, and by the pool that they delegate to', async () => {
    const { list } = await setup()
    const no = await list(OPEN, { option: 'no' })
    expect(toVoters(no)).toEqual(ranksWhere((rank) => rank % 3 === 1 && rank !== 77))
    expect(no.page.totalItems).toBe(no.items.length)
    expect(toVoters(await list(OPEN, { option: 'no_with_veto' }))).toEqual([voterAt(77)])
    const small = await list(OPEN, { delegatedTo: SMALL, option: 'yes' })
    expect(toVoters(small)).toEqual(ranksWhere((rank) => rank % 15 === 0))
    expect(toVoters(await list(OPEN, { delegatedTo: operator('other') }))).toEqual([])
  })

  it('can be sorted by power: that of the tally, or the current one in an open vote', async () => {
    const { list } = await setup()
    const powers = (page: { items: Ballot[] }) =>
      page.items.map(({ votingPower }) => (votingPower === null ? null : Number(votingPower)))
    const closed = powers(await list(CLOSED, { sort: 'power' }))
    expect(closed).toHaveLength(60)
    expect(closed.at(-1)).toBeNull()
    expect(closed.slice(0, -1)).toEqual(
      closed.slice(0, -1).toSorted((a, b) => Number(b) - Number(a)),
    )
    const open = await list(OPEN, { sort: 'power' })
    const expected = Array.from({ length: VOTES }, (_, rank) => openPower(rank)).sort(
      (a, b) => b - a,
    )
    expect(powers(open)).toEqual(expected)
  })

  it('refuse an unknown option or order with the ones that exist', async () => {
    const { ask } = await setup()
    for (const query of ['option=maybe', 'sort=age', 'delegatedTo=x']) {
      const refused = await ask(`/api/proposals/${OPEN}/ballots?${query}`)
      expectProblem(refused, 400, 'invalid-parameter')
    }
  })
})

describe('the page of ballots', () => {
  const rows = (text: string): string[] =>
    [...text.matchAll(/<th scope="row" role="rowheader"><a href="\/voters\/([^"]+)"/g)].map(
      ([, address]) => address ?? '',
    )

  it('shows vote, power, time, block and transaction of each voter, 100 per page', async () => {
    const { page } = await setup()
    const first = await page(OPEN, {})
    expect([first.status, rows(first.text)]).toEqual([200, ranksWhere((rank) => rank < 100)])
    expect(first.text).toMatch(
      /block 60<span class="transaction">, <code class="code" title="(?:EF){32}">EFEFEFEF…<\/code>/,
    )
    expect(first.text).toContain('The &lt;open&gt; vote')
    expect(first.text).toContain('operates <a href=')
    expect(first.text).toContain(`href="/api/proposals/${OPEN}/ballots?format=csv"`)
    const last = await page(OPEN, { page: '2' })
    expect(rows(last.text)).toEqual(ranksWhere((rank) => rank >= 200))
  })

  it('says which ballots differ from the vote of their validator', async () => {
    const { page } = await setup()
    const { text } = await page(OPEN, { delegatedTo: LARGE, option: '', sort: '' })
    expect(text).toContain('The validator voted No.')
    expect(text).toContain('<strong>voted No</strong>')
    expect(text).toContain('also voted No')
    const small = await page(OPEN, { delegatedTo: SMALL })
    expect(small.text).toContain('The validator did not vote.')
    const proposal = await page(OPEN, {})
    expect(proposal.text).toContain('did not vote')
  })

  it('links a transaction to the configured explorer', async () => {
    const explorerTxUrl = 'https://explorer.example.org/tx/{txHash}?at={height}'
    const { ask } = await createApiRig(testStore.store, { explorerTxUrl })
    for (const path of [
      `/proposals/${OPEN}/ballots`,
      `/proposals/${OPEN}`,
      `/voters/${voterAt(4)}`,
    ]) {
      const { text } = await ask(path, { headers: { accept: 'text/html' } })
      expect([path, text]).toEqual([
        path,
        expect.stringMatching(
          /href="https:\/\/explorer\.example\.org\/tx\/[A-F0-9]{64}\?at=\d+" rel="external noopener noreferrer"/,
        ),
      ])
    }
  })
})
