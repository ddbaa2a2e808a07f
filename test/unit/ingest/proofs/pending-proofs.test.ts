// Tests which proofs and light blocks are due at a height.
import { describe, expect, it } from 'vitest'
import { createGovernance } from '../../../../ingest/heights/governance.ts'
import { createPlanner } from '../../../../ingest/heights/plan.ts'
import { createBlock } from '../../../support/chain/decoded-block.ts'
import type { BlockSketch } from '../../../support/simulator/blocks.ts'
import { endEvent, submitTx } from '../../../support/simulator/gov-events.ts'

/** The due proofs of each height from `from` on. */
const dueIn = async (from: number, ...sketches: BlockSketch[]) => {
  const plan = createPlanner(createGovernance(), undefined)
  const found = []
  for (const [at, sketch] of sketches.entries()) {
    const sourced = { block: createBlock(from + at, sketch), tip: 9 }
    const { dueProofs: due } = await plan(sourced, async () => new Map())
    found.push(
      due && {
        ...due,
        proofs: due.proofs.map(({ proposalId, round }) => `${proposalId}/${round}`),
      },
    )
  }
  return found
}

const cancelTx = (id: string) => ({
  events: [['cancel_proposal', { sender: 'x', proposal_id: id }]] as const,
})
const dropEvent = (id: string, result: string) =>
  ['inactive_proposal', { proposal_id: id, proposal_result: result }] as const

describe('due proofs', () => {
  it('comes two heights after submissions, restarts and closes, once', async () => {
    const due = await dueIn(
      5,
      { txs: [submitTx('1'), submitTx('2')] },
      { end: [endEvent('1', 'expedited_proposal_rejected'), endEvent('2', 'proposal_rejected')] },
      { end: [endEvent('1', 'proposal_passed')] },
      {},
      {},
      {},
    )
    expect(due).toEqual([
      undefined,
      undefined,
      { stateHeight: 5, proofs: ['1/0', '2/0'] },
      { stateHeight: 6, proofs: ['1/1', '2/1'] },
      { stateHeight: 7, proofs: ['1/2'] },
      undefined,
    ])
  })

  it('omits proposals that the chain deletes in the same block, and keeps those deleted later', async () => {
    const due = await dueIn(
      5,
      { txs: [submitTx('1', false), submitTx('2', false), cancelTx('1')] },
      { end: [dropEvent('2', 'proposal_dropped')] },
      {},
      {},
    )
    expect(due).toEqual([undefined, undefined, { stateHeight: 5, proofs: ['2/0'] }, undefined])
  })

  it('omits a proposal that ends without a vote, because its end has no round of its own', async () => {
    const due = await dueIn(5, {}, { end: [dropEvent('3', 'proposal_failed')] }, {}, {})
    expect(due).toEqual([undefined, undefined, undefined, undefined])
  })

  it('has the light block of each height that is a multiple of 100,000', async () => {
    const due = await dueIn(99_999, {}, {}, {}, {})
    expect(due).toEqual([undefined, undefined, { stateHeight: 99_999, proofs: [] }, undefined])
  })
})

describe('due proofs at the start of a log', () => {
  it('has the light block of the first height, and nothing before it', async () => {
    const { proofs } = createGovernance()
    proofs.begin(100_001)
    expect([100_001, 100_002, 100_003].map(proofs.takeDue)).toEqual([
      undefined,
      { stateHeight: 100_000, proofs: [] },
      undefined,
    ])
  })
})
