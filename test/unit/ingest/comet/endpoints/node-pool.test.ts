// Tests the responses of a pool of several endpoints.
import { describe, expect, it, onTestFinished } from 'vitest'
import { createMetrics } from '../../../../../infra/base/runtime/metrics.ts'
import { endpointNames } from '../../../../../ingest/comet/endpoints/endpoint-health.ts'
import { createChainNode } from '../../../../../ingest/comet/endpoints/node-pool.ts'
import type { NodePoolOptions } from '../../../../../ingest/comet/endpoints/pool.ts'
import { recordingLogger } from '../../../../support/process/log-lines.ts'
import { createBlockChain } from '../../../../support/simulator/block-chain.ts'
import {
  type NodeOptions,
  type RunningNode,
  startNode,
} from '../../../../support/simulator/nodes/node.ts'

/** Longer than any test: what waits for it never comes. */
const HOUR_MS = 3_600_000
const QUICK = { timeoutMs: 300, retryBudgetMs: 300, coolDownMs: 20, maxCoolDownMs: 40 }

const setup = async (
  nodes: readonly NodeOptions[],
  {
    prepare,
    settings,
    ...options
  }: Partial<NodePoolOptions> & { prepare?: (nodes: readonly RunningNode[]) => void } = {},
) => {
  const started = await Promise.all(nodes.map(startNode))
  for (const each of started) onTestFinished(each.close)
  prepare?.(started)
  const { logger, lines } = recordingLogger()
  const node = await createChainNode({
    urls: started.map(({ url }) => url),
    settings: { ...QUICK, ...settings },
    logger,
    metrics: createMetrics('ingest'),
    ...options,
  })
  onTestFinished(node.close)
  return { node, started, lines }
}

const prunedAndDown = ([first, second]: readonly RunningNode[]): void => {
  first?.fault('pruned heights', { height: 15 })
  second?.fault('HTTP 500')
}

const chain = createBlockChain({ blocks: 20 })
const abci = ({ path, height }: { path: string; height: number }) =>
  path === '/gone'
    ? { code: 22, codespace: 'sdk', log: 'not found: key not found' }
    : { value: Buffer.from(`${path}@${height}`) }
const query = (height: number, path = '/x') => ({ path, data: Uint8Array.of(1, 2), height })

describe('state queries', () => {
  it('return the value at the height, and forward the whole request', async () => {
    const received: unknown[] = []
    const { node } = await setup([
      {
        chain,
        abci: (request) => {
          received.push({ ...request, data: [...request.data] })
          return { value: Uint8Array.of(9) }
        },
      },
    ])
    const answer = await node.abciQuery(query(7))
    expect(answer).toEqual({ kind: 'value', value: Buffer.from([9]) })
    expect(received).toEqual([{ path: '/x', data: [1, 2], height: 7 }])
  })

  it('use the endpoint that still has a state if the first one has pruned it', async () => {
    const { node, lines } = await setup(
      [
        { chain, abci },
        { chain, abci },
      ],
      {
        prepare: ([first]) => first?.fault('pruned heights', { height: 15 }),
      },
    )
    const answer = await node.abciQuery(query(7))
    expect(answer).toEqual({ kind: 'value', value: Buffer.from('/x@7') })
    expect(lines).toEqual([])
  })

  it('remembers which endpoint pruned a height, and does not prefer it again', async () => {
    const { node, started } = await setup(
      [
        { chain, abci },
        // Slower, so that the other endpoint is preferred.
        { chain, abci, delayMs: () => 150 },
      ],
      {
        prepare: ([first]) => first?.fault('pruned heights', { height: 15 }),
      },
    )
    for (let attempt = 0; attempt < 5; attempt++) await node.abciQuery(query(7))
    const firstNodeRequests = started[0]?.requests.filter(({ method }) => method === 'abci_query')
    expect(firstNodeRequests).toHaveLength(1)
  })

  it('report pruned, with the message of the node, if all endpoints have pruned it', async () => {
    const { node } = await setup(
      [
        { chain, abci },
        { chain, abci },
      ],
      {
        prepare: (started) => {
          for (const each of started) each.fault('pruned heights', { height: 15 })
        },
      },
    )
    expect(await node.abciQuery(query(7))).toEqual({
      kind: 'pruned',
      log: 'failed to load state at height 7; version does not exist (latest height: 20): not found',
    })
  })

  it('do not report pruned at the first failure of an endpoint that can have the state', async () => {
    const { node } = await setup(
      [
        { chain, abci },
        { chain, abci },
      ],
      {
        prepare: ([first, second]) => {
          first?.fault('pruned heights', { height: 15 })
          second?.fault('HTTP 500', { times: 2 })
        },
      },
    )
    expect(await node.abciQuery(query(7))).toMatchObject({ kind: 'value' })
  })

  it('report pruned if the endpoint that can have the state stays down, so that no vote is delayed', async () => {
    const { node } = await setup(
      [
        { chain, abci },
        { chain, abci },
      ],
      { prepare: prunedAndDown },
    )
    expect(await node.abciQuery(query(7))).toMatchObject({ kind: 'pruned' })
  })

  it('returns missing values and refusals, and blames no endpoint', async () => {
    const { node, lines } = await setup([{ chain, abci }])
    expect(await node.abciQuery(query(7, '/gone'))).toMatchObject({ kind: 'not_found' })
    const { node: bare } = await setup([{ chain }])
    expect(await bare.abciQuery(query(7))).toMatchObject({ kind: 'refused', code: 6 })
    expect(lines).toEqual([])
  })
})

describe('a block that one endpoint has pruned while the other one is down', () => {
  it('is not reported as unavailable, because the other endpoint can have it', async () => {
    const { node, started } = await setup([{ chain }, { chain }], { prepare: prunedAndDown })
    for (let attempts = 0; attempts < 3; attempts++) {
      await expect(node.block(7)).rejects.toMatchObject({
        code: 'RPC_UNAVAILABLE',
        retryable: true,
      })
    }
    started[1]?.heal()
    expect(await node.block(7)).toMatchObject({ height: 7 })
  })
})

describe('status', () => {
  it('is the status of the endpoint with the highest height, and the lowest height of all', async () => {
    const short = createBlockChain({ firstHeight: 5, blocks: 3 })
    const { node } = await setup([{ chain: short }, { chain }])
    expect(await node.status()).toMatchObject({
      chainId: 'simulated-1',
      latestHeight: 20,
      earliestHeight: 1,
      catchingUp: false,
    })
  })

  it('does not wait for an endpoint that hangs', async () => {
    const { node } = await setup([{ chain }, { chain }], {
      chainId: 'simulated-1',
      settings: { timeoutMs: HOUR_MS, statusGraceMs: 30 },
      prepare: ([first]) => first?.fault('hang'),
    })
    expect((await node.status()).latestHeight).toBe(20)
  })
})

describe('a chain that cannot be reached', () => {
  it('fails after the retry budget, with the reason of every endpoint', async () => {
    const { node, started } = await setup([{ chain }, { chain }], { chainId: 'simulated-1' })
    started[0]?.fault('HTTP 500')
    started[1]?.fault('invalid JSON')
    const [first, second] = started.map(({ url }) => new URL(url).host)
    const error = await node.block(3).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code: 'RPC_UNAVAILABLE', retryable: true })
    expect(String(error)).toMatch(
      new RegExp(`${first}: HTTP status 500|${second}: the response is not JSON`),
    )
  })

  it('rejects if no endpoint reports its chain', async () => {
    const starting = setup([{ chain }], { prepare: ([only]) => only?.fault('hang') })
    await expect(starting).rejects.toMatchObject({ code: 'RPC_UNAVAILABLE' })
  })

  it('connects again with the same metrics', async () => {
    const metrics = createMetrics('ingest')
    const failing = setup([{ chain }], { metrics, prepare: ([only]) => only?.fault('HTTP 500') })
    await expect(failing).rejects.toMatchObject({ code: 'RPC_UNAVAILABLE' })
    const { node } = await setup([{ chain }], { metrics })
    expect(node.chainId).toBe('simulated-1')
  })

  it('stops at once if the connection is aborted', async () => {
    const controller = new AbortController()
    const starting = setup([{ chain }], {
      signal: controller.signal,
      settings: { timeoutMs: 20_000, retryBudgetMs: 20_000 },
      prepare: ([only]) => only?.fault('hang'),
    })
    setTimeout(() => controller.abort(), 20)
    await expect(starting).rejects.toMatchObject({ code: 'ABORTED' })
  })

  it('ends every running call when it is closed', async () => {
    const { node } = await setup([{ chain }], {
      chainId: 'simulated-1',
      settings: { timeoutMs: 20_000 },
      prepare: ([only]) => only?.fault('hang'),
    })
    const calls = [node.block(1), node.status(), node.abciQuery(query(1))]
    const ended = Promise.allSettled(calls)
    setTimeout(() => void node.close(), 20)
    for (const outcome of await ended) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'ABORTED' } })
    }
  })
})

it('is the chain of the first endpoint that responds; endpoints of another chain are skipped', async () => {
  const other = createBlockChain({ chainId: 'other-1', blocks: 50 })
  const { node, lines } = await setup([{ chain }, { chain: other }])
  expect(node.chainId).toBe('simulated-1')
  expect((await node.status()).latestHeight).toBe(20)
  const [line] = lines.filter(({ msg }) => msg === 'endpoint failed')
  expect(line).toMatchObject({ fault: 'CHAIN_MISMATCH' })
})

it('waits for a height that the node will have soon', async () => {
  const growing = createBlockChain({ blocks: 3 })
  const { node, lines } = await setup([{ chain: growing }])
  setTimeout(() => growing.add(), 60)
  expect((await node.block(4)).height).toBe(4)
  expect(lines).toEqual([])
})

it('respects the limit of concurrent calls', async () => {
  let underway = 0
  let most = 0
  const delayMs = () => {
    most = Math.max(most, ++underway)
    setTimeout(() => underway--, 5)
    return 5
  }
  const { node } = await setup([{ chain, delayMs }], { settings: { maxConcurrentCalls: 3 } })
  const heights = Array.from({ length: 20 }, (_, index) => index + 1)
  const blocks = await Promise.all(heights.map((height) => node.block(height)))
  expect(blocks.map(({ height }) => height)).toEqual(heights)
  expect(most).toBeLessThanOrEqual(3)
  expect(most).toBeGreaterThan(1)
})

it('names endpoints by host only, because the rest of a URL may be a secret', () => {
  const urls = [
    'https://user:pass@rpc.example/key?x=1',
    'http://rpc.example/other',
    'http://a:26657',
  ]
  expect(endpointNames(urls)).toEqual(['rpc.example', 'rpc.example#2', 'a:26657'])
})

it('logs a fault once, however often it returns', async () => {
  const { node, started, lines } = await setup([{ chain }, { chain }])
  for (let round = 0; round < 5; round++) {
    started[0]?.fault('HTTP 500')
    await node.status()
    started[0]?.heal()
    await new Promise((resolve) => setTimeout(resolve, QUICK.maxCoolDownMs))
    await node.status()
  }
  expect(lines.map(({ msg }) => msg)).toEqual(['endpoint failed', 'endpoint recovered'])
})
