// Tests which events are facts of x/gov, and which belong to other modules with the same types.
import { describe, expect, it } from 'vitest'
import { derive } from '../../../../ingest/derive/derive.ts'
import { createBlock } from '../../../support/chain/decoded-block.ts'
import { account } from '../../../support/simulator/addresses.ts'
import type { BlockSketch, EventSketch } from '../../../support/simulator/blocks.ts'
import { endEvent, optionJson } from '../../../support/simulator/gov-events.ts'
import { encodeTx, voteMessage } from '../../../support/simulator/txs.ts'

const facts = (sketch: BlockSketch) => derive(createBlock(10, sketch)).facts
const kinds = (sketch: BlockSketch) =>
  facts(sketch).map((fact) => `${fact.kind} ${'proposalId' in fact ? fact.proposalId : ''}`)

const alice = account('alice')
const YES_046 = 'option:VOTE_OPTION_YES weight:"1.000000000000000000"'

describe('an event of another module with the type of a governance event', () => {
  const sender = { module: 'committee', sender: alice }
  const YES = optionJson(1)
  it.each<[string, EventSketch[]]>([
    [
      'a vote in a committee',
      [['proposal_vote', { committee_id: '1', proposal_id: '7', vote: '1' }]],
    ],
    ['a vote with ballots', [['proposal_vote', { proposal_id: '7', voter: alice }]]],
    ['a vote without a proposal', [['proposal_vote', { option: YES, voter: alice }]]],
    [
      'a vote with an option and a group',
      [['proposal_vote', { proposal_id: '7', voter: alice, option: YES, group_id: '2' }]],
    ],
    [
      'a vote that names its module after it',
      [
        ['proposal_vote', { proposal_id: '7', option: YES }],
        ['message', sender],
      ],
    ],
    ['a deposit without an amount', [['proposal_deposit', { proposal_id: '5', depositor: alice }]]],
    [
      'a refund that failed',
      [['proposal_deposit', { proposal_id: '5', proposal_deposit_error: 'x', error: 'y' }]],
    ],
    ['a deposit in a DAO', [['proposal_deposit', { proposal_id: '5', amount: '1a', dao: 'x' }]]],
    ['a submission with a title', [['submit_proposal', { proposal_id: '5', proposal_title: 'x' }]]],
    [
      'a submission that names its module after it',
      [
        ['submit_proposal', { proposal_id: '5', msg_index: '0' }],
        ['message', { ...sender, msg_index: '0' }],
      ],
    ],
    ['a canceled order', [['cancel_proposal', { proposal_id: '7', proposer: alice }]]],
    ['an end in a transaction', [endEvent('7', 'proposal_passed')]],
    ['an unrelated event', [['submit_proposal', { contract: 'z' }]]],
  ])('is ignored: %s', (_, events) => {
    expect(facts({ txs: [{ events }] })).toEqual([])
  })

  it.each<[string, EventSketch]>([
    ['no result', ['active_proposal', { proposal_id: '7' }]],
    [
      'a contract',
      ['inactive_proposal', { proposal_id: '7', proposal_result: 'x', contract: 'y' }],
    ],
  ])('ends no proposal in an end block: %s', (_, event) => {
    expect(facts({ end: [event] })).toEqual([])
  })

  it('does not hide the voter of a vote in the same transaction', () => {
    const vote: EventSketch = ['proposal_vote', { proposal_id: '7', option: YES_046 }]
    const foreign: EventSketch = ['proposal_vote', { proposal_id: '7', dao: 'x' }]
    const tx = { bytes: encodeTx(voteMessage('7', alice)), events: [foreign, vote, foreign] }
    expect(facts({ txs: [tx] })).toMatchObject([{ kind: 'vote_cast', voter: alice }])
  })
})

describe('an event of x/gov', () => {
  it.each<[string, EventSketch[]]>([
    [
      'beside the first event of the next message',
      [
        ['proposal_vote', { proposal_id: '7', option: YES_046, voter: alice, msg_index: '0' }],
        ['message', { action: '/x.MsgY', module: 'x', sender: alice, msg_index: '1' }],
      ],
    ],
    [
      'before another message of the contract that voted',
      [
        ['proposal_vote', { proposal_id: '7', option: YES_046, voter: alice, msg_index: '0' }],
        ['message', { module: 'wasm', sender: alice, msg_index: '0' }],
      ],
    ],
    [
      'with the hash of its transaction, on Shentu',
      [['proposal_vote', { proposal_id: '7', option: YES_046, voter: alice, txhash: 'ab' }]],
    ],
    [
      'through interchain accounts',
      [['proposal_vote', { proposal_id: '7', option: YES_046, voter: alice, ica_msg_index: '0' }]],
    ],
  ])('counts %s', (_, events) => {
    expect(kinds({ txs: [{ events }] })).toEqual(['vote_cast 7'])
  })
})
