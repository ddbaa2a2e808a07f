// Tests of the stream with `pool` or `voter` over a real ClickHouse and real sockets: votes, last days, and where a client resumes.
import { expect, it, onTestFinished } from 'vitest'
import { startTestApi } from '../support/api/api-rig.ts'
import { ballotRow, poolRow, positionAt } from '../support/api/lists-story.ts'
import { connect } from '../support/api/stream-clients.ts'
import { account, operator } from '../support/simulator/addresses.ts'
import {
  type Commit,
  clearReadModel,
  proposalRow,
  seed,
  seedRows,
  tallyRow,
  timeAt,
  timestampAt,
} from '../support/store/read-model-seed.ts'
import { useTestStore } from '../support/store/test-store.ts'

const testStore = useTestStore()

const ALICE = account('alice')
const BOB = account('bob')
const POOL = operator('pool')
const OPERATOR = account('operator of pool')

type Vote = { id: number; rank: number; voter: string; first?: number; option?: string }

const setup = async () => {
  const { store } = testStore
  await clearReadModel(store)
  const commit = ({ votes = [], ...rest }: Commit & { votes?: readonly Vote[] }) => {
    const { height } = rest
    const ballots = votes.map(({ id, rank, voter, first = height, option = 'yes' }) =>
      ballotRow(id, rank, {
        height,
        voter,
        first_time: timestampAt(first),
        options: [{ option, weight: '1.000000000000000000' }],
      }),
    )
    return seed(store, { ...rest, ballots })
  }
  const pool = poolRow(POOL, '1000', {
    account_address: OPERATOR,
    moniker: 'The Pool',
    version: positionAt(1),
  })
  await seedRows(store, { height: 1, pools: [pool] })
  const open = (id: number, lastDay: number, known = true) => ({
    proposals: [proposalRow(id, 1)],
    tallies: [
      tallyRow(id, 1, {
        stake_height: '1',
        last_day_time: timestampAt(lastDay),
        ...(known ? {} : { pools_voted: null, matches_chain_reason: 'an endpoint is silent' }),
      }),
    ],
    marks: [{ id }],
  })
  for (const each of [open(1, 10), open(2, 12), open(3, 12, false)]) {
    await commit({ height: 1, ...each })
  }
  const start = () => startTestApi(store)
  const api = await start()
  const follow = async (query: string, lastEventId?: string) => {
    const options = lastEventId === undefined ? {} : { lastEventId }
    const client = await connect(`${api.url}/api/stream?${query}`, options)
    onTestFinished(client.close)
    return client
  }
  return { commit, follow, api, start }
}

const show = ({ event, data }: { event: string; data: Record<string, unknown> }): string => {
  const items = (data['votes'] ?? data['accounts'] ?? []) as Record<string, unknown>[]
  const known = new Map<unknown, string>([
    [ALICE, 'alice'],
    [BOB, 'bob'],
    [OPERATOR, 'pool'],
  ])
  const names = items.map(({ voter, voted }) => `${known.get(voter)}${voted === null ? '?' : ''}`)
  return [event, data['proposalId'], ...names].join(' ')
}

const STORY = [
  'vote 1 alice bob',
  'last_day 1 pool',
  'vote 1 pool',
  'last_day 2 bob pool',
  'last_day 3 alice? bob? pool?',
  'vote 2 alice',
  'vote 2 bob',
  'vote 3 bob',
]

const runStory = async (commit: Awaited<ReturnType<typeof setup>>['commit']) => {
  const marks = (...ids: number[]) => ids.map((id) => ({ id }))
  const alice = { id: 1, rank: 0, voter: ALICE }
  await commit({ height: 5, votes: [alice, { id: 1, rank: 1, voter: BOB }], marks: marks(1) })
  await commit({ height: 9 })
  // A block after the moment itself.
  await commit({ height: 11, votes: [{ id: 1, rank: 2, voter: OPERATOR }], marks: marks(1) })
  // At the moment of the last days.
  await commit({ height: 12, votes: [{ id: 2, rank: 0, voter: ALICE }], marks: marks(2) })
  await commit({
    height: 20,
    votes: [
      { id: 2, rank: 1, voter: BOB },
      { id: 3, rank: 0, voter: BOB },
    ],
    marks: marks(2, 3),
  })
}

const ALL = `pool=the%20pool&voter=${ALICE},${BOB}`

it('reports the votes of accounts, and the last day of a vote on which they have not voted, once and in order, also after each interruption', {
  tags: 'api:stream-of-accounts',
}, async () => {
  const { commit, follow, start } = await setup()
  const live = await follow(ALL)
  await expect.poll(() => live.changes.length).toBe(1)
  await runStory(commit)
  await expect.poll(() => live.changes.slice(1).map(show)).toEqual(STORY)
  const [, vote, lastDay, , , unknown] = live.changes
  expect(vote?.data).toMatchObject({
    time: timeAt(5),
    votes: [
      { voter: ALICE, operatorAddress: null, options: [{ option: 'yes' }], height: 5 },
      { voter: BOB },
    ],
  })
  expect(lastDay?.data).toEqual({
    proposalId: '1',
    round: 1,
    time: timeAt(10),
    votingEndTime: timeAt(2_000),
    accounts: [{ voter: OPERATOR, operatorAddress: POOL, voted: false, votedReason: null }],
    links: { self: '/api/proposals/1' },
  })
  expect(unknown?.data['accounts']).toContainEqual({
    voter: ALICE,
    operatorAddress: null,
    voted: null,
    votedReason: 'an endpoint is silent',
  })
  // Also at another instance, and long after they voted.
  const other = await start()
  for (const [n, { id }] of live.changes.entries()) {
    const resumed = await connect(`${other.url}/api/stream?${ALL}`, { lastEventId: id })
    onTestFinished(resumed.close)
    await expect.poll(() => resumed.changes.map(show)).toEqual(STORY.slice(n))
  }
  const bob = await follow(`voter=${BOB}`, live.changes[0]?.id ?? '')
  await expect
    .poll(() => bob.changes.map(show))
    .toEqual(['vote 1 bob', 'last_day 2 bob', 'last_day 3 bob?', 'vote 2 bob', 'vote 3 bob'])
})

it('reports a changed vote again, and not that its voter had not voted', async () => {
  const { commit, follow } = await setup()
  const live = await follow(`voter=${ALICE}`)
  await expect.poll(() => live.changes.length).toBe(1)
  const { id: lastEventId = '' } = live.changes[0] ?? {}
  const marks = [{ id: 1 }]
  await commit({ height: 5, votes: [{ id: 1, rank: 0, voter: ALICE }], marks })
  await expect.poll(() => live.changes.length).toBe(2)
  const again = { id: 1, rank: 0, voter: ALICE, first: 5, option: 'no' }
  await commit({ height: 11, votes: [again], marks })
  await expect.poll(() => live.changes.slice(1).map(show)).toEqual(['vote 1 alice', 'vote 1 alice'])
  const resumed = await follow(`voter=${ALICE}`, lastEventId)
  await expect.poll(() => resumed.changes.map(show)).toEqual(['vote 1 alice'])
})

it('gives the places of all its accounts back when a stream ends', async () => {
  const { api } = await setup()
  const accounts = Array.from({ length: 50 }, (_, n) => account(`${n}`))
  const stream = `${api.url}/api/stream?voter=${accounts.join(',')}`
  // All streams have 10,000 together.
  for (let count = 0; count < 210; count++) {
    expect((await fetch(stream, { method: 'HEAD' })).status).toBe(200)
  }
})

it('refuses what is no account, and starts anew from an id of another stream', async () => {
  const { api, follow } = await setup()
  const ask = async (query: string) => (await fetch(`${api.url}/api/stream?${query}`)).status
  expect(await ask('pool=nobody')).toBe(404)
  const tooMany = `voter=${Array.from({ length: 51 }, () => ALICE).join(',')}`
  for (const query of ['voter=nobody', `voter=${ALICE}&proposalId=1`, tooMany]) {
    expect([query, await ask(query)]).toEqual([query, 400])
  }
  const proposals = await follow('')
  await expect.poll(() => proposals.changes.length).toBe(1)
  const accounts = await follow(`voter=${ALICE}`, proposals.changes[0]?.id ?? '')
  await expect.poll(() => accounts.changes.map(({ event }) => event)).toEqual(['reset'])
})
