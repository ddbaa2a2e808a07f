// Endpoints as attackers and as operators have them: none of them stops indexing in silence, and none is believed alone.
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createMetrics } from '../../infra/base/runtime/metrics.ts'
import { createNodeHealth } from '../../ingest/comet/endpoints/endpoint-health.ts'
import type { NodePoolOptions } from '../../ingest/comet/endpoints/node-pool.ts'
import { createChainNode } from '../../ingest/comet/endpoints/node-pool.ts'
import { ingestToTip, startOver } from '../support/chain/ingest-run.ts'
import { createMemoryChain, showChain } from '../support/chain/memory-chain.ts'
import { waitUntil } from '../support/chain/source-rig.ts'
import { serve } from '../support/http/serve.ts'
import {
  createMemoryLogStorage,
  type MemoryLogStorage,
  openMemoryLog,
} from '../support/log/memory-log.ts'
import { recordingLogger } from '../support/process/log-lines.ts'
import { createBlockChain, forkChain } from '../support/simulator/block-chain.ts'
import { type NodeOptions, startNode } from '../support/simulator/nodes/node.ts'
import { internalError, type RpcCall } from '../support/simulator/rpc/reply.ts'

const TIP = 30
const chain = createBlockChain({ blocks: TIP })
const FOREVER = { budgetMs: Number.POSITIVE_INFINITY }

const start = async (options: Partial<NodeOptions> = {}): Promise<string> => {
  const node = await startNode({ chain, ...options })
  onTestFinished(node.close)
  return node.url
}

const connect = async (urls: readonly string[], options: Partial<NodePoolOptions> = {}) => {
  const { logger, lines } = recordingLogger()
  const health = createNodeHealth()
  const node = await createChainNode({
    urls,
    chainId: chain.chainId,
    health,
    logger,
    metrics: createMetrics('ingest'),
    ...options,
    settings: { retryBudgetMs: 0, outageAfterMs: 500, coolDownMs: 20, ...options.settings },
  })
  onTestFinished(node.close)
  return { node, health, lines, names: urls.map((url) => new URL(url).host) }
}

/** Passes everything on, but sends spaces without end instead of the results of one height. */
const startDripping = (target: string, height: number): Promise<string> =>
  serve(async (request, response) => {
    const body = await text(request)
    const call = JSON.parse(body) as RpcCall
    if (call.method === 'block_results' && call.params['height'] === `${height}`) {
      response.write('{"jsonrpc":"2.0",')
      const timer = setInterval(() => response.write(' '.repeat(2_200)), 20)
      return void response.on('close', () => clearInterval(timer))
    }
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(target, { method: 'POST', headers, body })
    response.end(await answer.text())
  })

describe('an endpoint that answers without end', () => {
  it('is replaced by a second one that is asked too', async () => {
    const honest = await start({ delayMs: () => 50 })
    const dripping = await startDripping(await start(), 12)
    const { node } = await connect([dripping, honest], { settings: { hedgeAfterMs: 400 } })
    for (let height = 10; height <= 14; height++) {
      expect((await node.block(height, FOREVER)).height).toBe(height)
    }
  })

  it('makes no progress with white space', async () => {
    const dripping = await startDripping(await start(), 12)
    const { node } = await connect([dripping], { settings: { timeoutMs: 400 } })
    await expect(node.block(12)).rejects.toThrow('no more bytes within 400 ms')
  })

  it('is named with the height while its call is running, if it is alone', async () => {
    const { node, health, names } = await connect([await startDripping(await start(), 12)])
    await node.block(11, FOREVER)
    expect(health.readiness()).toMatchObject({ ready: true, reasons: [] })
    node.block(12, FOREVER).catch(() => undefined)
    await waitUntil(() => !health.readiness().ready, 'it is reported')
    expect(health.readiness().reasons.join()).toMatch(
      new RegExp(`height 12 cannot be read: ${names[0]} has not answered for \\d+ s`),
    )
  })
})

describe('a claimed tip', () => {
  it.each([3, 900])('of %i blocks too many is not believed', async (more) => {
    const claim = `${TIP + more}`
    const reply: NodeOptions['reply'] = async (call, honest) => {
      const answer = await honest(call)
      if (!('result' in answer)) return answer
      const result = answer.result as { sync_info?: object; last_height?: string }
      const { sync_info } = result
      if (sync_info)
        return { result: { ...result, sync_info: { ...sync_info, latest_block_height: claim } } }
      return { result: result.last_height ? { ...result, last_height: claim } : result }
    }
    const { node, lines } = await connect([await start({ reply }), await start()])
    expect((await node.status()).latestHeight).toBe(TIP)
    for (let polls = 0; polls < 3; polls++) expect(await node.latestHeight()).toBe(TIP)
    const blamed = lines.filter(({ msg }) => msg === 'endpoint failed')
    expect(blamed).toHaveLength(more > 10 ? 1 : 0)
  })
})

describe('an endpoint that failed', () => {
  it('is checked for its chain before it is believed again', async () => {
    let alter = (honest: string) => honest
    const url = await start({ body: (_, honest) => [alter(honest)] })
    const { node } = await connect([url])
    const read = (height: number) =>
      node.abciQuery({ path: '/a.Query/A', data: new Uint8Array(), height })
    await read(TIP)
    alter = () => 'Bad gateway'
    await expect(read(TIP - 1)).rejects.toThrow('not JSON')
    alter = (honest) => honest.replaceAll(chain.chainId, 'other-1')
    await expect(read(TIP - 2)).rejects.toThrow(`serves other-1 instead of ${chain.chainId}`)
  })

  it('may have a block that all others lack', async () => {
    const pruned = await startNode({ chain })
    onTestFinished(pruned.close)
    pruned.fault('pruned heights', { height: 20 })
    const down = await start({ strike: () => 'HTTP 500' })
    const { node } = await connect([pruned.url, down])
    // It is given up after some of these.
    for (let reads = 0; reads < 6; reads++)
      await expect(node.block(5, { budgetMs: 100 })).rejects.toMatchObject({
        code: 'RPC_UNAVAILABLE',
      })
  })
})

describe('endpoints whose status is only read now and then', () => {
  it('compare a height, however far it is beyond the last status', async () => {
    const growing = createBlockChain({ blocks: TIP })
    const urls = [await start({ chain: growing }), await start({ chain: growing })]
    const { node, lines } = await connect(urls, { fingerprint: () => 'a vote' })
    for (let height = TIP; height < TIP + 25; height++) {
      expect((await node.block(height, FOREVER)).height).toBe(height)
      growing.add()
    }
    expect(lines.filter(({ msg }) => /cross-checked/.test(msg))).toEqual([])
  })
})

describe('an endpoint that discards the results of blocks', () => {
  const text = 'node is not persisting finalize block responses'
  const discarding = () =>
    start({
      reply: async (call, honest) =>
        call.method === 'block_results' ? { error: internalError(text) } : await honest(call),
    })
  const remedy = 'use a node with discard_abci_responses = false in its config.toml'

  it('is one warning with the remedy, and a wait', async () => {
    const { node, health, lines } = await connect([await discarding()])
    node.block(12, { isRequired: true }).catch(() => undefined)
    await waitUntil(() => !health.readiness().ready, 'it is reported')
    expect(health.readiness().reasons.join()).toContain(remedy)
    expect(health.readiness().reasons.join()).toContain(`height 12 cannot be read: ${text}`)
    const warnings = lines.filter((line) => line['remedy'] === remedy)
    expect(warnings).toMatchObject([{ msg: 'endpoint discards the results of blocks' }])
  })
})

const follow = async (url: string, storage: MemoryLogStorage) => {
  const config = { liveMarkerSeconds: 0.05 }
  const ingest = await startOver([url])(openMemoryLog(storage), { config })
  onTestFinished(ingest.close)
  return ingest
}

describe('a chain that was started again under its own ID', () => {
  const indexed = async () => {
    const whole = createMemoryChain()
    for (let height = 1; height <= TIP; height++) whole.add()
    const storage = createMemoryLogStorage()
    await ingestToTip(whole, openMemoryLog(storage))
    return { shown: showChain(whole), storage }
  }
  const resume = async (
    { storage }: Awaited<ReturnType<typeof indexed>>,
    served: NodeOptions['chain'],
  ) => {
    const ingest = await follow(await start({ chain: served }), storage)
    let hasEnded = false
    ingest.done.then(
      () => (hasEnded = true),
      () => (hasEnded = true),
    )
    const reasons = () => ingest.readiness().reasons.join()
    return { ingest, reasons, hasEnded: () => hasEnded }
  }

  it('is said with the remedy while it is below the indexed height', async () => {
    const before = await indexed()
    const young = createMemoryChain()
    for (let height = 1; height <= 5; height++) young.add()
    const run = await resume(before, showChain(young))
    const text = `the endpoints are at height 5, below the indexed height ${TIP}`
    await waitUntil(() => run.reasons().includes(text), 'it is said')
    expect(run.reasons()).toContain('index it into another DATA_DIR')
    expect(run.ingest.readiness().ready).toBe(false)
    expect(run.hasEnded()).toBe(false)
  })

  it('is not said of a chain that grew since the last poll of its tip', async () => {
    const whole = createMemoryChain()
    for (let height = 1; height <= TIP + 25; height++) whole.add()
    const shown = showChain(whole, TIP)
    const served = await startNode({ chain: shown })
    onTestFinished(served.close)
    const ingest = await follow(served.url, createMemoryLogStorage())
    await waitUntil(() => ingest.progress().height === TIP, 'the past')
    await waitUntil(() => served.subscribers === 1, 'the websocket')
    while (shown.grow()) {
      served.announce()
      await waitUntil(() => ingest.progress().height === shown.tip, `height ${shown.tip}`)
    }
    expect(ingest.readiness()).toMatchObject({ ready: true, reasons: [] })
  })

  it('is said with the remedy when it has other blocks', async () => {
    const before = await indexed()
    const longer = createMemoryChain()
    for (let height = 1; height <= TIP + 3; height++) longer.add()
    const run = await resume(before, forkChain(showChain(longer)))
    await waitUntil(() => /height 31 cannot be read: block 31 follows/.test(run.reasons()), 'it')
    expect(run.reasons()).toContain('index it into another DATA_DIR')
    expect(run.hasEnded()).toBe(false)
  })
})

describe('endpoints of which none serves CHAIN_ID', () => {
  it('fail readiness, with an error that names the two chains', async () => {
    const { logger, lines } = recordingLogger()
    const url = await start()
    const env = { CHAIN_ID: 'other-1' }
    const ingest = await startOver([url])(openMemoryLog(), { env, logger })
    onTestFinished(ingest.close)
    const reason = `serves ${chain.chainId} instead of other-1`
    const named = `endpoint ${new URL(url).host}: ${reason} (CHAIN_MISMATCH)`
    await expect.poll(() => ingest.readiness().reasons).toContain(named)
    expect(ingest.readiness().ready).toBe(false)
    const errors = lines.filter(({ level }) => level === 'error')
    expect(errors).toMatchObject([{ msg: 'endpoint failed', fault: 'CHAIN_MISMATCH', reason }])
  })
})
