// Responses of any size and any number of values. What is read stays bounded in memory, and an endpoint that sends too much is
// refused by name.
import { afterEach, describe, expect, it } from 'vitest'
import { eventSelection } from '../../ingest/derive/event-selection.ts'
import { type SourceRig, startSourceRig } from '../support/chain/source-rig.ts'
import { type BlockContent, createBlockChain } from '../support/simulator/block-chain.ts'
import type { NodeOptions } from '../support/simulator/nodes/node.ts'

const MIB = 2 ** 20
const UNREAD = '{"type":"x","attributes":[{"key":"a","value":"b","index":true}]},'

const cleanUps: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp()
})

type Alter = NonNullable<NodeOptions['body']>

/** All nodes answer through `alter`. */
const startRig = async (
  nodeCount: number,
  blocks: readonly BlockContent[],
  alter: Alter,
): Promise<SourceRig> => {
  const chain = createBlockChain({ blocks: 5 })
  for (const block of blocks) chain.add(block)
  const rig = await startSourceRig({
    chain,
    nodes: Array.from({ length: nodeCount }, () => ({ body: alter })),
    selection: eventSelection,
    wakeUp: 'none',
    // A busy machine takes long for large answers: no other endpoint is asked meanwhile.
    pool: { hedgeAfterMs: 60_000 },
  })
  cleanUps.unshift(rig.stop)
  return rig
}

/** The most that the heap grows meanwhile. */
const watchHeap = () => {
  const before = process.memoryUsage().heapUsed
  let most = 0
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().heapUsed - before)
  }, 5)
  return () => {
    clearInterval(timer)
    return most
  }
}

const vote: BlockContent = {
  txs: [
    {
      events: [
        {
          type: 'proposal_vote',
          attributes: [
            ['proposal_id', '1'],
            ['option', '{"option":1,"weight":"1.0"}'],
            ['voter', 'cosmos1'],
          ],
        },
      ],
    },
  ],
}

describe('a block with a million events that have no reader', () => {
  it('is delivered with the events that have one, their ordinals and little memory', {
    tags: 'ingest:large-responses-are-bounded',
  }, async () => {
    const batch = UNREAD.repeat(1_000)
    const alter: Alter = function* ({ method, params }, honest) {
      const list = '"finalize_block_events":'
      const at = honest.indexOf(list) + list.length
      if (method !== 'block_results' || params['height'] !== '6') return yield honest
      yield `${honest.slice(0, at)}[`
      for (let sent = 0; sent < 1_000; sent++) yield batch
      yield UNREAD.slice(0, -1)
      yield `]${honest.slice(at + 'null'.length)}`
    }
    const rig = await startRig(1, [vote, {}], alter)
    const mostHeap = watchHeap()
    const following = rig.follow()
    await rig.reached(7)
    expect(mostHeap()).toBeLessThan(200 * MIB)
    const { block } = rig.delivered.find((each) => each.block.height === 6)!
    expect(block.events).toMatchObject([
      { ordinal: 1_000_002, type: 'proposal_vote', phase: 'tx', txIndex: 0 },
    ])
    await rig.end()
    await following
  })
})

describe('an endpoint that sends too much', () => {
  it.each([
    ['status', 'the response is larger than 65536 bytes'],
    ['block', 'the response has more than 1000000 values in one part'],
    ['block_results', 'the response has more than 1000000 values in one part'],
  ])(
    'in a %s is refused by name, and the other one continues',
    {
      tags: 'ingest:large-responses-are-bounded',
    },
    async (bombed, reason) => {
      const batch = '{},'.repeat(100_000)
      let isSent = false
      const alter: Alter = function* ({ id, method }, honest) {
        // Only the endpoint that is asked first.
        if (method !== bombed || isSent) return yield honest
        isSent = true
        yield `{"id":${id},"result":{"x":[`
        for (let sent = 0; sent < 100; sent++) yield batch
        yield '{}]}}'
      }
      const rig = await startRig(2, [vote], alter)
      const following = rig.follow()
      await rig.reached(6)
      const named = rig.lines.filter(({ msg }) => msg === 'endpoint failed')
      expect(named).toMatchObject([{ fault: 'RPC_INVALID_RESPONSE', reason }])
      await rig.end()
      await following
    },
  )
})
