// Tests that the store cost of a page of ballots, or of an account, does not grow with the number of ballots.
import { toBech32 } from '@cosmjs/encoding'
import { expect, it } from 'vitest'
import { proposalBallots } from '../../api/resources/ballots.ts'
import type { Store } from '../../infra/base/clickhouse/client.ts'
import { toDatabaseName } from '../../projections/contract/database.ts'
import { TABLES } from '../../projections/contract/tables.ts'
import { createApiRig } from '../support/api/api-rig.ts'
import { ballotRow, createEvent, eventRow } from '../support/api/lists-story.ts'
import { proposalRow, seed, seedRows, tallyRow } from '../support/store/read-model-seed.ts'
import { useTestStore } from '../support/store/test-store.ts'

const PAGE = 1_000
const HEIGHT = 100
/** A range of ranks is read in blocks of 256 rows, from each part of the table that contains it. */
const SLACK_ROWS = 2 * 256

type Vote = { id: number; ballots: number }
const FEW: Vote = { id: 1, ballots: 5_000 }
const MANY: Vote = { id: 2, ballots: 200_000 }

/** The store creates all ballots of a vote from its first one. */
const fillBallots = async (store: Store, { id, ballots }: Vote): Promise<void> => {
  await seedRows(store, { height: HEIGHT, ballots: [ballotRow(id, 0, { height: HEIGHT })] })
  const table = `${toDatabaseName(1)}.${TABLES.ballots.name}`
  await store.command(
    `INSERT INTO ${table}
     SELECT b.* REPLACE (toUInt32(n.number + 1) AS rank, concat(b.voter, toString(n.number)) AS voter,
       concat(b.voter_key, toString(n.number)) AS voter_key)
     FROM ${table} AS b CROSS JOIN numbers(${ballots - 1}) AS n WHERE b.proposal_id = ${id}`,
  )
}

/** Of as many accounts. */
const DEPOSITS = 50_000

const fillDeposits = async (store: Store): Promise<void> => {
  const at = { height: 1, index: 1, proposalId: FEW.id }
  const deposit = eventRow(createEvent('proposal.deposited', at))
  await seedRows(store, { height: HEIGHT, events: [deposit] })
  const table = `${toDatabaseName(1)}.${TABLES.events.name}`
  await store.command(
    `INSERT INTO ${table}
     SELECT e.* REPLACE (e.position + n.number AS position, toString(cityHash64(n.number)) AS depositor_key)
     FROM ${table} AS e CROSS JOIN numbers(1, ${DEPOSITS}) AS n`,
  )
  await store.command(`OPTIMIZE TABLE ${table} FINAL`)
}

const testStore = useTestStore(async (store) => {
  for (const vote of [FEW, MANY]) await fillBallots(store, vote)
  await fillDeposits(store)
  // An unfinished merge would change the number of rows that are read.
  await store.command(`OPTIMIZE TABLE ${toDatabaseName(1)}.${TABLES.ballots.name} FINAL`)
  await seed(store, {
    height: HEIGHT,
    proposals: [FEW, MANY].map(({ id }) => proposalRow(id, HEIGHT)),
    tallies: [FEW, MANY].map(({ id, ballots }) => tallyRow(id, HEIGHT, { ballots, pool_rows: 0 })),
    marks: [FEW, MANY].map(({ id }) => ({ id })),
  })
})

/** Repeats each query to get the number of rows that the store reads for it. */
const countingRows = (store: Store) => {
  const counted = { rows: 0 }
  const select: Store['select'] = async (sql, ...rest) => {
    const answer = await store.selectBytes(`${sql} FORMAT JSON`, ...rest)
    const { statistics } = JSON.parse(answer.toString()) as { statistics: { rows_read: number } }
    counted.rows += statistics.rows_read
    return store.select(sql, ...rest)
  }
  return { store: { ...store, select }, counted }
}

/** From a process that has nothing in memory. */
const rowsReadFor = async ({ id }: Vote, firstRank: number): Promise<number> => {
  const { store, counted } = countingRows(testStore.store)
  const api = await createApiRig(store)
  const before = counted.rows
  const cursor = proposalBallots.cursorAt({ proposalId: `${id}` }, `${firstRank}`, 1)
  const answer = await api.ask(`/api/proposals/${id}/ballots?cursor=${cursor}`)
  await api.close()
  expect([answer.status, answer.json().items?.length]).toEqual([200, PAGE])
  return counted.rows - before
}

it.each([
  ['second', () => PAGE],
  ['middle', ({ ballots }: Vote) => Math.floor(ballots / 2 / PAGE) * PAGE],
  ['last', ({ ballots }: Vote) => ballots - PAGE],
])(
  'the %s page of ballots reads no more rows with 200,000 ballots than with 5,000',
  {
    tags: 'api:ballot-pages-cost-the-same',
  },
  async (_, firstRankOf) => {
    const few = await rowsReadFor(FEW, firstRankOf(FEW))
    const many = await rowsReadFor(MANY, firstRankOf(MANY))
    expect(few).toBeGreaterThanOrEqual(PAGE)
    expect(many).toBeLessThanOrEqual(few + SLACK_ROWS)
  },
)

it('an account of another chain is searched in few of 200,000 ballots and 50,000 deposits', async () => {
  const { store, counted } = countingRows(testStore.store)
  const { ask, close } = await createApiRig(store)
  // Prefixes and pools are read before it.
  await ask(`/api/voters/${toBech32('osmo', new Uint8Array(20).fill(1))}/votes`)
  const before = counted.rows
  const unknown = await ask(`/api/voters/${toBech32('osmo', new Uint8Array(20).fill(2))}/votes`)
  await close()
  expect(unknown.status).toBe(200)
  // A part of the blocks has a hash that collides in the filter of their keys.
  expect(counted.rows - before).toBeLessThan(0.1 * DEPOSITS)
})
