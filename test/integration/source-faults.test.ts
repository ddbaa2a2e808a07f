// Tests that every height is delivered once and in order, whatever one endpoint does; each fault gives one log line.
import { describe, expect, it, type TestContext } from 'vitest'
import {
  type SourceRig,
  type SourceRigOptions,
  startSourceRig,
  waitUntil,
} from '../support/chain/source-rig.ts'
import { forkChain } from '../support/simulator/block-chain.ts'
import type { FaultName, FaultOptions, SocketFault } from '../support/simulator/nodes/faults.ts'
import type { NodeOptions, RunningNode } from '../support/simulator/nodes/node.ts'

/** Longer than any test: what waits for it never comes. */
const HOUR_MS = 3_600_000
const TIP = 30
const SLOWER_MS = 40
/** For tests of what never answers. All others wait for any answer of a busy machine. */
const IMPATIENT = { timeoutMs: 10_000 }
const PATIENT = { timeoutMs: 60_000 }

const setup = async ({ onTestFinished }: TestContext, options?: SourceRigOptions) => {
  const rig = await startSourceRig({ ...options, pool: { ...PATIENT, ...options?.pool } })
  onTestFinished(() => rig.stop())
  return rig
}

/** The first of two nodes has the fault from the start. The second works, and is slower. */
const setupFaulty = (
  test: TestContext,
  name: FaultName,
  fault: FaultOptions = {},
  more: SourceRigOptions = {},
) =>
  setup(test, {
    nodes: [{}, { delayMs: () => SLOWER_MS }],
    ...more,
    prepare: ([first]) => first?.fault(name, fault),
  })

const readHost = (node: RunningNode | undefined) => new URL(node?.url ?? '').host
const expectAllDelivered = ({ chain, delivered }: SourceRig, to = TIP, from = 1) => {
  const heights = Array.from({ length: to - from + 1 }, (_, index) => from + index)
  expect(delivered.map(({ block }) => block.height)).toEqual(heights)
  for (const { block } of delivered) expect(block.hash).toBe(chain.block(block.height).hash)
}

const findLines = ({ lines }: SourceRig, msg: string, fields: Record<string, unknown> = {}) =>
  lines.filter(
    (line) =>
      line.msg === msg && Object.entries(fields).every(([name, value]) => line[name] === value),
  )

/** Neither an end nor a silent stop: a height that all endpoints refuse is named. */
const waits = async (rig: SourceRig, fault: string, height: number, reason: RegExp) => {
  const isNamed = (text: string) =>
    text.startsWith(`height ${height} cannot be read`) && reason.test(text)
  const { readiness } = rig.health
  await waitUntil(() => readiness().reasons.some(isNamed), 'readiness names it')
  expect(readiness().ready).toBe(false)
  expect(findLines(rig, 'waited for an endpoint', { fault }).length).toBeGreaterThan(0)
}

const expectNamedOnce = (rig: SourceRig, fault: string, reason: RegExp) => {
  const named = findLines(rig, 'endpoint failed', { endpoint: readHost(rig.nodes[0]), fault })
  expect(named).toHaveLength(1)
  expect(named[0]?.['reason']).toMatch(reason)
  expect(findLines(rig, 'endpoint failed', { endpoint: readHost(rig.nodes[1]) })).toEqual([])
}

const FAULTY_ANSWERS: readonly { name: FaultName; fault: string; reason: RegExp }[] = [
  { name: 'invalid JSON', fault: 'RPC_INVALID_RESPONSE', reason: /not JSON/ },
  { name: 'HTML answer', fault: 'RPC_INVALID_RESPONSE', reason: /not JSON/ },
  { name: 'HTTP 500', fault: 'RPC_UNAVAILABLE', reason: /HTTP status 500/ },
  { name: 'hang', fault: 'DEADLINE_EXCEEDED', reason: /no answer within 10000 ms/ },
  { name: 'truncated body', fault: 'RPC_UNAVAILABLE', reason: /middle of an answer/ },
  { name: 'drops the socket', fault: 'RPC_UNAVAILABLE', reason: /ECONNRESET/ },
  {
    name: 'skips a height',
    fault: 'RPC_INVALID_RESPONSE',
    reason: /block \d+ came with results \d+/,
  },
  {
    name: 'results of another height',
    fault: 'RPC_INVALID_RESPONSE',
    reason: /block \d+ came with results \d+/,
  },
  { name: 'oversized body', fault: 'RPC_INVALID_RESPONSE', reason: /larger than 65536 bytes/ },
]

// These tests wait for deadlines most of the time.
describe.concurrent('a node with invalid responses', () => {
  for (const { name, fault, reason } of FAULTY_ANSWERS) {
    it(`${name}: the other endpoint takes over, and one line names the fault`, async (test) => {
      const rig = await setupFaulty(test, name, {}, name === 'hang' ? { pool: IMPATIENT } : {})
      void rig.follow()
      await rig.reached(TIP)
      expectAllDelivered(rig)
      expectNamedOnce(rig, fault, reason)
    })
  }

  it('is asked again if it is the only one, and its recovery is logged', async (test) => {
    const rig = await setup(test, {
      prepare: ([only]) => only?.fault('invalid JSON', { height: 12, times: 3 }),
    })
    void rig.follow()
    await rig.reached(TIP)
    expectAllDelivered(rig)
    const fault = 'RPC_INVALID_RESPONSE'
    expect(findLines(rig, 'endpoint failed', { fault })).toHaveLength(1)
    expect(findLines(rig, 'endpoint recovered', { fault })).toHaveLength(1)
  })
})

describe.concurrent('a node of another chain', { tags: 'ingest:chains-are-not-mixed' }, () => {
  it('wrong chain ID: it is named once and not used until it serves the right chain', async (test) => {
    const rig = await setupFaulty(test, 'wrong chain id', {}, { pool: IMPATIENT })
    const [first, second] = rig.nodes
    void rig.follow()
    await rig.reached(TIP)
    expectAllDelivered(rig)
    expectNamedOnce(rig, 'CHAIN_MISMATCH', /serves another-1 instead of simulated-1/)
    expect(first?.requests.filter(({ method }) => method !== 'status')).toEqual([])

    first?.heal()
    await waitUntil(() => findLines(rig, 'endpoint recovered').length === 1, 'it is trusted again')
    second?.fault('hang')
    rig.addBlock()
    await rig.reached(TIP + 1)
    expectAllDelivered(rig, TIP + 1)
  })

  it('changed chain: its blocks are refused, also if its status has not changed', async (test) => {
    let isChanged = false
    const changing: Partial<NodeOptions> = {
      body: ({ method }, honest) => [
        isChanged && method !== 'status' ? honest.replaceAll('simulated-1', 'another-1') : honest,
      ],
    }
    const rig = await setup(test, { nodes: [changing, { delayMs: () => SLOWER_MS }] })
    void rig.follow()
    await rig.reached(TIP)
    isChanged = true
    rig.addBlock()
    await rig.reached(TIP + 1)
    await waitUntil(() => findLines(rig, 'endpoint failed').length === 1, 'it is named')
    expectAllDelivered(rig, TIP + 1)
    expectNamedOnce(rig, 'CHAIN_MISMATCH', /serves another-1 instead of simulated-1/)
  })

  it('forked block: the endpoint that has the chain is used instead', async (test) => {
    const nodes = [{}, { delayMs: () => 300 }]
    const rig = await setupFaulty(test, 'forked block', { height: 3 }, { nodes })
    void rig.follow()
    await rig.reached(TIP)
    expectAllDelivered(rig)
    expectNamedOnce(rig, 'CHAIN_FORKED', /block \d+ follows [0-9A-F]{64}, not [0-9A-F]{64}/)
    expect(findLines(rig, 'block does not link to the previous one').length).toBeGreaterThan(0)
  })

  it('forked block on every endpoint: the source waits before it, and says why', async (test) => {
    const fork = (node: RunningNode) => node.fault('forked block', { height: 12 })
    const rig = await setup(test, { nodes: [{}, {}], prepare: (nodes) => nodes.forEach(fork) })
    void rig.follow()
    await waits(rig, 'CHAIN_FORKED', 12, /block 12 follows/)
    expectAllDelivered(rig, 11)
    expect(findLines(rig, 'block does not link to the previous one')).toHaveLength(1)
  })

  it('a log whose last block is not on the chain: nothing is delivered', async (test) => {
    const rig = await setup(test)
    const previousHash = forkChain(rig.chain).block(9).hash
    void rig.follow({ from: 10, previousHash })
    await waits(rig, 'CHAIN_FORKED', 10, /block 10 follows/)
    expect(rig.delivered).toEqual([])
  })
})

describe.concurrent('a node without the requested height', () => {
  it('lagging tip: the other endpoints continue, and the node is named when it is far behind', async (test) => {
    const rig = await setupFaulty(test, 'lagging tip')
    void rig.follow()
    await rig.reached(TIP)
    for (let block = 0; block < 6; block++) {
      rig.addBlock(1)
      await rig.reached(TIP + block + 1)
    }
    const isNamed = () =>
      rig.health
        .readiness()
        .reasons.join()
        .includes(`tip of ${readHost(rig.nodes[0])}: is at height`)
    await waitUntil(isNamed, 'it is named')
    rig.nodes[0]?.heal()
    await waitUntil(() => !isNamed(), 'it is back')
    expectAllDelivered(rig, TIP + 6)
    expect(findLines(rig, 'endpoint failed')).toEqual([])
  })

  it('pruned heights on every endpoint: the source waits for an endpoint that has them', async (test) => {
    const prune = (node: RunningNode) => node.fault('pruned heights', { height: 20 })
    const rig = await setup(test, { nodes: [{}, {}], prepare: (nodes) => nodes.forEach(prune) })
    void rig.follow({ from: 10 })
    await waits(rig, 'HEIGHT_UNAVAILABLE', 10, /height 10 is not available, lowest height is 20/)
    expect(rig.delivered).toEqual([])
    rig.nodes[1]?.heal()
    await rig.reached(TIP)
    expectAllDelivered(rig, TIP, 10)
    expect(findLines(rig, 'endpoint failed')).toEqual([])
  })
})

describe.concurrent('a websocket that fails', () => {
  const expectLive = async (rig: SourceRig) => {
    rig.addBlock()
    await rig.reached(rig.chain.tip)
    expectAllDelivered(rig, rig.chain.tip)
  }

  it('silent socket: polling replaces it, and the connection is reopened', async (test) => {
    const rig = await setup(test, { wakeUp: { silenceMs: 5_000 } })
    void rig.follow()
    await rig.reached(TIP)
    await waitUntil(() => rig.nodes[0]?.subscribers === 1, 'subscribed')
    rig.nodes[0]?.fault('silent socket')
    for (let block = 0; block < 3; block++) await expectLive(rig)
    await waitUntil(() => (rig.nodes[0]?.connections ?? 0) >= 3, 'replaced')
    const [named, ...more] = findLines(rig, 'websocket ended')
    expect(named).toMatchObject({ fault: 'DEADLINE_EXCEEDED', reason: 'no new header for 5000 ms' })
    expect(more).toEqual([])
    rig.nodes[0]?.heal()
    await waitUntil(() => rig.nodes[0]?.subscribers === 1, 'subscribed again')
    await expectLive(rig)
    await waitUntil(() => findLines(rig, 'websocket recovered').length === 1, 'recovered')
  })

  const FAILED_SOCKETS: readonly [SocketFault, string, RegExp][] = [
    ['cancels the subscription', 'RPC_REFUSED', /was canceled \(reason: slow client\)/],
    ['cuts the websocket', 'RPC_UNAVAILABLE', /the node closed the websocket/],
    ['no websocket', 'RPC_UNAVAILABLE', /404/],
  ]
  for (const [name, fault, reason] of FAILED_SOCKETS) {
    it(`${name}: no height waits for it, and one line names the fault`, async (test) => {
      const rig = await setup(test, { wakeUp: { silenceMs: 20_000 } })
      rig.nodes[0]?.fault(name, name === 'no websocket' ? {} : { times: 1 })
      void rig.follow()
      await rig.reached(TIP)
      await waitUntil(() => findLines(rig, 'websocket ended').length > 0, 'named')
      for (let block = 0; block < 3; block++) await expectLive(rig)
      const subscribers = name === 'no websocket' ? 0 : 1
      await waitUntil(() => rig.nodes[0]?.subscribers === subscribers, 'subscribed again')
      const named = findLines(rig, 'websocket ended')
      expect(named).toEqual([
        expect.objectContaining({ fault, reason: expect.stringMatching(reason) }),
      ])
    })
  }
})

describe('following the tip', () => {
  it('delivers a new block at its notification, without waiting for a poll', async (test) => {
    const rig = await setup(test, { pollMs: HOUR_MS })
    void rig.follow()
    await rig.reached(TIP)
    await waitUntil(() => rig.nodes[0]?.subscribers === 1, 'subscribed')
    rig.addBlock()
    await rig.reached(TIP + 1)
    expect(rig.delivered.at(-1)?.tip).toBe(TIP + 1)
  })

  it('ends at its signal, also during a hanging request', async (test) => {
    const rig = await setup(test, { pool: { timeoutMs: HOUR_MS } })
    const following = rig.follow()
    await rig.reached(TIP)
    rig.nodes[0]?.fault('hang')
    rig.nodes[0]?.fault('silent socket')
    rig.addBlock()
    await rig.end()
    await following
    await waitUntil(() => rig.nodes[0]?.subscribers === 0, 'the websocket is gone')
  })

  it('counts delivered heights, and reports the health of each endpoint', async (test) => {
    const rig = await setupFaulty(test, 'HTTP 500')
    void rig.follow()
    await rig.reached(TIP)
    const text = await rig.metrics.registry.metrics()
    expect(text).toContain(`rollcall_ingest_blocks_delivered_total ${TIP}`)
    expect(text).toContain(`rollcall_ingest_tip_height ${TIP}`)
    expect(text).toContain(`endpoint_healthy{endpoint="${readHost(rig.nodes[0])}"} 0`)
    expect(text).toContain(`endpoint_healthy{endpoint="${readHost(rig.nodes[1])}"} 1`)
  })
})
