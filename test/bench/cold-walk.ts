// Measures an agent that reads every vote page of big proposals from an api with empty caches: the gain of prefetching.
// The baseline runs one ClickHouse query per page for the same pages. Both read one page after the other.
import type { Store } from '../../infra/base/clickhouse/client.ts'
import { toDatabaseName } from '../../projections/contract/database.ts'
import type { SyntheticChainOptions } from '../support/chain/synthetic-chain.ts'
import { createWalkingAgent } from './agent.ts'
import { startBenchChild } from './child.ts'
import { startFilledStore } from './filled-store.ts'
import { measurePairs } from './measure.ts'
import type { BenchContext, Measurement } from './measurement.ts'
import { scoped } from './scope.ts'

const PAGE_ROWS = 100
/** 25 votes with 2,000 pools each: 20 pages per vote. */
const CHAIN: SyntheticChainOptions = {
  proposals: 25,
  strideHeights: 100,
  votingHeights: 211,
  votesPerHeight: 10,
  pools: 2_000,
  operatorsVote: true,
  voters: 5_000,
  poolsReadEvery: 100,
}

type VotesPage = { items: unknown[]; links: { next: string | null }; page: { totalPages: number } }
type Walked = { pages: number; rows: number; tookMs: number }

const proposalIds = Array.from({ length: CHAIN.proposals }, (_, index) => String(index + 1))

const walkApi = async (url: string): Promise<Walked> => {
  const agent = createWalkingAgent()
  const startedMs = performance.now()
  let pages = 0
  let rows = 0
  for (const id of proposalIds) {
    let next: string | null = `/api/proposals/${id}/votes?page=0`
    while (next !== null) {
      const page: VotesPage = await agent.json<VotesPage>(new URL(next, url).href)
      pages++
      rows += page.items.length
      next = page.links.next
    }
  }
  const tookMs = performance.now() - startedMs
  agent.close()
  return { pages, rows, tookMs }
}

const PAGE_QUERY = `SELECT * FROM ${toDatabaseName(1)}.pool_votes FINAL
  WHERE proposal_id = {id:UInt64} AND round = 1 AND rank >= {from:UInt32} AND rank < {to:UInt32}
  ORDER BY rank`

const walkStore = async (store: Store): Promise<Walked> => {
  const startedMs = performance.now()
  let pages = 0
  let rows = 0
  for (const id of proposalIds) {
    for (let from = 0; ; from += PAGE_ROWS) {
      const found = await store.select(PAGE_QUERY, { id, from, to: from + PAGE_ROWS })
      if (found.length > 0) pages++
      rows += found.length
      if (found.length < PAGE_ROWS || rows % CHAIN.pools === 0) break
    }
  }
  return { pages, rows, tookMs: performance.now() - startedMs }
}

const rate = ({ pages, rows, tookMs }: Walked): number => {
  const expected = CHAIN.proposals * CHAIN.pools
  if (rows !== expected) throw new Error(`walked ${rows} rows in ${pages} pages, not ${expected}`)
  return (pages / tookMs) * 1000
}

/** The walk begins with an empty cache, but without the start of the process. */
const walkColdApi = (access: object): Promise<number> =>
  scoped(async (scope) => {
    const api = startBenchChild(scope, 'api')
    const { url } = await api.ask<{ url: string }>('start', { access })
    return rate(await walkApi(url))
  })

const run = async ({ scope, pairs, log }: BenchContext) => {
  const { store, access } = await startFilledStore(scope, CHAIN)
  await walkStore(store)
  const measured = await measurePairs(
    {
      subject: () => walkColdApi(access),
      baseline: async () => rate(await walkStore(store)),
    },
    { pairs, log },
  )
  const pages = (CHAIN.proposals * CHAIN.pools) / PAGE_ROWS
  return [
    {
      name: 'cold-walk',
      unit: 'pages/s',
      subject: {
        label: 'an agent that reads from an api with empty caches',
        figure: measured.subject,
      },
      baseline: { label: 'one ClickHouse query per page', figure: measured.baseline },
      ratio: measured.ratio,
      target: 4,
      notes: [`${pages} pages of ${PAGE_ROWS} votes, one request at a time`],
    },
  ]
}

export const coldWalk: Measurement = {
  name: 'cold-walk',
  question: 'how much faster is an agent while no page is cached?',
  run,
}
