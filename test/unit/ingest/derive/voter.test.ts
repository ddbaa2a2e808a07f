// Tests the voter of a vote in every SDK version.
import { describe, expect, it } from 'vitest'
import { derive } from '../../../../ingest/derive/derive.ts'
import { createBlock } from '../../../support/chain/decoded-block.ts'
import { account } from '../../../support/simulator/addresses.ts'
import type { BlockSketch, EventSketch } from '../../../support/simulator/blocks.ts'
import {
  encodeTx,
  encodeTxWithMemo,
  execMessage,
  legacyWeightedVote,
  voteMessage,
} from '../../../support/simulator/txs.ts'

const facts = (sketch: BlockSketch) => derive(createBlock(10, sketch)).facts

const alice = account('alice')
const YES_045 = '{"option":1,"weight":"1.000000000000000000"}'
const YES_046 = 'option:VOTE_OPTION_YES weight:"1.000000000000000000"'

describe('the voter', () => {
  const voters = (sketch: BlockSketch) =>
    facts(sketch).map((fact) => (fact.kind === 'vote_cast' ? fact.voter : fact.kind))

  it('has the canonical address, also if the transaction spells it in capital letters', () => {
    const capitals = alice.toUpperCase()
    const vote: EventSketch = ['proposal_vote', { option: YES_045, proposal_id: '7' }]
    const named: EventSketch = [
      'proposal_vote',
      { option: YES_045, proposal_id: '7', voter: capitals },
    ]
    const sender: EventSketch = ['message', { module: 'governance', sender: capitals }]
    const bytes = encodeTx(voteMessage('7', capitals))
    expect(voters({ txs: [{ events: [vote, sender] }] })).toEqual([alice])
    expect(voters({ txs: [{ events: [named] }] })).toEqual([alice])
    expect(voters({ txs: [{ bytes, events: [vote] }] })).toEqual([alice])
  })

  it('is the sender of the governance message after it in SDK 0.45', () => {
    const vote = (sender: string): EventSketch[] => [
      ['proposal_vote', { option: YES_045, proposal_id: '7' }],
      ['message', { module: 'governance', sender }],
    ]
    const events = [...vote(alice), ...vote(account('bob'))]
    expect(voters({ txs: [{ events }] })).toEqual([alice, account('bob')])
  })

  it('is the granter in an authz vote of SDK 0.45, and not the signer', () => {
    const events: EventSketch[] = [
      ['message', { action: '/cosmos.authz.v1beta1.MsgExec', sender: account('grantee') }],
      ['proposal_vote', { option: YES_045, proposal_id: '7', authz_msg_index: '0' }],
      ['message', { module: 'governance', sender: alice, authz_msg_index: '0' }],
    ]
    expect(voters({ txs: [{ events }] })).toEqual([alice])
  })

  it('is not taken from a message of another module', () => {
    const events: EventSketch[] = [
      ['proposal_vote', { option: YES_045, proposal_id: '7' }],
      ['message', { action: '/cosmos.bank.v1beta1.MsgSend', module: 'bank', sender: alice }],
    ]
    expect(voters({ txs: [{ events }] })).toEqual([null])
  })

  it('is decoded from the transaction in SDK 0.47.0–0.47.4, also inside authz', () => {
    const bob = account('bob')
    const bytes = encodeTx(
      voteMessage('7', alice),
      execMessage(
        account('grantee'),
        legacyWeightedVote('8', bob, [{ option: 1, weight: '500000000000000000' }]),
      ),
    )
    const events: EventSketch[] = [
      ['proposal_vote', { option: YES_046, proposal_id: '7' }],
      ['message', { action: '/cosmos.gov.v1.MsgVote', sender: alice }],
      [
        'proposal_vote',
        { option: 'option:VOTE_OPTION_YES weight:"0.500000000000000000"', proposal_id: '8' },
      ],
    ]
    expect(voters({ txs: [{ events, bytes }] })).toEqual([alice, bob])
  })

  it('is null with the reason if events and messages of the transaction do not match', () => {
    const bytes = encodeTx(voteMessage('7', alice))
    const events: EventSketch[] = [
      ['proposal_vote', { option: YES_046, proposal_id: '7' }],
      ['proposal_vote', { option: YES_046, proposal_id: '7' }],
    ]
    expect(facts({ txs: [{ events, bytes }] })).toMatchObject([
      { voter: null, voterReason: expect.stringContaining('do not match') },
      { voter: null, voterReason: expect.stringContaining('do not match') },
    ])
  })

  it('is null with the reason if no transaction voted', () => {
    const vote: EventSketch = ['proposal_vote', { option: YES_046, proposal_id: '7' }]
    expect(facts({ begin: [vote] })).toMatchObject([
      { voter: null, voterReason: expect.stringContaining('no transaction') },
    ])
  })
})

describe('the words beside a vote', () => {
  const vote = (voter: string, proposalId = '7'): EventSketch => [
    'proposal_vote',
    { option: YES_046, proposal_id: proposalId, voter },
  ]
  const reasons = (bytes: Uint8Array, ...events: EventSketch[]) =>
    facts({ txs: [{ events, bytes }] }).map((fact) =>
      fact.kind === 'vote_cast' ? fact.reason : fact.kind,
    )

  it('are not those of another vote: a contract or a group has only the memo', () => {
    const contract = account('contract')
    const bytes = encodeTxWithMemo('m', [voteMessage('7', alice, 1, 'mine')])
    expect(reasons(bytes, vote(contract), vote(alice))).toEqual([
      { memo: 'm' },
      { metadata: 'mine', memo: 'm' },
    ])
    const twice = encodeTx(voteMessage('7', alice, 1, 'a'), voteMessage('7', alice, 1, 'b'))
    expect(reasons(twice, vote(contract), vote(alice), vote(alice))).toEqual(
      Array(3).fill(undefined),
    )
    expect(reasons(twice, vote(alice), vote(alice))).toEqual([{ metadata: 'a' }, { metadata: 'b' }])
  })
})
