// Tests every governance event of every SDK version, and events of other modules that look like one.
import { describe, expect, it } from 'vitest'
import { derive } from '../../../../ingest/derive/derive.ts'
import { stakeAfterTally } from '../../../../ingest/derive/moved-stake.ts'
import { createBlock } from '../../../support/chain/decoded-block.ts'
import { account, operator } from '../../../support/simulator/addresses.ts'
import type { BlockSketch, EventSketch, TxSketch } from '../../../support/simulator/blocks.ts'
import { endEvent, optionJson, voteEvent, voteTx } from '../../../support/simulator/gov-events.ts'
import {
  encodeTx,
  encodeTxWithMemo,
  execMessage,
  legacyWeightedVote,
  voteMessage,
} from '../../../support/simulator/txs.ts'

const facts = (sketch: BlockSketch) => derive(createBlock(10, sketch)).facts
const kinds = (sketch: BlockSketch) =>
  facts(sketch).map((fact) => `${fact.kind} ${'proposalId' in fact ? fact.proposalId : ''}`)

const alice = account('alice')
const bob = account('bob')
const YES_045 = '{"option":1,"weight":"1.000000000000000000"}'
const YES_046 = 'option:VOTE_OPTION_YES weight:"1.000000000000000000"'

describe('a submitted proposal', () => {
  it.each<[string, EventSketch[], string[]]>([
    [
      'SDK 0.45, voting at once',
      [
        ['submit_proposal', { proposal_id: '7' }],
        ['proposal_deposit', { amount: '10stake', proposal_id: '7' }],
        ['submit_proposal', { proposal_type: 'Text', voting_period_start: '7' }],
      ],
      ['submitted 7', 'deposited 7', 'voting_started 7'],
    ],
    [
      'SDK 0.50.6 and later',
      [
        [
          'submit_proposal',
          { proposal_id: '7', proposal_proposer: alice, proposal_messages: '', msg_index: '0' },
        ],
        ['coin_spent', { spender: alice, amount: '10stake', msg_index: '0' }],
        ['proposal_deposit', { depositor: alice, amount: '10stake', proposal_id: '7' }],
        ['submit_proposal', { voting_period_start: '7', msg_index: '0' }],
      ],
      ['submitted 7', 'deposited 7', 'voting_started 7'],
    ],
  ])('is reported with its deposit and its start: %s', (_, events, expected) => {
    expect(kinds({ txs: [{ events }] })).toEqual(expected)
  })
})

describe('a deposit', () => {
  it('starts the vote with a second event, which has no proposal_id', () => {
    const events: EventSketch[] = [
      ['proposal_deposit', { depositor: alice, amount: '5stake,7ibc/AB', proposal_id: '7' }],
      ['proposal_deposit', { voting_period_start: '7' }],
    ]
    expect(kinds({ txs: [{ events }] })).toEqual(['deposited 7', 'voting_started 7'])
  })
})

describe('votes of one block', () => {
  it('are reported in every phase, without a transaction hash outside of transactions', {
    tags: 'ingest:every-vote-counts',
  }, () => {
    const sketch = {
      begin: [voteEvent('7', 'alice')],
      txs: [voteTx('7', 'bob')],
      end: [voteEvent('7', 'carol')],
    }
    expect(facts(sketch)).toMatchObject([
      { kind: 'vote_cast', txIndex: null },
      { kind: 'vote_cast', txIndex: 0 },
      { kind: 'vote_cast', txIndex: null },
    ])
  })

  it('are read from nested authz, which has its index twice in one event', {
    tags: 'ingest:every-vote-counts',
  }, () => {
    const vote: EventSketch = [
      'proposal_vote',
      [
        ['voter', alice],
        ['option', optionJson(1)],
        ['proposal_id', '7'],
        ['authz_msg_index', '0'],
        ['authz_msg_index', '1'],
        ['msg_index', '0'],
      ],
    ]
    expect(facts({ txs: [{ events: [vote] }] })).toMatchObject([{ voter: alice, counted: true }])
  })

  it('of a failed transaction are ignored', () => {
    expect(facts({ txs: [{ ...voteTx('7', 'alice'), code: 5 }] })).toEqual([])
  })
})

describe('an end block', () => {
  const counted = (sketch: BlockSketch) =>
    facts(sketch)
      .filter((fact) => fact.kind === 'vote_cast')
      .map((fact) => fact.counted)

  it('does not count the vote of a passed proposal on itself', () => {
    expect(counted({ end: [voteEvent('7', 'gov'), endEvent('7', 'proposal_passed')] })).toEqual([
      false,
    ])
  })

  it.each<[string, EventSketch]>([
    ['passed', endEvent('7', 'proposal_passed')],
    ['fell back', endEvent('7', 'expedited_proposal_rejected')],
    [
      'was dropped',
      ['inactive_proposal', { proposal_id: '7', proposal_result: 'proposal_dropped' }],
    ],
  ])(
    'counts a vote before the end of a proposal that %s on one that closes after it',
    { tags: 'ingest:every-vote-counts' },
    (_, earlier) => {
      const end = [voteEvent('8', 'gov'), earlier, endEvent('8', 'proposal_rejected')]
      expect(counted({ end })).toEqual([true])
    },
  )

  it('counts the vote of a proposal on one that stays open', {
    tags: 'ingest:every-vote-counts',
  }, () => {
    expect(counted({ end: [voteEvent('9', 'gov'), endEvent('7', 'proposal_passed')] })).toEqual([
      true,
    ])
  })

  it.each([
    ['proposal_passed', { kind: 'closed', outcome: 'passed' }],
    ['expedited_proposal_rejected', { kind: 'restarted' }],
    ['optimistic_proposal_rejected', { kind: 'restarted' }],
    ['constructor', { kind: 'closed', outcome: 'unknown', result: 'constructor' }],
  ])('keeps the result of the chain: %s', (result, expected) => {
    expect(facts({ end: [endEvent('7', result)] })).toMatchObject([expected])
  })

  it('fails a proposal that the chain keeps but cannot decode', () => {
    const end: EventSketch = [
      'inactive_proposal',
      { proposal_id: '7', proposal_result: 'proposal_failed' },
    ]
    expect(facts({ end: [end] })).toMatchObject([{ kind: 'closed', outcome: 'failed' }])
  })
})

describe('an undecodable event', () => {
  it.each<[string, EventSketch]>([
    ['an ID that is not a number', ['proposal_vote', { option: YES_046, proposal_id: 'seven' }]],
    ['an ID beyond uint64', ['proposal_vote', { option: YES_046, proposal_id: '9'.repeat(20) }]],
    ['an ID of zero', ['submit_proposal', { proposal_id: '0', voting_period_start: '0' }]],
    ['an unknown option format', ['proposal_vote', { option: 'aye', proposal_id: '7' }]],
    ['an invalid amount', ['proposal_deposit', { amount: 'much', proposal_id: '7' }]],
    [
      'two different IDs',
      [
        'proposal_vote',
        [
          ['proposal_id', '7'],
          ['proposal_id', '8'],
          ['option', YES_046],
        ],
      ],
    ],
  ])('is kept with all its attributes and the reason: %s', (_, event) => {
    const [fact] = facts({ txs: [{ events: [event] }] })
    expect(fact).toMatchObject({ kind: 'undecodable', abciType: event[0] })
    const attributes = Array.isArray(event[1]) ? event[1] : Object.entries(event[1])
    expect(
      fact?.kind === 'undecodable' && fact.attributes.map(({ key, value }) => [key, value]),
    ).toEqual(attributes)
  })
})

describe('an event of another module with the type of a governance event', () => {
  const sender = { module: 'committee', sender: alice }
  const YES = optionJson(1)
  it.each<[string, EventSketch[]]>([
    [
      'a vote in a committee',
      [['proposal_vote', { committee_id: '1', proposal_id: '7', vote: '1' }]],
    ],
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
    ['a deposit in a DAO', [['proposal_deposit', { proposal_id: '5', amount: '1a', dao: 'x' }]]],
    ['a submission with a title', [['submit_proposal', { proposal_id: '5', proposal_title: 'x' }]]],
    ['a canceled order', [['cancel_proposal', { proposal_id: '7', proposer: alice }]]],
    ['an end in a transaction', [endEvent('7', 'proposal_passed')]],
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

describe('the voter', () => {
  const vote = (option: string, more: object = {}): EventSketch => [
    'proposal_vote',
    { option, proposal_id: '7', ...more },
  ]
  const from = (sender: string, more: object = {}): EventSketch => ['message', { sender, ...more }]
  const governance = { module: 'governance' }
  const capitals = alice.toUpperCase()
  const HALF = 'option:VOTE_OPTION_YES weight:"0.500000000000000000"'
  const weighted = legacyWeightedVote('8', bob, [{ option: 1, weight: '500000000000000000' }])

  it.each<[string, (string | null)[], Pick<TxSketch, 'events' | 'bytes'>]>([
    [
      'the sender of the governance message after it, in SDK 0.45',
      [alice, bob],
      { events: [alice, bob].flatMap((each) => [vote(YES_045), from(each, governance)]) },
    ],
    [
      'the granter in an authz vote of SDK 0.45, and not the signer',
      [alice],
      {
        events: [
          from(account('grantee'), { action: '/cosmos.authz.v1beta1.MsgExec' }),
          vote(YES_045, { authz_msg_index: '0' }),
          from(alice, { ...governance, authz_msg_index: '0' }),
        ],
      },
    ],
    [
      'unknown if only a message of another module follows',
      [null],
      { events: [vote(YES_045), from(alice, { action: '/x.MsgY', module: 'bank' })] },
    ],
    [
      'that of the transaction in SDK 0.47.0–0.47.4, also inside authz',
      [alice, bob],
      {
        events: [
          vote(YES_046),
          from(alice, { action: '/cosmos.gov.v1.MsgVote' }),
          vote(HALF, { proposal_id: '8' }),
        ],
        bytes: encodeTx(voteMessage('7', alice), execMessage(account('grantee'), weighted)),
      },
    ],
    [
      'unknown if events and messages of the transaction do not match',
      [null, null],
      { events: [vote(YES_046), vote(YES_046)], bytes: encodeTx(voteMessage('7', alice)) },
    ],
    [
      'canonical, also if the event has capital letters',
      [alice],
      { events: [vote(YES_045, { voter: capitals })] },
    ],
    [
      'canonical, also if the message has capital letters',
      [alice],
      { events: [vote(YES_045), from(capitals, governance)] },
    ],
    [
      'canonical, also if the transaction has capital letters',
      [alice],
      { events: [vote(YES_045)], bytes: encodeTx(voteMessage('7', capitals)) },
    ],
  ])('is %s', (_, voters, tx) => {
    expect(facts({ txs: [tx] })).toMatchObject(
      voters.map((voter) => ({
        kind: 'vote_cast',
        voter,
        voterReason: voter === null ? expect.any(String) : null,
      })),
    )
  })
})

describe('the words beside a vote', () => {
  const vote = (voter: string): EventSketch => [
    'proposal_vote',
    { option: YES_046, proposal_id: '7', voter },
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

it('stake that is redelegated after a tally leaves one pool and comes to another', () => {
  const pools = { source_validator: operator('one'), destination_validator: operator('two') }
  const end = [endEvent('7', 'proposal_passed'), ['redelegate', { ...pools, amount: '5stake' }]]
  const { tokens } = stakeAfterTally(createBlock(10, { end: end as EventSketch[] }), 1)
  expect(tokens).toEqual(
    new Map([
      [operator('one'), -5n],
      [operator('two'), 5n],
    ]),
  )
})
