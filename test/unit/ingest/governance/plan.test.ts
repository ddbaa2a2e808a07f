// Tests which state is read at a height, from its block and the votes that were open before it.
import { describe, expect, it } from 'vitest'
import { account } from '../../../../infra/app/chain/addresses.ts'
import type { BlockSketch, TxSketch } from '../../../../infra/app/chain/blocks.ts'
import { delegateTx, endEvent, submitTx, voteTx } from '../../../../infra/app/chain/gov-events.ts'
import type { SourcedBlock } from '../../../../ingest/comet/node.ts'
import { deriveFacts } from '../../../../ingest/derive/derive.ts'
import { planFact } from '../../../../ingest/governance/governance.ts'
import { createPlanner } from '../../../../ingest/governance/plan.ts'
import { createBlock } from '../../../support/chain/decoded-block.ts'
import { createPlannedState } from '../../../support/chain/planned-state.ts'

/** Plans each block without answers of the state. */
const createPlan = () => {
  const planner = createPlanner(createPlannedState(), undefined)
  return (sourced: SourcedBlock) => planner.plan(planner.draft(sourced))
}

const cancelTx: TxSketch = {
  events: [['cancel_proposal', { sender: account('proposer'), proposal_id: '1' }]],
}

it('reads the pools in the block that cancels the only open vote and moves stake', () => {
  const plan = createPlan()
  const planned = [[submitTx('1'), voteTx('1', 'alice')], [delegateTx('alice'), cancelTx], []].map(
    (txs, at) => plan({ block: createBlock(at + 1, { txs }), tip: 3 }),
  )
  expect(planned.map(({ observe }) => observe)).toEqual(['all_pools', 'changed_pools', 'nothing'])
})

it('reads the parameters, and no pools, in the block that submits a proposal without starting its vote', () => {
  const plan = createPlan()
  const blocks = [{ txs: [submitTx('1', false)] }, {}]
  const planned = blocks.map((block, at) => plan({ block: createBlock(at + 1, block), tip: 2 }))
  expect(planned.map(({ observesParams }) => observesParams)).toEqual([true, false])
  expect(planned.map(({ observe }) => observe)).toEqual(['nothing', 'nothing'])
})

/** Every fact that released voters: its height, its kind, and the voters. */
const releasedIn = (...sketches: BlockSketch[]) => {
  const planned = createPlannedState()
  const names = ['alice', 'bob', 'carl']
  return sketches.flatMap((sketch, at) =>
    deriveFacts(createBlock(at + 1, sketch))
      .map((fact) => ({ fact, ...planFact(planned, fact, at + 1) }))
      .filter(({ releasedVoters }) => releasedVoters.length > 0)
      .map(({ fact, releasedVoters }) => [
        at + 1,
        fact.kind,
        names.filter((name) => releasedVoters.includes(account(name))),
      ]),
  )
}

describe('the plan of a height', () => {
  const start: BlockSketch = { txs: [submitTx('1'), submitTx('2')] }

  it('releases a voter at the close that ends the last ballot on an open proposal', () => {
    const votes = [voteTx('1', 'alice'), voteTx('2', 'alice'), voteTx('1', 'bob')]
    expect(
      releasedIn(
        start,
        { txs: votes },
        { end: [endEvent('1', 'proposal_passed')] },
        {
          end: [endEvent('2', 'proposal_rejected')],
        },
      ),
    ).toEqual([
      [3, 'closed', ['bob']],
      [4, 'closed', ['alice']],
    ])
  })

  it('releases a voter once if two votes end in one block', () => {
    const votes = [voteTx('1', 'alice'), voteTx('2', 'alice'), voteTx('2', 'bob', 3)]
    const end = [endEvent('1', 'proposal_passed'), endEvent('2', 'proposal_passed')]
    expect(releasedIn(start, { txs: votes }, { end })).toEqual([[3, 'closed', ['alice', 'bob']]])
  })

  it('releases the voters of a restarted, a canceled and a dropped proposal', () => {
    const dropped = ['proposal_id', 'proposal_result'].map((key, at): [string, string] => [
      key,
      ['2', 'proposal_dropped'][at]!,
    ])
    expect(
      releasedIn(
        start,
        { txs: [voteTx('1', 'alice'), voteTx('2', 'carl')] },
        { end: [endEvent('1', 'expedited_proposal_rejected')] },
        { txs: [voteTx('1', 'bob')] },
        { txs: [cancelTx] },
        { end: [['inactive_proposal', dropped] as const] },
      ),
    ).toEqual([
      [3, 'restarted', ['alice']],
      [5, 'canceled', ['bob']],
      [6, 'dropped', ['carl']],
    ])
  })

  it('releases a voter of two rounds with each of them, and never a voter with a failed vote', () => {
    const fallBack: BlockSketch = {
      txs: [voteTx('1', 'alice'), { ...voteTx('1', 'bob'), code: 5 }],
      end: [endEvent('1', 'expedited_proposal_rejected')],
    }
    const again: BlockSketch = { txs: [voteTx('1', 'alice', 3)] }
    const end: BlockSketch = { end: [endEvent('1', 'proposal_passed')] }
    expect(releasedIn(start, fallBack, again, end)).toEqual([
      [2, 'restarted', ['alice']],
      [4, 'closed', ['alice']],
    ])
  })
})
