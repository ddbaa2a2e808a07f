// `npm run soak -- --minutes=30`: runs a live chain with moving stake, hostile clients and kills, and checks the result.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createMetrics } from '../../infra/base/runtime/metrics.ts'
import { createChainNode } from '../../ingest/comet/endpoints/node-pool.ts'
import type { GovernanceEvent } from '../../ingest/contract/events.ts'
import { buildNode } from '../devnet/build-node.ts'
import { CAMPAIGN_PERIODS } from '../devnet/campaign.ts'
import { type Devnet, startDevnet } from '../devnet/chain.ts'
import { listProposals } from '../devnet/product-api.ts'
import { compareLiveTallies, createChainAt } from '../support/chain/live-tallies.ts'
import { silentLogger } from '../support/process/log-lines.ts'
import { readProcesses } from '../support/process/machine-processes.ts'
import {
  createRunFolder,
  getJson,
  type RollcallProcess,
  until,
} from '../support/process/rollcall-process.ts'
import { type Clients, startClients } from './hostile-clients.ts'
import { startTraffic, type Traffic } from './traffic.ts'

const MINUTE_MS = 60_000
const KILL_PAUSE_MS = 75_000
const SERVING_TIMEOUT_MS = 120_000
const CATCH_UP_TIMEOUT_MS = 180_000
const KILLED = ['writer', 'engine', 'reader'] as const

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '30' } } })
const minutes = Number(values.minutes)
/** Growth is measured at 5, 15 and 30 of 30 minutes. */
const measuredAt = [minutes / 6, minutes / 2, minutes].map((each) => Math.max(0.5, each))

const print = (line: string) => console.log(`${new Date().toISOString()} ${line}`)

const reportMemory = (product: RollcallProcess, minute: number): void => {
  const rows = readProcesses(product.processes())
  const text = rows.map(({ role, residentMebibytes }) => `${role} ${residentMebibytes} MiB`)
  print(`memory after ${minute.toFixed(1)} minutes: ${text.sort().join(', ')}`)
}

const killInTurn = async (product: RollcallProcess, signal: AbortSignal): Promise<number> => {
  let kills = 0
  for (;;) {
    await sleep(KILL_PAUSE_MS, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return kills
    const role = KILLED[kills % KILLED.length]
    const victim = readProcesses(product.processes()).find((each) => each.role === role)
    if (!victim) throw new Error(`no ${role} is running: ${product.stderr().slice(-2_000)}`)
    process.kill(victim.pid, 'SIGKILL')
    kills += 1
    print(`killed the ${role}`)
  }
}

const reportClients = ({ statuses }: Clients): void => {
  for (const [name, counts] of statuses) {
    const text = [...counts].sort().map(([status, count]) => `${status}: ${count}`)
    print(`answers to ${name}: ${text.join(', ')}`)
  }
}

const verifyLog = async (run: (args: readonly string[]) => RollcallProcess): Promise<boolean> => {
  const verify = run(['verify'])
  const { code } = await verify.ended
  print(`verify (exit ${code}): ${verify.stdout().trim().split('\n').at(-1) ?? ''}`)
  return code === 0
}

const verifyLive = async (replayed: string, devnet: Devnet): Promise<boolean> => {
  const node = await createChainNode({
    urls: [devnet.rpcUrl],
    logger: silentLogger(),
    metrics: createMetrics('soak'),
  })
  const events = replayed
    .split('\n')
    .filter((line) => line !== '')
    .map((line): GovernanceEvent => JSON.parse(line))
  const live = await compareLiveTallies(events, createChainAt(node))
  await node.close()
  const { compared, unknown, differences } = live
  print(`live tallies: ${compared} compared, ${unknown} unknown, ${differences.length} differ`)
  for (const line of differences.slice(0, 5)) print(`  ${line}`)
  return differences.length === 0
}

type Stage = { devnet: Devnet; url: string; product: RollcallProcess; traffic: Traffic }

const disturb = async ({ product, url }: Stage): Promise<void> => {
  const clients = startClients(url)
  const over = new AbortController()
  const killing = killInTurn(product, over.signal)
  const startedMs = performance.now()
  for (const minute of measuredAt) {
    const waitMs = minute * MINUTE_MS - (performance.now() - startedMs)
    await Promise.race([sleep(Math.max(0, waitMs)), killing])
    reportMemory(product, minute)
  }
  over.abort()
  print(`kills: ${await killing}`)
  await clients.stop()
  reportClients(clients)
}

const finish = async (
  { devnet, url, traffic }: Stage,
  run: (args: readonly string[]) => RollcallProcess,
): Promise<boolean> => {
  const sent = `${traffic.proposals()} proposals and ${traffic.transactions()} transactions`
  await traffic.stop()
  print(`sent ${sent}`)
  for (const [reason, count] of traffic.refusals()) print(`  refused ${count} times: ${reason}`)
  if (traffic.proposals() === 0) throw new Error('no proposal was made: nothing was tried')
  // Waits for the end of every vote, so that every tally can be compared.
  await sleep((CAMPAIGN_PERIODS.votingSeconds + 5) * 1_000)
  const health = () => getJson<{ tip: number; chain: { height: number } }>(url, '/api/health')
  await until('the product caught up', CATCH_UP_TIMEOUT_MS, async () => {
    const { tip, chain } = await health()
    return chain.height >= tip - 5 ? true : undefined
  })
  const { items } = await listProposals(url)
  const ended = items.filter(({ tally }) => tally?.final)
  const wrong = ended.filter(({ tally }) => tally?.matchesChain !== 'yes')
  print(`closed votes: ${ended.length}, ${wrong.length} do not match the chain`)
  for (const { proposalId, tally } of wrong) print(`  ${proposalId}: ${tally?.matchesChainReason}`)
  const replay = run(['replay'])
  await replay.ended
  const isLiveExact = await verifyLive(replay.stdout(), devnet)
  const isLogWhole = await verifyLog(run)
  return wrong.length === 0 && isLiveExact && isLogWhole
}

const dir = await mkdtemp(`${tmpdir()}/rollcall-soak-`)
const binary = await buildNode(print)
const devnet = await startDevnet({ dir, binary, periods: CAMPAIGN_PERIODS, blockMs: 1_000 })
const folder = await createRunFolder()
try {
  const traffic = await startTraffic(devnet)
  const env = { CHAIN_RPC_URLS: devnet.rpcUrl, START_HEIGHT: 'earliest' }
  const product = folder.run({ env })
  const stage = { devnet, product, traffic, url: await product.untilServing(SERVING_TIMEOUT_MS) }
  print(`serving ${stage.url}; ${minutes} minutes from here`)
  await disturb(stage)
  const isGood = await finish(stage, (args) => folder.run({ args }))
  print(isGood ? 'nothing was lost, nothing was wrong' : 'something was wrong: see above')
  process.exitCode = isGood ? 0 : 1
} finally {
  await folder.clean()
  await devnet.stop()
  await rm(dir, { recursive: true, force: true })
}
