// Tests which changes of stake came after a tally in the same end block.
import { toBech32 } from '@cosmjs/encoding'
import { describe, expect, it } from 'vitest'
import { stakeAfterTally } from '../../../../ingest/derive/moved-stake.ts'
import { createBlock } from '../../../support/chain/decoded-block.ts'
import { account, operator } from '../../../support/simulator/addresses.ts'
import type { BlockSketch, EventSketch } from '../../../support/simulator/blocks.ts'
import { delegateTx, endEvent } from '../../../support/simulator/gov-events.ts'

const delegate = (delegator: string, pool: string): EventSketch => [
  'delegate',
  { validator: operator(pool), delegator: account(delegator), amount: '5stake' },
]
const refund = (depositor: string): EventSketch => ['transfer', { recipient: account(depositor) }]
const passed = (id: string) => endEvent(id, 'proposal_passed')

const movedAfter = (sketch: BlockSketch, id: string) => {
  const block = createBlock(5, sketch)
  const close = block.events.find(
    ({ type, attributes }) =>
      type === 'active_proposal' && attributes.some(({ value }) => value === id),
  )
  const { pools, accounts } = stakeAfterTally(block, close!.ordinal)
  return { pools: [...pools], accounts: [...accounts] }
}
const nothing = { pools: [], accounts: [] }

describe('stake that moved in an end block', () => {
  it('moved after the tally of the proposal whose messages moved it', () => {
    expect(movedAfter({ end: [delegate('gov', 'one'), passed('1')] }, '1')).toEqual({
      pools: [operator('one')],
      accounts: [account('gov')],
    })
  })

  it.each(['iva', 'crocncl', 'nomic'])(
    'moved in the pool of an operator with the prefix %s',
    (prefix) => {
      const validator = toBech32(prefix, new Uint8Array(20).fill(7))
      const event: EventSketch = ['delegate', { validator, delegator: account('gov') }]
      expect(movedAfter({ end: [event, passed('1')] }, '1')).toEqual({
        pools: [validator],
        accounts: [account('gov')],
      })
    },
  )

  it('moved after the tallies of earlier proposals in the block, and before those of later ones', () => {
    const end = [passed('1'), delegate('gov', 'one'), passed('2'), passed('3')]
    expect(movedAfter({ end }, '1').pools).toEqual([operator('one')])
    expect(movedAfter({ end }, '2').pools).toEqual([operator('one')])
    expect(movedAfter({ end }, '3')).toEqual(nothing)
  })

  it('moved after every tally if another module moved it after the last close', () => {
    const end = [passed('1'), passed('2'), delegate('alice', 'one')]
    for (const id of ['1', '2']) {
      expect(movedAfter({ end }, id)).toEqual({
        pools: [operator('one')],
        accounts: [account('alice')],
      })
    }
  })

  it('excludes moves of txs', () => {
    expect(movedAfter({ txs: [delegateTx('alice')], end: [passed('1')] }, '1')).toEqual(nothing)
  })

  it('excludes a voter who moved stake in a tx and only got a deposit back here', () => {
    const end = [refund('alice'), refund('bob'), delegate('gov', 'one'), passed('1')]
    const { accounts } = movedAfter({ txs: [delegateTx('alice')], end }, '1')
    expect(accounts.sort()).toEqual([account('bob'), account('gov')].sort())
  })
})
