// Tests of the lists of ballots, pools, votes of a pool and ballots of a voter, with a real ClickHouse.
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { BallotPage, VoterBallotPage } from '../../api/schemas/ballot.ts'
import { PoolPage, PoolRecordPage } from '../../api/schemas/pool.ts'
import { TABLES } from '../../projections/contract/tables.ts'
import { expectProblem } from '../support/api/api-rig.ts'
import { useListsRig } from '../support/api/lists-rig.ts'
import {
  BALLOTS,
  BEFORE_VOTE,
  BIG_VOTE,
  BUSY,
  ballotRow,
  createVoter,
  FREQUENT,
  IDLE,
  insertRows,
  JAILED,
  LISTS_HEIGHT,
  missedRow,
  poolRow,
  positionAt,
  SECOND_ROUND,
  TALLIED_VOTE,
} from '../support/api/lists-story.ts'
import { account, operator } from '../support/simulator/addresses.ts'
import {
  poolVoteRow,
  proposalRow,
  replaceRows,
  seedMarks,
  seedRows,
  tallyRow,
  timeAt,
  timestampAt,
} from '../support/store/read-model-seed.ts'

const setup = useListsRig()

const BIG = `/api/proposals/${BIG_VOTE}/ballots`
const TALLIED = `/api/proposals/${TALLIED_VOTE}/ballots`
const BUSY_VOTES = `/api/pools/${BUSY}/votes`
const FREQUENT_VOTES = `/api/voters/${FREQUENT}/votes`

// biome-ignore lint/suspicious/noExplicitAny: items of every list
type Item = any
type List = { items: Item[]; links: { next: string | null }; page: { nextCursor?: string | null } }

/** All items, by following `links.next`. */
const walk = async (get: (url: string) => Promise<List>, first: string) => {
  const sizes: number[] = []
  const items: Item[] = []
  for (let url: string | null = first; url !== null; ) {
    const list = await get(url)
    sizes.push(list.items.length)
    items.push(...list.items)
    url = list.links.next
  }
  return { items, sizes }
}

describe('the ballots on a proposal', () => {
  it('match their schema, 1,000 per page, in the order of first ballots, with self and next', async () => {
    const { get } = await setup()
    const first = await get(BIG)
    expect(Compile(BallotPage).Errors(first)).toEqual([])
    expect(first.page).toEqual({ size: 1_000, totalItems: BALLOTS })
    expect(Object.keys(first.links)).toEqual(['self', 'next'])
    expect(first.links.self).toBe(BIG)
    expect(first.asOf.height).toBe(LISTS_HEIGHT)
    const { items, sizes } = await walk(get, BIG)
    expect(sizes).toEqual([1_000, 1_000, 500])
    const voters = items.map(({ voter }) => voter)
    expect(voters).toEqual(Array.from({ length: BALLOTS }, (_, rank) => createVoter(rank)))
  })

  it('are read ahead: the second page needs no query', async () => {
    const { get, store } = await setup()
    const { links } = await get(BIG)
    const { selects } = store
    expect((await get(links.next)).items).toHaveLength(1_000)
    expect(store.selects).toBe(selects)
  })

  it('show the current power of each delegation while the vote is open', async () => {
    const { get, tables, state } = await setup({ changes: true })
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
    await insertRows(tables, TABLES.pools.name, [slashed])
    await seedMarks(tables, { height: 101, marks: [{ id: BIG_VOTE }] })
    await state.refresh()
    expect(await powers()).toEqual(['9.9975', [{ ...delegation, votingPower: '9.9975' }]])
  })

  it('show the power of each delegation in a tallied vote, and null for unknown values', async () => {
    const { get } = await setup()
    const { items, asOf } = await get(TALLIED)
    expect(items[0]).toMatchObject({
      voter: FREQUENT,
      votingPower: '3',
      counted: true,
      height: 50,
      delegations: [
        { operatorAddress: BUSY, shares: '3.0', votingPower: '3' },
        { operatorAddress: JAILED, shares: '5.0', votingPower: '0' },
      ],
    })
    expect(items[1]).toMatchObject({
      counted: false,
      txHash: null,
      votingPower: null,
      delegations: null,
    })
    expect(asOf.height).toBe(50)
  })

  it('are those of the current round, or with round=1 those before the restart', async () => {
    const { get, ask } = await setup()
    const url = `/api/proposals/${SECOND_ROUND}/ballots`
    expect(await get(url)).toMatchObject({ items: [], page: { totalItems: 0 } })
    const before = await get(`${url}?round=1`)
    expect(before.items[0]).toMatchObject({ voter: FREQUENT, time: null, votingPower: null })
    expect(before.links.self).toBe(`${url}?round=1`)
    expectProblem(await ask(`${url}?round=3`), 404, 'round-not-found')
    expect((await get(`/api/proposals/${BEFORE_VOTE}/ballots`)).items).toEqual([])
  })

  it('can be paged without a gap or a repeat while votes change and arrive', {
    tags: 'api:pages-never-shift',
  }, async () => {
    const { get, tables, state } = await setup({ changes: true })
    const seen: string[] = []
    let url: string | null = BIG
    for (let height = LISTS_HEIGHT + 1; url !== null; height++) {
      const list: List = await get(url)
      seen.push(...list.items.map(({ voter }) => voter))
      url = list.links.next
      await insertRows(tables, TABLES.ballots.name, [
        ballotRow(BIG_VOTE, 5, { height, options: [{ option: 'no', weight: '1.0' }] }),
        ballotRow(BIG_VOTE, BALLOTS + height - LISTS_HEIGHT - 1, { height }),
      ])
      await seedMarks(tables, { height, marks: [{ id: BIG_VOTE }] })
      await state.refresh()
    }
    expect(seen).toEqual(Array.from({ length: BALLOTS + 2 }, (_, rank) => createVoter(rank)))
    const latest = await get(BIG)
    expect(latest.items[5].options).toEqual([{ option: 'no', weight: '1.0' }])
    expect(latest.page.totalItems).toBe(BALLOTS + 3)
  })

  it('show a whole commit or nothing of it', { tags: 'api:one-state-per-page' }, async () => {
    const { get, tables, state } = await setup({ changes: true })
    const height = 110
    await insertRows(tables, TABLES.ballots.name, [ballotRow(BIG_VOTE, BALLOTS, { height })])
    const before = { page: { totalItems: BALLOTS }, asOf: { height: LISTS_HEIGHT } }
    expect(await get(BIG)).toMatchObject(before)
    await replaceRows(tables)
    const pending = get(`${BIG}?round=1`)
    await seedMarks(tables, { height, marks: [{ id: BIG_VOTE }] })
    await state.refresh()
    expect(await pending).toMatchObject({ page: { totalItems: BALLOTS + 1 }, asOf: { height } })
  })
})

describe('the turnout of a vote', () => {
  it('counts ballots of unknown time before all others', async () => {
    const { get, tables, state } = await setup({ changes: true })
    const [id, height] = [296, 101]
    const counted = (units: number) => ({ voting_power_atto: `${units}${'0'.repeat(18)}` })
    await insertRows(tables, TABLES.ballots.name, [
      { ...ballotRow(id, 0, { height: 60, ...counted(3_312) }), height: null, time: null },
      ballotRow(id, 1, { height: 60, ...counted(1_000) }),
    ])
    const closed = { status: 'passed', closed_height: '101', closed_time: timestampAt(height) }
    const proposals = [proposalRow(id, height, { ...closed, history: 'partial' })]
    const tallies = [tallyRow(id, height, { final: true })]
    await seedRows(tables, { height, proposals, tallies })
    await seedMarks(tables, { height, marks: [{ id, final: true }] })
    await state.refresh()
    expect(await get(`/api/proposals/${id}/turnout`)).toMatchObject({
      untimedBallots: 1,
      quorumReached: { height: 60, time: timeAt(60), reason: null },
    })
  })
})

describe('the pools', () => {
  it('match their schema, 100 per page, most tokens first, with counts of voted and missed proposals', async () => {
    const { get } = await setup()
    const first = await get('/api/pools')
    expect(Compile(PoolPage).Errors(first)).toEqual([])
    expect(first.page).toMatchObject({ number: 0, size: 100, totalItems: 123, totalPages: 2 })
    expect(first.items.slice(0, 3)).toMatchObject([
      { operatorAddress: JAILED, jailed: true, bondedTokens: '123456789012345678901234567890' },
      { operatorAddress: BUSY, bondedTokens: '4000', proposalsVoted: 251, proposalsMissed: 0 },
      { operatorAddress: IDLE, bondedTokens: '2000', proposalsVoted: 0, proposalsMissed: 7 },
    ])
    expect((await get('/api/pools?page=1')).items).toHaveLength(23)
    expect((await get('/api/pools?page=2')).items).toEqual([])
  })

  it('count a proposal once, as missed if the pool voted only before it fell back', async () => {
    const { get, tables, state } = await setup({ changes: true })
    const height = 101
    const vote = poolVoteRow(SECOND_ROUND, 0, { height, operator_address: IDLE })
    await insertRows(tables, TABLES.poolVotes.name, [vote])
    await insertRows(tables, TABLES.missedVotes.name, [missedRow(SECOND_ROUND, IDLE, 2)])
    await seedMarks(tables, { height, marks: [{ id: SECOND_ROUND }] })
    await state.refresh()
    const counts = { proposalsVoted: 0, proposalsMissed: 8 }
    expect((await get('/api/pools')).items[2]).toMatchObject({ operatorAddress: IDLE, ...counts })
    expect(await get(`/api/pools/${IDLE}/votes`)).toMatchObject({ participation: counts })
  })

  it('are all read at once, for any page', async () => {
    const { get, store } = await setup()
    await get('/api/pools')
    const { selects } = store
    await get('/api/pools?page=1')
    expect(store.selects).toBe(selects)
  })

  it('can be paged by cursor, each pool once, also pools with equal tokens', async () => {
    const { get } = await setup()
    const operators: string[] = []
    for (let url: string | null = '/api/pools'; url !== null; ) {
      const list: List = await get(url)
      operators.push(...list.items.map(({ operatorAddress }) => operatorAddress))
      const { nextCursor = null } = list.page
      url = nextCursor === null ? null : `/api/pools?cursor=${nextCursor}`
    }
    expect([operators.length, new Set(operators).size]).toEqual([123, 123])
  })

  it('have a new state together with its height', async () => {
    const { get, tables, state } = await setup({ changes: true })
    await get('/api/pools')
    const height = 101
    await insertRows(tables, TABLES.pools.name, [
      poolRow(IDLE, '5000', { moniker: 'renamed', version: positionAt(height) }),
    ])
    await seedMarks(tables, { height })
    await state.refresh()
    const { items, asOf } = await get('/api/pools')
    expect(items[1]).toMatchObject({ moniker: 'renamed', bondedTokens: '5000' })
    expect(asOf.height).toBe(height)
  })
})

describe('the votes of one pool', () => {
  it('match their schema, 100 per page, newest proposal first, each with its proposal', async () => {
    const { get } = await setup()
    const first = await get(BUSY_VOTES)
    expect(Compile(PoolRecordPage).Errors(first)).toEqual([])
    expect(first.page).toMatchObject({ number: 0, size: 100, totalItems: 251, totalPages: 3 })
    expect(first.items[0]).toMatchObject({
      proposalId: `${BIG_VOTE}`,
      title: `Proposal ${BIG_VOTE}`,
      status: 'voting_period',
      round: 1,
      pool: { operatorAddress: BUSY },
      votingPower: '1.5',
    })
    const { items, sizes } = await walk(get, BUSY_VOTES)
    expect(sizes).toEqual([100, 100, 51])
    const ids = items.map(({ proposalId }) => Number(proposalId))
    expect(ids).toEqual([BIG_VOTE, ...Array.from({ length: 250 }, (_, n) => 250 - n)])
  })

  it('include votes in which only delegators of the pool voted', async () => {
    const { get } = await setup()
    const { items } = await get(`/api/pools/${IDLE}/votes`)
    expect(items[0]).toMatchObject({
      proposalId: `${TALLIED_VOTE}`,
      status: 'passed',
      vote: null,
      rank: 0,
      missed: false,
    })
  })

  it('are empty for a pool without any vote, and 404 for an unknown pool', async () => {
    const { get, ask } = await setup()
    expect(await get(`/api/pools/${JAILED}/votes`)).toMatchObject({
      items: [],
      page: { totalItems: 0, totalPages: 0 },
    })
    expectProblem(await ask(`/api/pools/${operator('unknown')}/votes`), 404, 'pool-not-found')
  })

  it('can be paged by cursor to the same end', async () => {
    const { get } = await setup()
    const ids: string[] = []
    for (let url: string | null = BUSY_VOTES; url !== null; ) {
      const list: List = await get(url)
      ids.push(...list.items.map(({ proposalId }) => proposalId))
      const { nextCursor = null } = list.page
      url = nextCursor === null ? null : `${BUSY_VOTES}?cursor=${nextCursor}`
    }
    expect([ids.length, new Set(ids).size]).toEqual([251, 251])
  })
})

describe('the ballots of one voter', () => {
  it('match their schema, newest proposal first, each with its proposal and round', async () => {
    const { get } = await setup()
    const first = await get(FREQUENT_VOTES)
    expect(Compile(VoterBallotPage).Errors(first)).toEqual([])
    expect(first.page).toMatchObject({ size: 100, totalItems: 252, totalPages: 3 })
    expect(first.items.slice(0, 3)).toMatchObject([
      { proposalId: `${TALLIED_VOTE}`, status: 'passed', round: 1, votingPower: '3' },
      { proposalId: `${SECOND_ROUND}`, status: 'voting_period', round: 1, votingPower: null },
      { proposalId: '250', status: 'rejected', round: 1, votingPower: null },
    ])
    const { items, sizes } = await walk(get, FREQUENT_VOTES)
    expect([items.length, sizes]).toEqual([252, [100, 100, 52]])
  })

  it('have the current power while their vote is open', async () => {
    const { get } = await setup()
    const [ballot] = (await get(`/api/voters/${createVoter(7)}/votes`)).items
    expect(ballot).toMatchObject({ proposalId: `${BIG_VOTE}`, votingPower: '10' })
  })

  it('are an empty list for an account that never voted', async () => {
    const { ask } = await setup()
    const answer = await ask(`/api/voters/${account('silent')}/votes`)
    expect([answer.status, answer.json().items]).toEqual([200, []])
    expect(answer.json().page).toMatchObject({ totalItems: 0, totalPages: 0 })
  })
})
