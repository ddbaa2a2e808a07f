// Tests that a vote before the first height is served as the same vote that was indexed live, except times and transactions.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyTally } from '../../infra/app/tools/verify/tally.ts'
import type { EventLog } from '../../infra/base/log/event-log.ts'
import { createTables, pointViews } from '../../projections/read-model/prepare.ts'
import { createApiRig } from '../support/api/api-rig.ts'
import { ingestToTip, ofType, readEvents, startOn } from '../support/chain/ingest-run.ts'
import type { MemoryChain } from '../support/chain/memory-chain.ts'
import { begin, castAll, end, play, restart, type Step, withBob } from '../support/chain/votes.ts'
import { projectAll } from '../support/fold/run-projections.ts'
import { openMemoryLog } from '../support/log/memory-log.ts'
import { until } from '../support/process/rollcall-process.ts'
import { endEvent, voteTx } from '../support/simulator/gov-events.ts'
import { startTestClickHouse, type TestClickHouse } from '../support/store/clickhouse.ts'

// biome-ignore lint/suspicious/noExplicitAny: responses of every shape
type Json = any

const COUNTS = { yes: '75', no: '60', noWithVeto: '490' }

/** Proposals that ended before `FIRST`: 1 in one round, 2 in two. */
const ENDED = ['1', '2']
const FIRST = 13
/** The open proposal, with a vote before `FIRST`. */
const OPEN = '3'

const STEPS: readonly Step[] = [
  [{}],
  [{}, withBob],
  begin('1', 7),
  begin('2', 8, true),
  castAll('1', '2'),
  [{}],
  end('1', COUNTS),
  [{ end: [endEvent('2', 'expedited_proposal_rejected')] }, restart('2', COUNTS, 11)],
  [{ txs: [voteTx('2', 'bob'), voteTx('2', 'three', 3)] }],
  begin(OPEN, 1_000),
  end('2', { yes: '60', no: '100' }),
  [{ txs: [voteTx(OPEN, 'alice')] }],
  [{}],
  [{}],
]

const indexLive = async (chain: MemoryChain) => {
  const log = openMemoryLog()
  await ingestToTip(chain, log)
  return log
}

/** From `FIRST` on, until each vote before it is recomputed or out of reach: a block follows whenever ingest has the last one. */
const indexPast = async (chain: MemoryChain, kind: 'closes' | 'votes' = 'closes') => {
  const log = openMemoryLog()
  const ingest = await startOn(chain, log, { env: { START_HEIGHT: `${FIRST}`, HISTORY: kind } })
  try {
    await until('the history', 60_000, async () => {
      if ((await log.last())?.height === chain.tip) chain.add({})
      const markers = ofType(await readEvents(log), 'rollcall.block.indexed.v1')
      const { done = 0, unreachable = 0 } = markers.at(-1)?.data.history ?? {}
      return done + unreachable === ENDED.length || undefined
    })
  } finally {
    await ingest.close()
  }
  return log
}

const LISTS = ['votes', 'ballots', 'evidence']
const PATHS = [
  '/api/pools',
  ...ENDED.flatMap((id) =>
    ['', '/votes', '/ballots', '/evidence'].map((end) => `/api/proposals/${id}${end}`),
  ),
  ...LISTS.map((name) => `/api/proposals/2/${name}?round=1`),
]

/** What only an indexed vote has, and when the page became what it is. */
const UNKNOWN = [
  'height',
  'time',
  'txHash',
  'submittedAt',
  'depositRequirement',
  'history',
  'historyReason',
  'updatedAt',
  'asOf',
  'rank',
  'provedAt',
]

const toKey = (item: Json): string => item?.voter ?? item?.pool?.operatorAddress ?? ''

/** Lists in the order of voters and pools: a past vote has no first votes that could order them. */
const comparable = (value: Json): Json => {
  if (Array.isArray(value)) {
    return value.map(comparable).sort((one, other) => (toKey(one) < toKey(other) ? -1 : 1))
  }
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([name]) => !UNKNOWN.includes(name))
  return Object.fromEntries(kept.map(([name, member]) => [name, comparable(member)]))
}

let clickhouse: TestClickHouse
let api: Awaited<ReturnType<typeof createApiRig>>
let live: Record<string, Json>
let past: Record<string, Json>

const readAll = async () => {
  const answers: Record<string, Json> = {}
  for (const path of PATHS) {
    const { status, json } = await api.ask(path)
    expect(status, path).toBe(200)
    answers[path] = comparable(json())
  }
  return answers
}

const serve = async (log: EventLog) => {
  const { store } = clickhouse
  for (const name of ['rollcall', 'rollcall_1'])
    await store.command(`DROP DATABASE IF EXISTS ${name} SYNC`)
  await createTables(store, { control: 'rollcall', generation: 1 })
  await projectAll(log, store)
  await pointViews(store, { control: 'rollcall', generation: 1 })
  await api?.close()
  api = await createApiRig(store)
}

beforeAll(async () => {
  clickhouse = await startTestClickHouse()
  const chain = play(STEPS)
  await serve(await indexLive(chain))
  live = await readAll()
  await serve(await indexPast(chain))
  past = await readAll()
})
afterAll(async () => {
  await api?.close()
  await clickhouse?.stop()
})

const VOTES = { headers: { accept: 'text/html' } }
const REASON =
  'recomputed from the state of the chain at the end of the vote; ' +
  'the times and transactions of its votes are not known'

describe('a vote before the first height', { tags: 'projections:past-votes' }, () => {
  it('equals the indexed one in every other field', () => {
    expect(past).toEqual(live)
    expect(live['/api/proposals/2'].tally).toMatchObject({ matchesChain: 'yes', ballots: 2 })
  })

  it('says in every format how it is known', async () => {
    const { history, historyReason } = (await api.ask('/api/proposals/1')).json()
    expect([history, historyReason]).toEqual(['reconstructed', expect.stringContaining(REASON)])
    for (const accept of ['text/html', 'text/markdown']) {
      const { text } = await api.ask('/proposals/1', { headers: { accept } })
      expect(text).toContain('This vote ended before Rollcall followed the chain: ')
      expect(text).not.toMatch(/Invalid Date|NaN|class="turnout"/)
    }
    const csv = (await api.ask('/api/proposals?format=csv')).text
    expect(csv).toContain('"reconstructed"')
  })

  it('has no moment of the quorum, and no proof', async () => {
    const turnout = (await api.ask('/api/proposals/1/turnout')).json()
    expect(turnout.quorumReached).toEqual({
      height: null,
      time: null,
      reason: 'the times of its votes are not all known',
    })
    expect(turnout.untimedBallots).toBe(3)
    const proof = (await api.ask('/api/proposals/1/proof?round=1')).json()
    expect(proof.detail).toMatch(/no proof .*: it was before the first indexed height\.$/)
  })

  it('is in the lists of events and of voters, with the evidence of its tally', async () => {
    const { items } = (await api.ask('/api/proposals/1/events')).json()
    expect(items.map(({ type }: Json) => type)).toEqual([
      'rollcall.vote.reconstructed.v1',
      'rollcall.round.read.v1',
    ])
    const [{ voter }] = (await api.ask('/api/proposals/1/ballots')).json().items
    const record = (await api.ask(`/api/voters/${voter}/votes`)).json()
    expect(record.items.filter(({ proposalId }: Json) => proposalId === '1')).toHaveLength(1)
    expect((await api.ask(`/voters/${voter}`, VOTES)).text).toContain('not known')
  })

  it('is checked again by caches, because more may be known of it later', async () => {
    const { headers } = await api.ask('/api/proposals/1')
    expect(headers['cache-control']).not.toContain('immutable')
    const again = await api.ask('/api/proposals/1', {
      headers: { 'if-none-match': headers['etag'] ?? '' },
    })
    expect(again.status).toBe(304)
  })

  it('is in the views, with a column that says how it is known', async () => {
    for (const view of ['v_tallies', 'v_pool_votes', 'v_ballots']) {
      const rows = await clickhouse.store.select<{ id: string; known: string }>(
        `SELECT DISTINCT toString(proposal_id) AS id, known_by AS known FROM rollcall.${view} ORDER BY id`,
      )
      expect(rows, view).toEqual([
        { id: '1', known: 'reconstructed' },
        { id: '2', known: 'reconstructed' },
        { id: OPEN, known: 'indexed' },
      ])
    }
    const [turnout] = await clickhouse.store.select(
      'SELECT height, toString(ballots) AS ballots FROM rollcall.v_turnout WHERE proposal_id = 1',
    )
    expect(turnout).toEqual({ height: null, ballots: '3' })
  })

  it('can be verified from its evidence, each round of it', async () => {
    const url = await api.app.listen({ host: '127.0.0.1', port: 0 })
    const { signal } = new AbortController()
    for (const [proposalId, round] of [
      ['1', 1],
      ['2', 1],
      ['2', 2],
    ] as const) {
      const working = await verifyTally({ url, proposalId, round, signal })
      expect(working.equal, `${proposalId}/${round}`).toBe(true)
    }
  })

  it('counts in the health of the service, and on its pages', async () => {
    const { history } = (await api.ask('/api/health')).json()
    expect(history).toEqual({ total: 2, done: 2, unreachable: 0, reason: null })
    const page = (await api.ask('/status', VOTES)).text
    expect(page).toContain(
      '2 of 2 proposals that ended before the first indexed height are recomputed.',
    )
  })
})

describe('a vote before the first height that is recomputed again', {
  tags: 'projections:past-votes',
}, () => {
  it('has the times of the votes that were found, and no row twice', async () => {
    await serve(await indexPast(play(STEPS), 'votes'))
    const { items } = (await api.ask('/api/proposals/1/ballots')).json()
    expect(items.map(({ height }: Json) => height)).toEqual([5, 5, 5])
    const { historyReason } = (await api.ask('/api/proposals/1')).json()
    expect(historyReason).toMatch(/how the tally changed during the vote is not known$/)
    expect((await api.ask('/proposals/1', VOTES)).text).toContain('class="turnout"')
  })

  it('is partial before, with the reason why it cannot be read', async () => {
    const chain = play(STEPS)
    chain.prunedBelow = 12
    await serve(await indexPast(chain))
    const { history, historyReason } = (await api.ask('/api/proposals/1')).json()
    expect([history, historyReason]).toEqual([
      'partial',
      expect.stringMatching(/^closed before the first indexed height 13/),
    ])
    const health = (await api.ask('/api/health')).json()
    expect(health.history).toMatchObject({ total: 2, done: 0, unreachable: 2 })
    const page = (await api.ask('/status', VOTES)).text
    expect(page).toContain('No endpoint can show 2 of them. Reason: ')
  })
})
