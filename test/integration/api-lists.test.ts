// Tests of the lists of ballots, pools and deposits with a real ClickHouse: their pages while rows change, and values of their own.
import { describe, expect, it } from 'vitest'
import { pointViews } from '../../projections/read-model/prepare.ts'
import { expectProblem, walkPages } from '../support/api/api-rig.ts'
import {
  BALLOTS,
  BEFORE_VOTE,
  BIG_VOTE,
  BUSY,
  ballotRow,
  createEvent,
  createVoter,
  eventRow,
  FREQUENT,
  IDLE,
  LISTS_HEIGHT,
  missedRow,
  poolRow,
  positionAt,
  SECOND_ROUND,
  TALLIED_VOTE,
  useListsRig,
} from '../support/api/lists-story.ts'
import {
  poolVoteRow,
  proposalRow,
  replaceRows,
  seedRows,
  tallyRow,
  timeAt,
  timestampAt,
} from '../support/store/read-model-seed.ts'

const setup = useListsRig()

const BIG = `/api/proposals/${BIG_VOTE}/ballots`

type List = { items: { voter: string }[]; links: { next: string | null } }

describe('the ballots on a proposal', () => {
  it('show the current power of each delegation while the vote is open', async () => {
    const { get, commit } = await setup({ changes: true })
    const powers = async () => {
      const [{ votingPower, delegations }] = (await get(BIG)).items
      return [votingPower, delegations]
    }
    const shares = '10.000000000000000000'
    const delegation = { operatorAddress: BUSY, shares }
    expect(await powers()).toEqual(['10', [{ ...delegation, votingPower: '10' }]])
    // After a slashing, 4,000 shares are worth 3,999 tokens.
    const slashed = poolRow(BUSY, '3999', {
      delegator_shares: '4000.000000000000000000',
      version: positionAt(101),
    })
    await commit({ height: 101, pools: [slashed], marks: [{ id: BIG_VOTE }] })
    expect(await powers()).toEqual(['9.9975', [{ ...delegation, votingPower: '9.9975' }]])
  })

  type Rig = Awaited<ReturnType<typeof setup>>

  /** The voters by `links.next`. After each page, a commit replaces ballots. */
  const walkWhileChanging = async (
    { get, commit }: Rig,
    first: string,
    replace: (page: number, height: number) => ReturnType<typeof ballotRow>[],
  ): Promise<string[]> => {
    const seen: string[] = []
    let url: string | null = first
    for (let page = 0; url !== null; page++) {
      const list: List = await get(url)
      seen.push(...list.items.map(({ voter }) => voter))
      url = list.links.next
      const height = LISTS_HEIGHT + page + 1
      await commit({ height, ballots: replace(page, height), marks: [{ id: BIG_VOTE }] })
    }
    return seen
  }
  const no = [{ option: 'no', weight: '1.0' }]

  it('can be paged without a gap or a repeat while votes change and arrive', {
    tags: 'api:pages-never-shift',
  }, async () => {
    const rig = await setup({ changes: true })
    const seen = await walkWhileChanging(rig, BIG, (page, height) => [
      ballotRow(BIG_VOTE, 5, { height, options: no }),
      ballotRow(BIG_VOTE, BALLOTS + page, { height }),
    ])
    expect(seen).toEqual(Array.from({ length: BALLOTS + 2 }, (_, rank) => createVoter(rank)))
    const latest = await rig.get(BIG)
    expect(latest.items[5].options).toEqual(no)
    expect(latest.page.totalItems).toBe(BALLOTS + 3)
  })

  it('of one option can be paged so while voters change their votes', async () => {
    const rig = await setup({ changes: true })
    const ofYes = `${BIG}?option=yes`
    const seen = await walkWhileChanging(rig, ofYes, (page, height) => [
      ballotRow(BIG_VOTE, page + 1, { height, options: no }),
    ])
    expect(seen).toEqual(Array.from({ length: BALLOTS }, (_, rank) => createVoter(rank)))
    expect((await rig.get(ofYes)).page.totalItems).toBe(BALLOTS - 3)
  })

  it('show a whole commit or nothing of it', { tags: 'api:one-state-per-page' }, async () => {
    const { get, commit, tables } = await setup({ changes: true })
    const height = 110
    await seedRows(tables, { height, ballots: [ballotRow(BIG_VOTE, BALLOTS, { height })] })
    const before = { page: { totalItems: BALLOTS }, asOf: { height: LISTS_HEIGHT } }
    expect(await get(BIG)).toMatchObject(before)
    await replaceRows(tables)
    const pending = get(`${BIG}?round=1`)
    await commit({ height, marks: [{ id: BIG_VOTE }] })
    expect(await pending).toMatchObject({ page: { totalItems: BALLOTS + 1 }, asOf: { height } })
  })
})

describe('ballots that only an event has', () => {
  const height = LISTS_HEIGHT + 1
  const hide = (...ranks: number[]) => ({
    height,
    ballots: ranks.map((rank) => ballotRow(BIG_VOTE, rank, { height, in_state: false })),
    marks: [{ id: BIG_VOTE }],
  })
  const isShown = (hidden: readonly number[]) => (rank: number) => !hidden.includes(rank)
  const RANKS = Array.from({ length: BALLOTS }, (_, rank) => rank)

  it('are on no page, and pages do not shift if a ballot becomes one of them', async () => {
    const { get, commit } = await setup({ changes: true })
    const first: List = await get(BIG)
    const hidden = [3, 1_000, 1_001, BALLOTS - 1]
    await commit(hide(...hidden))
    const rest = await walkPages(get, first.links.next ?? '')
    const seen = [first, ...rest].flatMap(({ items }) => items).map(({ voter }) => voter)
    const known = RANKS.filter((rank) => rank < 1_000 || isShown(hidden)(rank))
    expect(seen).toEqual(known.map(createVoter))
    const again = await walkPages(get, BIG)
    expect(again.flatMap(({ items }) => items).map(({ voter }) => voter)).toEqual(
      RANKS.filter(isShown(hidden)).map(createVoter),
    )
    for (const { page } of again) expect(page.totalItems).toBe(BALLOTS - hidden.length)
  })

  it('are in no filter, no format, no record of a voter, no turnout and no view', async () => {
    const { get, ask, commit, tables } = await setup({ changes: true })
    const voter = createVoter(3)
    await commit(hide(3))
    const filters = [`voter=${voter}`, 'option=yes', `delegatedTo=${BUSY}`, 'sort=power']
    const counts = filters.map(async (query) => (await get(`${BIG}?${query}`)).page.totalItems)
    expect(await Promise.all(counts)).toEqual([0, ...Array(3).fill(BALLOTS - 1)])
    const csv = await ask(`${BIG}?format=csv`)
    expect(csv.text).not.toContain(voter)
    expect(csv.headers['rollcall-total-items']).toBe(`${BALLOTS - 1}`)
    expect((await get(`/api/voters/${voter}/votes`)).page.totalItems).toBe(0)
    const html = await ask(`/proposals/${BIG_VOTE}/ballots`, { headers: { accept: 'text/html' } })
    expect(html.text).not.toContain(voter)
    const { items } = await get(`/api/proposals/${BIG_VOTE}/turnout`)
    expect(items.at(-1).ballots).toBe(BALLOTS - 1)
    await pointViews(tables, { control: 'rollcall', generation: 1 })
    const views = ['v_ballots', 'v_delegator_votes'].map((view) =>
      tables.select(`SELECT voter FROM rollcall.${view} WHERE voter = {voter:String}`, { voter }),
    )
    expect(await Promise.all(views)).toEqual([[], []])
  })
})

it('the turnout of a vote counts ballots of unknown time before all others', async () => {
  const { get, commit } = await setup({ changes: true })
  const [id, height] = [296, 101]
  const counted = (units: number) => ({ voting_power_atto: `${units}${'0'.repeat(18)}` })
  const closed = { status: 'passed', closed_height: '101', closed_time: timestampAt(height) }
  await commit({
    height,
    ballots: [
      { ...ballotRow(id, 0, { height: 60, ...counted(3_312) }), height: null, time: null },
      ballotRow(id, 1, { height: 60, ...counted(1_000) }),
    ],
    proposals: [proposalRow(id, height, { ...closed, history: 'partial' })],
    tallies: [tallyRow(id, height, { final: true })],
    marks: [{ id, final: true }],
  })
  expect(await get(`/api/proposals/${id}/turnout`)).toMatchObject({
    untimedBallots: 1,
    quorumReached: { height: 60, time: timeAt(60), reason: null },
  })
})

it('the pools count a proposal once, as missed if the pool voted only before it fell back', async () => {
  const { get, commit } = await setup({ changes: true })
  const height = 101
  await commit({
    height,
    poolVotes: [poolVoteRow(SECOND_ROUND, 0, { height, operator_address: IDLE })],
    missedVotes: [missedRow(SECOND_ROUND, IDLE, 2)],
    marks: [{ id: SECOND_ROUND }],
  })
  const counts = { proposalsVoted: 0, proposalsMissed: 8 }
  expect((await get('/api/pools')).items[2]).toMatchObject({ operatorAddress: IDLE, ...counts })
  expect(await get(`/api/pools/${IDLE}/votes`)).toMatchObject({ participation: counts })
})

const DEPOSITS = `/api/proposals/${BEFORE_VOTE}/deposits`
const createDeposit = (n: number, data: object = {}) =>
  createEvent('proposal.deposited', {
    height: 10 + Math.floor(n / 10),
    index: 4_096 * (n % 10),
    proposalId: BEFORE_VOTE,
    data: { depositor: FREQUENT, txHash: null, amount: [], ...data },
  })

it('the deposits of a proposal are in log order, each once, as far as their height is complete', async () => {
  const { get, commit, tables } = await setup({ changes: true })
  const amount = [{ denom: 'ibc/AB', amount: `${2n ** 256n - 1n}` }]
  const unnamed = { depositor: null, depositorReason: 'no message names it', amount }
  const events = Array.from({ length: 250 }, (_, n) => createDeposit(n, n === 1 ? unnamed : {}))
  const early = { ...createDeposit(0), height: LISTS_HEIGHT + 2, id: 'test-1/102/0' }
  const rows = [...events, early].map((event) => eventRow(event))
  const height = LISTS_HEIGHT + 1
  await seedRows(tables, { height, events: rows })
  // A delivery that is repeated after a crash.
  await commit({ height, events: rows.slice(95, 105), marks: [{ id: BEFORE_VOTE }] })
  const pages = await walkPages(get, DEPOSITS)
  expect(pages[0].page).toMatchObject({ size: 100, totalItems: 250, totalPages: 3 })
  const items = pages.flatMap((page) => page.items)
  const ids = items.map(({ eventId }: { eventId: string }) => eventId)
  expect(ids).toEqual(events.map(({ id }) => id))
  expect(items[1]).toMatchObject(unnamed)
  // An offset of more than 32 bits: 42949673 * 100 = 2 ** 32 + 4.
  expect((await get(`${DEPOSITS}?page=42949673`)).items).toEqual([])
})

it.each([`/api/pools/${BUSY}/votes`, `/api/voters/${FREQUENT}/votes`])(
  'a list is paged by cursor to the same end: %s',
  async (first) => {
    const { get } = await setup()
    const pages = await walkPages(get, first, { byCursor: true })
    const items = pages.flatMap((page) => page.items)
    const ids = items.map(({ proposalId, round }) => `${proposalId}/${round}`)
    const total = pages[0].page.totalItems
    expect([ids.length, new Set(ids).size]).toEqual([total, total])
  },
)

it('a list refuses the cursor of another list, vote, pool or voter', async () => {
  const { get, ask } = await setup()
  const ofBallots = new URL((await get(BIG)).links.next, 'http://x').searchParams.get('cursor')
  const ofPool = (await get(`/api/pools/${BUSY}/votes`)).page.nextCursor
  for (const url of [
    `/api/proposals/${TALLIED_VOTE}/ballots?cursor=${ofBallots}`,
    `/api/proposals/${BIG_VOTE}/events?cursor=${ofBallots}`,
    `/api/pools?cursor=${ofPool}`,
    `/api/pools/${IDLE}/votes?cursor=${ofPool}`,
    `/api/voters/${FREQUENT}/votes?cursor=${ofPool}`,
  ]) {
    expectProblem(await ask(url), 400, 'invalid-parameter')
  }
})
