// Tests that ingest calls only read methods of a node, and so cannot send a transaction.
import { expect, it, onTestFinished } from 'vitest'
import { startCrossed } from '../support/chain/crossed-nodes.ts'
import { createGovStory } from '../support/chain/votes.ts'

const READING_METHODS = [
  'abci_query',
  'block',
  'block_results',
  'blockchain',
  'commit',
  'status',
  'validators',
]
/** Module queries, and information of a node about its own software. */
const READING_PATHS = [
  // Of any module: some chains have tally rules in modules of their own.
  /^\/[\w.]+\.Query\/\w+$/,
  /^\/cosmos\.base\.reflection\.v1beta1\.ReflectionService\/ListImplementations$/,
  /^\/cosmos\.reflection\.v1\.ReflectionService\/FileDescriptors$/,
  /^\/app\/version$/,
]

it('ingest of deposits, votes, closes and restarts calls only the methods of a node that read blocks and state', {
  tags: 'rollcall:only-reads',
}, async () => {
  const chain = createGovStory()
  const run = await startCrossed(chain, [{}, {}])
  onTestFinished(run.stop)
  await run.reached(chain.tip)
  const requests = run.nodes.flatMap((node) => node.requests)
  expect([...new Set(requests.map(({ method }) => method))].sort()).toEqual(READING_METHODS)
  const paths = new Set(requests.map(({ path }) => path).filter((path) => path !== ''))
  expect(paths.size).toBeGreaterThan(5)
  const others = [...paths].filter((path) => !READING_PATHS.some((known) => known.test(path)))
  expect(others).toEqual([])
})
