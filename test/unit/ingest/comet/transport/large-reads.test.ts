// Tests the note of large responses: the next process knows what the last one was reading, and avoids that endpoint.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createMetrics } from '../../../../../infra/base/runtime/metrics.ts'
import { createChainNode } from '../../../../../ingest/comet/endpoints/node-pool.ts'
import { createLargeReads } from '../../../../../ingest/comet/transport/large-reads.ts'
import { recordingLogger } from '../../../../support/process/log-lines.ts'
import { createTemporaryDirectory } from '../../../../support/process/temporary-directory.ts'
import { createBlockChain } from '../../../../support/simulator/block-chain.ts'
import { startNode } from '../../../../support/simulator/nodes/node.ts'

const createFile = () => {
  const { path, remove } = createTemporaryDirectory('large-reads')
  onTestFinished(remove)
  return join(path, 'large-reads.json')
}

it('names what was being read when the process ended, once', () => {
  const file = createFile()
  const reads = createLargeReads(file)
  reads.begin('one:1', 'status')
  const end = reads.begin('two:2', 'block_results 7')
  reads.begin('three:3', 'block 8')
  end()
  const next = createLargeReads(file)
  expect(next.interrupted).toEqual(
    new Map([
      ['one:1', 'status'],
      ['three:3', 'block 8'],
    ]),
  )
  expect(createLargeReads(file).interrupted.size).toBe(0)
})

it('leaves no file behind after complete responses', () => {
  const file = createFile()
  const end = createLargeReads(file).begin('one:1', 'block 8')
  expect(existsSync(file)).toBe(true)
  end()
  expect(existsSync(file)).toBe(false)
})

it.each(['', 'no JSON', '{}', '[1,["a"],["a",1]]'])('ignores a damaged note: %s', (text) => {
  const file = createFile()
  writeFileSync(file, text)
  expect(createLargeReads(file).interrupted.size).toBe(0)
})

it('works without a file, and with one that cannot be written', () => {
  const directory = createFile()
  mkdirSync(directory)
  for (const reads of [createLargeReads(), createLargeReads(directory)]) {
    expect(() => reads.begin('one:1', 'status')()).not.toThrow()
  }
})

/** The last process ended while it read from the first endpoint. */
const restart = async (endpoints: number) => {
  const chain = createBlockChain({ blocks: 20 })
  const nodes = await Promise.all(Array.from({ length: endpoints }, () => startNode({ chain })))
  for (const each of nodes) onTestFinished(each.close)
  const { host } = new URL(nodes[0]!.url)
  const file = createFile()
  createLargeReads(file).begin(host, 'block_results 7')
  const { logger, lines } = recordingLogger()
  const node = await createChainNode({
    urls: nodes.map(({ url }) => url),
    largeReads: createLargeReads(file),
    logger,
    metrics: createMetrics('ingest'),
  })
  onTestFinished(node.close)
  return { node, nodes, lines, host }
}

it('names and avoids the endpoint while another one answers', async () => {
  const { node, nodes, lines, host } = await restart(2)
  await node.status()
  await node.block(9)
  expect(nodes[0]?.requests).toEqual([])
  const reason = 'the last process ended while it read block_results 7'
  expect(lines).toMatchObject([{ msg: 'endpoint failed', endpoint: host, reason }])
})

it('uses the endpoint if there is no other one', async () => {
  const { node } = await restart(1)
  expect(await node.block(9)).toMatchObject({ height: 9 })
})
