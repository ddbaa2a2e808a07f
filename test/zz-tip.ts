import { createMetrics } from '../infra/base/runtime/metrics.ts'
import { startIngest } from '../ingest/main.ts'
import { ingestConfig } from '../test/support/chain/ingest-run.ts'
import { openMemoryLog } from '../test/support/log/memory-log.ts'
import { silentLogger } from '../test/support/process/log-lines.ts'
import { BLOCK_MS, createLiveVotes } from '../test/support/endpoint/live-votes.ts'
import { startGateway } from '../test/support/simulator/nodes/gateway.ts'
import { createResponder } from '../test/support/simulator/nodes/node.ts'

const live = createLiveVotes(Date.now(), {})
const phase = { votes: process.argv[2] !== 'quiet' }
setInterval(() => {
  const next = Date.parse(live.chain.block(live.chain.tip).time) + BLOCK_MS
  if (Date.now() >= next) live.add(phase)
}, BLOCK_MS / 20)
const responder = createResponder({ chain: live.chain, window: { states: 100, prunesEvery: 10 } })
let logging = false
const counts = new Map<string, number>()
const reads = new Map<string, number>()
const gateway = await startGateway([async (call) => {
  if (logging) {
    const p = call.params as Record<string, unknown>
    const name = call.method === 'abci_query' ? String(p.path) : call.method
    counts.set(name, (counts.get(name) ?? 0) + 1)
    const key = `${name} ${p.height ?? ''} ${p.data ?? ''} ${p.minHeight ?? ''} ${p.page ?? ''}`
    reads.set(key, (reads.get(key) ?? 0) + 1)
  }
  return await responder(call)
}], { latencyMs: 15 })
const ingest = await startIngest({ config: ingestConfig({ CHAIN_RPC_URLS: gateway.url, START_HEIGHT: 'tip' }), log: openMemoryLog(), logger: silentLogger(), metrics: createMetrics('ingest') })
await new Promise((r) => setTimeout(r, 30_000))
logging = true
const from = live.chain.tip
await new Promise((r) => setTimeout(r, 60_000))
logging = false
const heights = live.chain.tip - from
console.log('heights', heights, 'votes', phase.votes)
for (const [name, count] of [...counts].sort((a, b) => b[1] - a[1])) console.log(name, count, (count / heights).toFixed(2))
const twice = [...reads].filter(([, c]) => c > 1)
console.log('asked twice:', twice.length, 'extra', twice.reduce((s, [, c]) => s + c - 1, 0))
for (const [k, c] of twice.slice(0, 25)) console.log(c, k.slice(0, 120))
process.exit(0)
