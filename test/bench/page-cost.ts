// Compares the cost of a page of ballots or pools at a million ballots with the cost at ten thousand.
// It reads first, middle and last pages from the store, never from the api's memory.

import { proposalBallots } from '../../api/resources/ballots.ts'
import { proposalVotes } from '../../api/resources/votes.ts'
import type { Store } from '../../infra/base/clickhouse/client.ts'
import { toPosition } from '../../ingest/contract/envelope.ts'
import { CONTROL_DATABASE, TABLE, toDatabaseName } from '../../projections/contract/read-model.ts'
import { migrate } from '../../projections/read-model/migrate.ts'
import {
  activateGeneration,
  poolVoteRow,
  proposalRow,
  seed,
  tallyRow,
  timestampAt,
} from '../support/store/read-model-seed.ts'
import { createWalkingAgent, type WalkingAgent } from './agent.ts'
import { startBenchChild } from './child.ts'
import { startClickHouse } from './clickhouse.ts'
import { computeSpread, type Finding, measurePairs } from './measure.ts'
import type { BenchContext, Measurement } from './measurement.ts'

const FEW = { id: 1, ballots: 10_000 }
const MANY = { id: 2, ballots: 1_000_000 }
const PROPOSALS = [FEW, MANY]
const POOLS = 500
const HEIGHT = 100
/** Odd, so that the median is one of them. */
const PAGES = 15
const WARM_UP_PAGES = 8
const BALLOTS_PER_PAGE = 1_000
const VOTES_PER_PAGE = 100
/** The minimum: a page of a thousand ballots does not fit, so pages of a vote evict each other. */
const PAGE_CACHE_BYTES = '65536'

type Proposal = (typeof PROPOSALS)[number]

/** The `nth` page to read, at the position of the kind, and never the previous page. */
type Kind = {
  name: string
  label: string
  rows: number
  path(proposal: Proposal, nth: number): string
}

const ballotsFrom = (first: (ballots: number, nth: number) => number): Kind['path'] => {
  return ({ id, ballots }, nth) => {
    const at = `${first(ballots, nth)}`
    const cursor = proposalBallots.cursorAt({ proposalId: `${id}` }, at, 1)
    return `/api/proposals/${id}/ballots?cursor=${cursor}`
  }
}

const votesFrom: Kind['path'] = ({ id }, nth) => {
  const at = `${(1 + (nth % 4)) * VOTES_PER_PAGE}`
  const cursor = proposalVotes.cursorAt({ proposalId: `${id}` }, at, 1)
  return `/api/proposals/${id}/votes?cursor=${cursor}`
}

const KINDS: readonly Kind[] = [
  {
    name: 'page-cost-first',
    label: 'the first page of ballots',
    rows: BALLOTS_PER_PAGE,
    path: ballotsFrom((_, nth) => (1 + (nth % 3)) * BALLOTS_PER_PAGE),
  },
  {
    name: 'page-cost-middle',
    label: 'a middle page of ballots',
    rows: BALLOTS_PER_PAGE,
    path: ballotsFrom((ballots, nth) => ballots / 2 + (nth % 3) * BALLOTS_PER_PAGE),
  },
  {
    name: 'page-cost-last',
    label: 'the last page of ballots',
    rows: BALLOTS_PER_PAGE,
    path: ballotsFrom((ballots, nth) => ballots - (1 + (nth % 3)) * BALLOTS_PER_PAGE),
  },
  {
    name: 'page-cost-votes',
    label: 'a page of voting pools',
    rows: VOTES_PER_PAGE,
    path: votesFrom,
  },
]

const VERSION = toPosition({ height: HEIGHT, index: 1 }).toString()

/** Three delegations per voter, as tallied. */
const fillBallots = async (store: Store, { id, ballots }: Proposal): Promise<void> => {
  await store.command(`
    INSERT INTO ${toDatabaseName(1)}.${TABLE.ballots}
    SELECT
      ${id}, 1, number,
      concat('cosmos1', substring(lower(hex(MD5(toString(number)))), 1, 32), 'qqqqqq'),
      [(arrayElement(['yes', 'no', 'abstain'], number % 3 + 1), '1.000000000000000000')],
      true, ${HEIGHT}, toDateTime64('${timestampAt(HEIGHT)}', 9, 'UTC'),
      hex(SHA256(toString(number))), toInt256(number + 1) * 1000000000000000000 * 3, true,
      arrayMap(
        n -> (
          concat('cosmosvaloper1pool', toString((number * 7 + n) % ${POOLS})),
          concat(toString(number + 1), '.000000000000000000'),
          CAST(toInt256(number + 1) * 1000000000000000000, 'Nullable(Int256)')
        ),
        range(3)
      ),
      ${VERSION}
    FROM numbers(${ballots})`)
}

const fillStore = async (store: Store): Promise<void> => {
  await migrate(store, { control: CONTROL_DATABASE, generation: 1 })
  await activateGeneration(store)
  for (const proposal of PROPOSALS) await fillBallots(store, proposal)
  // Otherwise the figures would include the merge of parts.
  await store.command(`OPTIMIZE TABLE ${toDatabaseName(1)}.${TABLE.ballots} FINAL`)
  const closed = { closed_time: timestampAt(HEIGHT), closed_height: `${HEIGHT}` }
  await seed(store, {
    height: HEIGHT,
    proposals: PROPOSALS.map(({ id }) => proposalRow(id, HEIGHT, { status: 'passed', ...closed })),
    tallies: PROPOSALS.map(({ id, ballots }) =>
      tallyRow(id, HEIGHT, { final: true, ballots, pool_rows: POOLS }),
    ),
    poolVotes: PROPOSALS.flatMap(({ id }) =>
      Array.from({ length: POOLS }, (_, rank) => poolVoteRow(id, rank, { height: HEIGHT })),
    ),
    marks: PROPOSALS.map(({ id }) => ({ id, final: true })),
  })
}

const createReader = (agent: WalkingAgent, url: string) => {
  const reads = new Map<string, number>()
  const readPage = async ({ name, rows, path }: Kind, proposal: Proposal): Promise<number> => {
    const key = `${name}/${proposal.id}`
    const nth = reads.get(key) ?? 0
    reads.set(key, nth + 1)
    const address = url + path(proposal, nth)
    const startedMs = performance.now()
    const { status, body } = await agent.get(address)
    const tookMs = performance.now() - startedMs
    const page = JSON.parse(body.toString('utf8')) as { items?: unknown[] }
    if (status !== 200 || page.items?.length !== rows) {
      throw new Error(`${address} answered ${status} with ${page.items?.length} items`)
    }
    return tookMs
  }
  return async (kind: Kind, proposal: Proposal, pages = PAGES): Promise<number> => {
    const took: number[] = []
    for (let page = 0; page < pages; page++) took.push(await readPage(kind, proposal))
    return computeSpread(took).median
  }
}

const run = async ({ scope, pairs, log }: BenchContext): Promise<Finding[]> => {
  const { store, access } = await startClickHouse(scope)
  await fillStore(store)
  const api = startBenchChild(scope, 'api')
  const { url } = await api.ask<{ url: string }>('start', { access, env: { PAGE_CACHE_BYTES } })
  const agent = createWalkingAgent()
  scope.onEnd(agent.close)
  const measureCost = createReader(agent, url)
  for (const kind of KINDS) {
    for (const proposal of PROPOSALS) await measureCost(kind, proposal, WARM_UP_PAGES)
  }
  const findings: Finding[] = []
  for (const kind of KINDS) {
    const measured = await measurePairs(
      { subject: () => measureCost(kind, MANY), baseline: () => measureCost(kind, FEW) },
      { pairs, log },
    )
    findings.push({
      name: kind.name,
      unit: 'ms/page',
      subject: { label: `${kind.label}, of ${MANY.ballots} ballots`, figure: measured.subject },
      baseline: { label: `the same, of ${FEW.ballots}`, figure: measured.baseline },
      ratio: measured.ratio,
      target: 1.3,
      bound: 'most',
      notes: [`median of ${PAGES} pages of ${kind.rows}, none of them cached; less is better`],
    })
  }
  return findings
}

export const pageCost: Measurement = {
  name: 'page-cost',
  question: 'does a page cost more with more ballots?',
  run,
}
