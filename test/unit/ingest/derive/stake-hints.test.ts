// Tests which blocks make ingest read the pools again.
import { describe, expect, it } from 'vitest'
import type { EventSketch } from '../../../../infra/app/chain/blocks.ts'
import { changesPools } from '../../../../ingest/derive/stake-hints.ts'
import { createBlock } from '../../../support/chain/decoded-block.ts'

const withTx = (...events: EventSketch[]) => changesPools(createBlock(5, { txs: [{ events }] }))

describe('a block changes pools', () => {
  it.each([
    ['delegate'],
    ['unbond'],
    ['redelegate'],
    ['cancel_unbonding_delegation'],
    ['create_validator'],
    ['edit_validator'],
    ['tokenize_shares'],
  ])('if a transaction has a %s event', (type) => {
    expect(withTx([type, {}])).toBe(true)
  })

  it('if a validator is slashed or jailed in its begin block', () => {
    const begin: EventSketch[] = [['slash', { reason: 'missing_signature', jailed: 'x' }]]
    expect(changesPools(createBlock(5, { begin }))).toBe(true)
  })

  it('if a validator is unjailed, in every form of the message type', () => {
    expect(withTx(['message', { action: '/cosmos.slashing.v1beta1.MsgUnjail' }])).toBe(true)
    expect(withTx(['message', { action: 'unjail' }])).toBe(true)
  })

  it('if the validator set changes without an event', () => {
    expect(changesPools(createBlock(5, { changesValidators: true }))).toBe(true)
  })

  it('but not if it has only votes, transfers and deposits', () => {
    expect(
      withTx(
        ['proposal_vote', { proposal_id: '1' }],
        ['transfer', { amount: '5stake' }],
        ['message', { action: '/cosmos.gov.v1.MsgVote' }],
        ['withdraw_rewards', { validator: 'cosmosvaloper1x' }],
      ),
    ).toBe(false)
  })
})
