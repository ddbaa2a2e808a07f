// Tests what a height at the tip costs where no websocket reports it, and that nothing of a poll is believed twice.
import { expect, it, onTestFinished } from 'vitest'
import { createMetrics } from '../../../../../infra/base/runtime/metrics.ts'
import { createChainNode } from '../../../../../ingest/comet/endpoints/node-pool.ts'
import { eventSelection } from '../../../../../ingest/derive/event-selection.ts'
import { recordingLogger } from '../../../../support/process/log-lines.ts'
import { createBlockChain, forkChain } from '../../../../support/simulator/block-chain.ts'
import {
  createResponder,
  type NodeOptions,
  startNode,
} from '../../../../support/simulator/nodes/node.ts'

const TIP = 30

const setup = async (options: Partial<NodeOptions> = {}) => {
  const chain = createBlockChain({ blocks: TIP })
  const served = await startNode({ chain, ...options })
  onTestFinished(served.close)
  const { logger, lines } = recordingLogger()
  const node = await createChainNode({
    urls: [served.url],
    selection: eventSelection,
    settings: { retryBudgetMs: 0 },
    logger,
    metrics: createMetrics('ingest'),
  })
  onTestFinished(node.close)
  expect(await node.latestHeight()).toBe(TIP)
  const since = async (read: () => Promise<unknown>) => {
    const before = served.requests.length
    await read()
    return served.requests.slice(before).map(({ method }) => method)
  }
  return { chain, node, lines, since }
}

it('finds the tip where a gateway forbids headers', async () => {
  const { chain, node, lines, since } = await setup({
    reply: (call, honest) =>
      honest(call.method === 'blockchain' ? { ...call, method: 'unknown' } : call),
  })
  chain.add()
  const read = () => node.latestHeight()
  expect(await read()).toBe(TIP + 1)
  expect(await since(read)).toEqual(['status'])
  expect(lines).toEqual([])
})

it('reads a header again that came with the tip and does not follow the block before', async () => {
  let forked: NodeOptions['reply']
  const { chain, node, lines } = await setup({
    reply: (call, honest) => forked?.(call, honest) ?? honest(call),
  })
  const other = createResponder({ chain: forkChain(chain) })
  forked = (call) => other(call)
  chain.add()
  expect(await node.latestHeight()).toBe(TIP + 1)
  forked = undefined
  const { hash: previousHash } = chain.block(TIP)
  const block = await node.block(TIP + 1, { previousHash, isRequired: true })
  expect(block.hash).toBe(chain.block(TIP + 1).hash)
  expect(lines).toMatchObject([
    { fault: 'CHAIN_FORKED' },
    { msg: 'waited for an endpoint' },
    { msg: 'endpoint recovered' },
  ])
})
