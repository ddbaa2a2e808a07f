// What is read at a height, decided from its block and from the votes that were open before it.
import { expect, it } from 'vitest'
import { createOpenProposals } from '../../../ingest/open-proposals.ts'
import { createPlanner } from '../../../ingest/plan.ts'
import { account } from '../../support/addresses.ts'
import { blockOf, type TxSketch } from '../../support/blocks.ts'
import { delegateTx, submitTx, voteTx } from '../../support/gov-events.ts'

const cancelTx: TxSketch = {
  events: [['cancel_proposal', { sender: account('proposer'), proposal_id: '1' }]],
}

it('reads the pools in the block that cancels the only open vote and moves stake', () => {
  const plan = createPlanner(createOpenProposals(), undefined)
  const planned = [[submitTx('1'), voteTx('1', 'alice')], [delegateTx('alice'), cancelTx], []].map(
    (txs, at) => plan({ block: blockOf(at + 1, { txs }), tip: 3 }),
  )
  expect(planned.map(({ observe }) => observe)).toEqual(['all_pools', 'changed_pools', 'nothing'])
})
