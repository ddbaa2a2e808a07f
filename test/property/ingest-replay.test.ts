// Property test that any history gives the same bytes in every run.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ingestToTip, readRecordTexts } from '../support/chain/ingest-run.ts'
import { createMemoryChain, type MemoryChain } from '../support/chain/memory-chain.ts'
import { openMemoryLog } from '../support/log/memory-log.ts'
import type { BlockSketch, EventSketch } from '../support/simulator/blocks.ts'
import {
  delegateTx,
  endEvent,
  submitTx,
  voteEvent,
  voteTx,
} from '../support/simulator/gov-events.ts'

const id = fc.constantFrom('1', '2', '3')
const voter = fc.constantFrom('alice', 'bob', 'one', 'two')
const tx = fc.oneof(
  id.map((each) => submitTx(each)),
  fc.tuple(id, voter, fc.integer({ min: 0, max: 5 })).map(([a, b, c]) => voteTx(a, b, c)),
  voter.map((each) => delegateTx(each)),
  fc.constant({ events: [['proposal_vote', { option: '?' }]] satisfies EventSketch[] }),
)
const end = fc.oneof(
  fc
    .tuple(id, fc.constantFrom('proposal_passed', 'expedited_proposal_rejected', 'odd'))
    .map(([each, result]) => endEvent(each, result)),
  fc.tuple(id, voter).map(([each, who]) => voteEvent(each, who)),
)
/** Unbonds shares of alice and bob in another pool. No event names them. */
const slash: EventSketch = ['slash', { address: 'cosmosvalcons1x', reason: 'double_sign' }]
const block = fc.record({
  begin: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, fc.constant([slash])),
  txs: fc.array(tx, { maxLength: 3 }),
  end: fc.array(end, { maxLength: 2 }),
})
const history = fc.array(fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, block), {
  minLength: 1,
  maxLength: 40,
})

/** Its node has no proposals: the events say what is open, whatever the state of a real chain would be. */
const createChain = (blocks: readonly BlockSketch[]): MemoryChain => {
  const chain = createMemoryChain()
  const { abciQuery } = chain
  chain.abciQuery = async (query) =>
    /Proposals?$|\/store\//.test(query.path)
      ? { kind: 'pruned', log: 'gone' }
      : await abciQuery(query)
  // A slashing gives no stake to an account without any.
  chain.add({}, (state) => state.delegations.set('bob', new Map([['two', 300n]])))
  for (const sketch of blocks) {
    chain.add(sketch, (state) => {
      state.pools.get('one')!.tokens += BigInt(chain.tip % 3)
      if (!sketch.begin?.length) return
      state.pools.get('two')!.tokens -= 2n
      state.delegations.get('alice')!.set('two', state.pools.get('two')!.tokens / 20n)
      state.delegations.set('bob', new Map([['two', state.pools.get('two')!.tokens]]))
    })
  }
  return chain
}

it('ingest of any history gives the same bytes in every run, with unique IDs, in order', {
  tags: 'ingest:same-bytes',
}, async () => {
  await fc.assert(
    fc.asyncProperty(history, async (blocks) => {
      const [first, second] = [openMemoryLog(), openMemoryLog()]
      const events = await ingestToTip(createChain(blocks), first)
      await ingestToTip(createChain(blocks), second)
      expect(await readRecordTexts(second)).toEqual(await readRecordTexts(first))
      const positions = events.map(({ height, index }) => height * 2 ** 32 + index)
      expect(new Set(events.map((event) => event.id)).size).toBe(events.length)
      expect(positions).toEqual(positions.toSorted((a, b) => a - b))
    }),
    { numRuns: 60 },
  )
})
