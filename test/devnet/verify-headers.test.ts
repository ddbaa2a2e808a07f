// Ingest with VERIFY_HEADERS accepts every block of a real chain up to the latest one.
import { expect, inject, it } from 'vitest'
import { createMetrics } from '../../infra/base/runtime/metrics.ts'
import { createChainNode } from '../../ingest/comet/endpoints/node-pool.ts'
import { createBlockSource } from '../../ingest/source/block-source.ts'
import { recordingLogger } from '../support/process/log-lines.ts'

const { rpcUrl, firstHeight, lastHeight } = inject('devnet')
const LIVE_BLOCKS = 5

it('follows a real chain with verified headers, also at its tip', {
  tags: 'ingest:headers-are-verified',
}, async () => {
  const { logger, lines } = recordingLogger()
  const metrics = createMetrics('ingest')
  const node = await createChainNode({ urls: [rpcUrl], verifyHeaders: true, logger, metrics })
  const stopping = new AbortController()
  const source = createBlockSource({ node, pollMs: 50, logger, metrics })
  const { signal } = stopping
  const verified: number[] = []
  let txs = 0
  let live = 0
  for await (const { block, tip } of source.follow({
    from: firstHeight,
    previousHash: null,
    signal,
  })) {
    expect(block.validatorsHash).toMatch(/^[0-9A-F]{64}$/)
    verified.push(block.height)
    txs += block.txs.length
    if (block.height > lastHeight && block.height === tip) live++
    if (live === LIVE_BLOCKS) break
  }
  stopping.abort()
  await node.close()
  expect(verified).toEqual(verified.map((_, index) => firstHeight + index))
  expect(txs).toBeGreaterThan(100)
  expect(lines.filter(({ msg }) => msg === 'endpoint failed')).toEqual([])
})
