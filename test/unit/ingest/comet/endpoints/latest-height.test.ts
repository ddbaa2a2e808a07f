// Tests what a height at the tip costs where no websocket reports it, and that nothing of a poll is believed twice.
import { expect, it, onTestFinished } from 'vitest'
import { createMetrics } from '../../../../../infra/base/runtime/metrics.ts'
import { createChainNode } from '../../../../../ingest/comet/endpoints/node-pool.ts'
import { eventSelection } from '../../../../../ingest/derive/event-selection.ts'
import { recordingLogger } from '../../../../support/process/log-lines.ts'
import {
  type BlockContent,
  createBlockChain,
  forkChain,
} from '../../../../support/simulator/block-chain.ts'
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
  return { chain, served, node, lines, since }
}

const withEvent = (type: string): BlockContent => ({
  begin: [{ type: 'mint', attributes: [['amount', '5']] }],
  txs: [{ events: [{ type, attributes: [['proposal_id', '1']] }] }],
})

it.each([
  ['without events', {}, []],
  ['without governance', { begin: [{ type: 'mint', attributes: [['amount', '5']] }] }, []],
  ['with moved stake', { end: [{ type: 'delegate', attributes: [['amount', '5']] }] }, []],
  ['with governance', withEvent('proposal_vote'), ['block']],
] satisfies [string, BlockContent, string[]][])(
  'a height %s takes its results, and its header comes with the tip',
  async (_, content, more) => {
    const { chain, node, since } = await setup()
    chain.add(content)
    const read = async () => {
      expect(await node.latestHeight()).toBe(TIP + 1)
      expect((await node.block(TIP + 1)).hash).toBe(chain.block(TIP + 1).hash)
    }
    expect(await since(read)).toEqual(['blockchain', 'block_results', ...more])
  },
)

it('asks once where there is no new height, and blames nobody for a lower tip', async () => {
  const { served, node, lines, since } = await setup()
  expect(await since(() => node.latestHeight())).toEqual(['blockchain'])
  served.fault('lagging tip', { height: TIP - 2 })
  const read = async () => expect(await node.latestHeight()).toBe(TIP - 2)
  expect(await since(read)).toEqual(['blockchain'])
  served.heal()
  expect(await node.latestHeight()).toBe(TIP)
  expect(lines).toEqual([])
})

it('finds the tip behind a gap that the node pruned, and where a gateway forbids headers', async () => {
  const { chain, served, node, lines } = await setup()
  for (let more = 0; more < 60; more++) chain.add()
  served.fault('pruned heights', { height: TIP + 50 })
  expect(await node.latestHeight()).toBe(TIP + 60)
  const reply: NodeOptions['reply'] = (call, honest) =>
    honest(call.method === 'blockchain' ? { ...call, method: 'unknown' } : call)
  const forbidding = await setup({ reply })
  forbidding.chain.add()
  const read = () => forbidding.node.latestHeight()
  expect(await read()).toBe(TIP + 1)
  expect(await forbidding.since(read)).toEqual(['status'])
  expect([...lines, ...forbidding.lines]).toEqual([])
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
