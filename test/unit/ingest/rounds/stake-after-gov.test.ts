// Tests votes that end in a block in whose end block another module moves stake after x/gov, such as x/epoching of Babylon.
import { expect, it } from 'vitest'
import { ofType } from '../../../support/chain/ingest-run.ts'
import { compareLiveTallies, createChainAt } from '../../../support/chain/live-tallies.ts'
import { createMemoryChain } from '../../../support/chain/memory-chain.ts'
import {
  type Change,
  end,
  ingested,
  NONE,
  quiet,
  type Step,
  start,
  votes,
} from '../../../support/chain/vote-run.ts'
import { account, operator } from '../../../support/simulator/addresses.ts'
import type { EventSketch } from '../../../support/simulator/blocks.ts'
import { voteTx } from '../../../support/simulator/gov-events.ts'

const before = { yes: '75', no: '60', noWithVeto: '490' }

/** The vote ends with the counts of the stake before its end block, which then moves stake. */
const endBefore = (moves: readonly EventSketch[], change: Change): Step => {
  const [sketch, ending] = end(before, {}, change)
  const moved = { ...sketch, end: [...(sketch.end ?? []), ...moves] }
  return ending ? [moved, ending] : [moved]
}

const delegated: EventSketch = [
  'delegate',
  { validator: operator('one'), delegator: account('alice'), amount: '100stake' },
]
const delegate: Change = ({ delegations, pools }) => {
  delegations.get('alice')!.set('one', 150n)
  pools.get('one')!.tokens = 700n
}

/** Names an account and no pool. */
const redeemed: EventSketch = ['redeem_shares', { delegator: account('alice'), amount: '100stake' }]

it('counts the stake before the block of the accounts and pools that its events name', async () => {
  const steps = [[{}] as Step, start(), votes, endBefore([delegated], delegate)]
  const { readings, counts, warnings, alerts, events } = await ingested(steps)
  expect(counts).toEqual([{ ...NONE, ...before }])
  expect([warnings, alerts]).toEqual([[], []])
  expect(readings).toMatchObject([{ complete: true, bondedTokens: '1000' }])
  const [close] = ofType(events, 'rollcall.proposal.closed.v1')
  expect(close?.data.bondedTokens).toBe('1000')
})

it('tries all stake before the block if the events name no pool', async () => {
  const steps = [[{}] as Step, start(), votes, endBefore([redeemed], delegate)]
  const { counts, warnings, alerts } = await ingested(steps)
  expect(counts).toEqual([{ ...NONE, ...before }])
  expect(warnings).toHaveLength(1)
  expect(alerts).toEqual([])
})

it('counts the stake after the block in a vote that stays open', async () => {
  const cast: Step = [{ txs: [...(votes[0].txs ?? []), voteTx('2', 'alice')] }]
  const chain = createMemoryChain()
  const steps = [[{}], start(), start('2'), cast, endBefore([delegated], delegate), ...quiet(6)]
  const { events } = await ingested(steps as Step[], {}, chain)
  const { compared, unknown, differences } = await compareLiveTallies(events, createChainAt(chain))
  // Each at first sight, and the second one 30 seconds later.
  expect([compared, unknown, differences]).toEqual([3, 0, []])
})
