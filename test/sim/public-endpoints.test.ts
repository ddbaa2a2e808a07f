// Runs ingest with one endpoint that fails again and again, has bad manners, or several nodes: no fact is lost that it has.
import { expect, it } from 'vitest'
import { startCrossed } from '../support/chain/crossed-nodes.ts'
import { ingestToTip, readEvents } from '../support/chain/ingest-run.ts'
import { showChain } from '../support/chain/memory-chain.ts'
import { createGovStory } from '../support/chain/votes.ts'
import { createMemoryLogStorage, openMemoryLog } from '../support/log/memory-log.ts'
import { forkChain } from '../support/simulator/block-chain.ts'
import { type GatewayManners, startGateway } from '../support/simulator/nodes/gateway.ts'
import { createResponder } from '../support/simulator/nodes/node.ts'
import type { Reply, Responder } from '../support/simulator/rpc/reply.ts'
import { ingestUntil, withoutProofs } from './lives.ts'

const chain = createGovStory()
/** Enough for votes, moved stake and the end of a round: each fault costs seconds. */
const TIP = 18
const shown = showChain(chain, TIP)
const node = createResponder({ chain: shown })
const fork = createResponder({ chain: forkChain(shown) })

/** The same node with another time in its status. */
const withClock =
  (offsetMs: number): Responder =>
  async (call) => {
    const reply = await node(call)
    if (call.method !== 'status' || !('result' in reply)) return reply
    const { sync_info: info, ...rest } = reply.result as {
      sync_info: { latest_block_time: string }
    }
    const time = new Date(Date.parse(info.latest_block_time) + offsetMs).toISOString()
    return { result: { ...rest, sync_info: { ...info, latest_block_time: time } } } as Reply
  }

const HOUR_MS = 3_600_000

/** Refuses the first requests, whatever they are. */
const refuseFirst = (count: number) => {
  let left = count
  return () => (left-- > 0 ? ({ status: 429, retryAfterSeconds: 1 } as const) : undefined)
}

const ENDPOINTS: Record<string, { nodes?: Responder[]; manners?: () => GatewayManners }> = {
  'refuses five requests in a row': { manners: () => ({ refuses: refuseFirst(5) }) },
  'limits the rate of requests with a user agent': {
    manners: () => ({
      rate: { perSecond: 100, burst: 20, retryAfterSeconds: 1 },
      needsUserAgent: true,
    }),
  },
  'punishes bursts': {
    manners: () => ({ bursts: { requests: 12, withinMs: 50, punishedMs: 200 } }),
  },
  'cuts connections and compresses': { manners: () => ({ cutsOneOf: 5, compresses: true }) },
  'answers some requests with nothing': { manners: () => ({ emptiesOneOf: 30 }) },
  'sends files that expand to 64 MiB': { manners: () => ({ expandsOneOf: 40 }) },
  'has nodes on two forks behind it': { nodes: [node, fork] },
  'has nodes with clocks that differ': {
    nodes: [node, withClock(HOUR_MS), withClock(-24 * HOUR_MS)],
  },
  'has nodes at different heights behind it': {
    nodes: [1, 3]
      .map((behind) => createResponder({ chain: shown, window: { behind } }))
      .concat(node),
  },
}

it.each(Object.keys(ENDPOINTS))(
  'the log has every fact of the chain if the URL %s',
  {
    tags: 'ingest:limits-are-obeyed',
  },
  async (name) => {
    const { nodes = [node], manners } = ENDPOINTS[name]!
    const undisturbed = openMemoryLog()
    const whole = await ingestToTip(chain, undisturbed)
    const gateway = await startGateway(nodes, manners?.())
    const storage = createMemoryLogStorage()
    try {
      await ingestUntil(TIP, { urls: [gateway.url], storage })
    } finally {
      await gateway.close()
    }
    const events = await readEvents(openMemoryLog(storage))
    const untilTip = whole.filter(({ height }) => height <= TIP)
    expect(withoutProofs(events)).toEqual(withoutProofs(untilTip))
  },
)

it('an endpoint that fails at every third read of the state gives the same log', {
  tags: 'ingest:outage-loses-nothing',
}, async () => {
  const whole = await ingestToTip(chain, openMemoryLog())
  let asked = 0
  const run = await startCrossed(chain, [
    {
      strike: ({ method }) =>
        method === 'abci_query' && ++asked % 3 === 0 ? 'HTTP 500' : undefined,
    },
  ])
  try {
    await run.reached(chain.tip)
    expect(asked).toBeGreaterThan(90)
    expect(withoutProofs(await run.events())).toEqual(withoutProofs(whole))
  } finally {
    await run.stop()
  }
})
