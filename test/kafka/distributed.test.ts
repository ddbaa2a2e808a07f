// Runs two processes of each service on a real broker and kills the leaders.
// They serve the same data as one machine.
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startDemoNode } from '../../infra/app/demo/demo-node.ts'
import { startEmbeddedClickHouse } from '../../infra/base/clickhouse/embedded-server.ts'
import { createLogger } from '../../infra/base/runtime/logger.ts'
import { openTestRecording } from '../support/chain/test-recording.ts'
import { startLocalKafka } from '../support/kafka/local-broker.ts'
import {
  createRunFolder,
  getJson,
  type RollcallProcess,
  until,
} from '../support/process/rollcall-process.ts'

type Page = { items: unknown[]; page: { totalPages: number } }
type Health = { tip: number; chain: { height: number } | null }

const LIVE_BLOCKS = 100
const BLOCK_MS = 150

const setup = async () => {
  const runFolder = await createRunFolder()
  onTestFinished(runFolder.clean)
  const kafka = await startLocalKafka({ brokers: 1 })
  onTestFinished(() => kafka.stop())
  const engine = await startEmbeddedClickHouse({
    dataDir: join(runFolder.folder, 'own-clickhouse'),
    password: 'a password of its own',
    logger: createLogger({ service: 'test', level: 'silent' }),
  })
  onTestFinished(() => engine.close())
  const recording = openTestRecording()
  const { chainId, firstHeight, lastHeight } = recording.manifest
  const preload = lastHeight - firstHeight + 1 - LIVE_BLOCKS
  const node = await startDemoNode({ recording, preload, blockMs: BLOCK_MS })
  onTestFinished(() => node.close())
  const env = {
    CHAIN_RPC_URLS: node.url,
    CHAIN_ID: chainId,
    START_HEIGHT: 'earliest',
    KAFKA_BROKERS: kafka.brokers,
    CLICKHOUSE_URL: engine.url,
    CLICKHOUSE_USERNAME: engine.username,
    CLICKHOUSE_PASSWORD: engine.password,
  }
  return { ...runFolder, env, node, lastHeight }
}

const waitForUrl = (run: RollcallProcess, message: string): Promise<string> =>
  until(message, 60_000, () => {
    const line = run
      .stdout()
      .split('\n')
      .find((each) => each.includes(`"msg":"${message}"`))
    return line === undefined ? undefined : (JSON.parse(line) as { url: string }).url
  })

const leads = async (run: RollcallProcess, service: string): Promise<boolean> => {
  const url = await waitForUrl(run, 'started operator port')
  const text = await (await fetch(new URL('/metrics', url))).text()
  return text.split('\n').includes(`rollcall_${service}_leading 1`)
}

/** The leader and the standby. */
const waitForLeader = (pair: readonly RollcallProcess[], service: string) =>
  until(`one ${service} leads`, 60_000, async () => {
    const states = await Promise.all(pair.map((run) => leads(run, service).catch(() => false)))
    const leading = pair.filter((_, at) => states[at])
    if (leading.length > 1) throw new Error(`${leading.length} lead`)
    return leading[0]
  })

const untilAt = (url: string, height: number) =>
  until(`height ${height} at ${url}`, 120_000, async () => {
    const { chain } = await getJson<Health>(url, '/api/health')
    return (chain?.height ?? 0) >= height ? true : undefined
  })

const allPages = async (url: string, path: string): Promise<unknown[]> => {
  const items: unknown[] = []
  for (let page = 0, pages = 1; page < pages; page++) {
    const read = await getJson<Page>(url, `${path}?page=${page}`)
    items.push(...read.items)
    pages = read.page.totalPages
  }
  return items
}

type Proposal = { proposalId: string; status: string; tally: { rule: object } | null }
type Row = { pool: { operatorAddress: string }; vote: unknown; rank: number }

/** The stake of a live tally, when it was compared, and the order in which pools were seen depend on the heights that a deployment read. */
const withoutHeightsRead = (proposal: Proposal, rows: readonly Row[]) => {
  const isOpen = proposal.status === 'voting_period'
  const { tally } = proposal
  const closed = tally && { ...tally, rule: { ...tally.rule, provedAt: null } }
  const pools = rows.map(({ rank: _, ...row }) => [
    row.pool.operatorAddress,
    isOpen ? row.vote : row,
  ])
  return {
    proposal: { ...proposal, tally: isOpen ? null : closed },
    pools: Object.fromEntries(pools),
  }
}

/** All data of proposals without the times of the responses. */
const readFacts = async (url: string) => {
  const facts: unknown[] = []
  for (const proposal of (await allPages(url, '/api/proposals')) as Proposal[]) {
    const rows = await allPages(url, `/api/proposals/${proposal.proposalId}/votes`)
    facts.push(withoutHeightsRead(proposal, rows as Row[]))
  }
  return facts
}

describe('a distributed deployment', () => {
  it('serves the same data as one machine after kills of the leaders', {
    tags: 'rollcall:services-equal-one-machine',
  }, async () => {
    const { run, env, lastHeight } = await setup()
    const start = (service: string) => [1, 2].map(() => run({ args: [service], env }))
    const ingests = start('ingest')
    const projections = start('projections')
    const apis = start('api')
    const urls = await Promise.all(apis.map((api) => waitForUrl(api, 'started api')))
    await untilAt(urls[0] ?? '', lastHeight - LIVE_BLOCKS)

    const killed: RollcallProcess[] = []
    for (const [service, pair] of Object.entries({ ingest: ingests, projections })) {
      const leader = await waitForLeader(pair, service)
      leader.signal('SIGKILL')
      await leader.ended
      killed.push(leader)
      const left = pair.filter((each) => each !== leader)
      expect(await waitForLeader(left, service)).toBe(left[0])
    }
    await Promise.all(urls.map((url) => untilAt(url, lastHeight)))
    const servedFacts = await Promise.all(urls.map(readFacts))

    const { KAFKA_BROKERS: _, CLICKHOUSE_URL: __, ...alone } = env
    const machine = run({ env: alone })
    const machineUrl = await machine.untilServing()
    await untilAt(machineUrl, lastHeight)
    const expected = await readFacts(machineUrl)
    expect(expected.length).toBeGreaterThan(10)
    for (const facts of servedFacts) expect(facts).toEqual(expected)

    const left = [...ingests, ...projections, ...apis].filter((each) => !killed.includes(each))
    for (const each of left) each.signal('SIGTERM')
    const codes = await Promise.all(left.map(async (each) => (await each.ended).code))
    expect(codes).toEqual([0, 0, 0, 0])
  })
})
