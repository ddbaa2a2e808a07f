// Tests the tip of the chain: an outage is retried, a defect ends ingest.
import { expect, it } from 'vitest'
import { AppError } from '../../../../infra/base/runtime/errors.ts'
import { createMetrics } from '../../../../infra/base/runtime/metrics.ts'
import type { ChainNode } from '../../../../ingest/comet/endpoints/node.ts'
import { startIngest } from '../../../../ingest/main.ts'
import { createBlockSource } from '../../../../ingest/source/block-source.ts'
import { followTip } from '../../../../ingest/source/tip.ts'
import { hurried, ingestConfig } from '../../../support/chain/ingest-run.ts'
import { createMemoryChain } from '../../../support/chain/memory-chain.ts'
import { openMemoryLog } from '../../../support/log/memory-log.ts'
import { recordingLogger, silentLogger } from '../../../support/process/log-lines.ts'

const planted = async (): Promise<never> => {
  throw new TypeError('planted')
}

const createChain = () => {
  const chain = createMemoryChain()
  chain.add()
  return chain
}
const shared = () => ({
  logger: silentLogger(),
  metrics: createMetrics('ingest'),
  clock: hurried,
})

it('a bug in a websocket ends ingest, although every block is available', async () => {
  const node = createChain()
  const ingest = await startIngest({
    config: ingestConfig(),
    log: openMemoryLog(),
    logger: silentLogger(),
    clock: hurried,
    metrics: createMetrics('ingest'),
    node,
    source: createBlockSource({ node, wakeUp: { follow: planted }, ...shared() }),
  })
  await expect(ingest.done).rejects.toThrow('planted')
})

it('a bug in the status poll ends ingest, also during the wait for a block', async () => {
  let polls = 0
  const node: ChainNode = {
    ...createChain(),
    status: () => (++polls === 1 ? createChain().status() : planted()),
    block: () => new Promise(() => {}),
  }
  const { signal } = new AbortController()
  const blocks = createBlockSource({ node, ...shared() }).follow({
    from: 1,
    previousHash: null,
    signal,
  })
  await expect(blocks[Symbol.asyncIterator]().next()).rejects.toThrow('planted')
})

it('a status poll that fails temporarily is repeated, and its recovery is logged once', async () => {
  const { logger, lines } = recordingLogger()
  const controller = new AbortController()
  let polls = 0
  const chain = createChain()
  const tip = followTip({
    node: {
      ...chain,
      status: async () => {
        if (++polls < 4) throw new AppError('RPC_UNAVAILABLE', 'away', { retryable: true })
        return chain.status()
      },
    },
    wakeUp: undefined,
    pollMs: 1,
    clock: hurried,
    logger,
    onTip: () => {},
    signal: controller.signal,
  })
  await tip.reach(1)
  while (polls < 5) await new Promise((resolve) => setImmediate(resolve))
  controller.abort()
  await tip.done
  expect(lines.map(({ msg }) => msg)).toEqual(['status poll failed', 'status poll recovered'])
})
