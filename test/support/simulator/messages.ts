// Messages of staking and governance with their events, and events of the end of a block, as SDK 0.50 writes them.
import { account, operator } from './addresses.ts'
import type { EventSketch, TxSketch } from './blocks.ts'
import type { Ending, SimProposal } from './keepers/governance.ts'
import type { WeightedVote } from './keepers/tally.ts'
import { encodeTx, execMessage, submitMessage, voteMessage } from './txs.ts'

export type Message = {
  action: string
  sender: string
  events: readonly EventSketch[]
  /** The message of the transaction; absent if no test decodes it. */
  bytes?: ReturnType<typeof voteMessage>
}

const coins = (tokens: bigint): string => `${tokens}stake`

const withAttributes = (
  [type, attributes]: EventSketch,
  more: readonly (readonly [string, string])[],
): EventSketch => {
  const listed = Array.isArray(attributes) ? attributes : Object.entries(attributes)
  return [type, [...(listed as (readonly [string, string])[]), ...more]]
}

const feeEvents = (sender: string): EventSketch[] => [
  ['coin_spent', { spender: sender, amount: '12stake' }],
  ['tx', { fee: '12stake', fee_payer: sender }],
]

/** A failed transaction keeps only the events of its fee. */
export const createTx = (...messages: readonly Message[]): TxSketch => {
  const parts = messages.flatMap(({ bytes }) => bytes ?? [])
  return {
    ...(parts.length === messages.length ? { bytes: encodeTx(...parts) } : {}),
    events: [
      ...feeEvents(account(messages[0]?.sender ?? 'outsider')),
      ...messages.flatMap(({ action, sender, events }, index) => {
        const [, module = ''] = action.split('.')
        const own: EventSketch = ['message', { action, sender: account(sender), module }]
        return [own, ...events].map((event) => withAttributes(event, [['msg_index', `${index}`]]))
      }),
    ],
  }
}

const rewards = (delegator: string, validator: string): EventSketch => [
  'withdraw_rewards',
  { amount: '7stake', validator: operator(validator), delegator: account(delegator) },
]

export const delegateEvents = (
  delegator: string,
  validator: string,
  tokens: bigint,
): EventSketch[] => [
  rewards(delegator, validator),
  [
    'delegate',
    {
      validator: operator(validator),
      delegator: account(delegator),
      amount: coins(tokens),
      new_shares: `${tokens}.000000000000000000`,
    },
  ],
]

export const delegateMessage = (delegator: string, validator: string, tokens: bigint): Message => ({
  action: '/cosmos.staking.v1beta1.MsgDelegate',
  sender: delegator,
  events: delegateEvents(delegator, validator, tokens),
})

export const undelegateMessage = (
  delegator: string,
  validator: string,
  tokens: bigint,
): Message => ({
  action: '/cosmos.staking.v1beta1.MsgUndelegate',
  sender: delegator,
  events: [
    rewards(delegator, validator),
    [
      'unbond',
      {
        validator: operator(validator),
        amount: coins(tokens),
        delegator: account(delegator),
        completion_time: '2026-02-01T00:00:00Z',
      },
    ],
  ],
})

/** Contains the delegator only as the sender of the message. */
export const redelegateMessage = (
  delegator: string,
  { from, to, tokens }: { from: string; to: string; tokens: bigint },
): Message => ({
  action: '/cosmos.staking.v1beta1.MsgBeginRedelegate',
  sender: delegator,
  events: [
    [
      'redelegate',
      {
        source_validator: operator(from),
        destination_validator: operator(to),
        amount: coins(tokens),
        completion_time: '2026-02-01T00:00:00Z',
      },
    ],
  ],
})

export const createValidatorMessage = (name: string, tokens: bigint): Message => ({
  action: '/cosmos.staking.v1beta1.MsgCreateValidator',
  sender: name,
  events: [['create_validator', { validator: operator(name), amount: coins(tokens) }]],
})

/** Only the message reports it: no event of staking or slashing does. */
export const unjailMessage = (name: string): Message => ({
  action: '/cosmos.slashing.v1beta1.MsgUnjail',
  sender: name,
  events: [],
})

const consensusAddress = (name: string): string => account(`consensus key of ${name}`)

/** Neither contains the validator's operator. */
export const slashEvents = (
  name: string,
  { reason, burned }: { reason: 'missing_signature' | 'double_sign'; burned: bigint },
): EventSketch[] => {
  const address = consensusAddress(name)
  const slashed = { address, power: '1', reason }
  if (reason === 'missing_signature') {
    return [['slash', { ...slashed, jailed: address, burned: coins(burned) }]]
  }
  return [
    ['slash', { ...slashed, burned: coins(burned) }],
    ['slash', { jailed: address }],
  ]
}

const optionText = (options: WeightedVote): string => JSON.stringify(options)

export const voteEvent = (id: string, voter: string, options: WeightedVote): EventSketch => [
  'proposal_vote',
  { voter: account(voter), option: optionText(options), proposal_id: id },
]

export const createVoteMessage = (id: string, voter: string, options: WeightedVote): Message => ({
  action: '/cosmos.gov.v1.MsgVote',
  sender: voter,
  events: [voteEvent(id, voter, options)],
  ...(options.length === 1
    ? { bytes: voteMessage(id, account(voter), options[0]?.option ?? 0) }
    : {}),
})

/** The voter is the granter, not the signer. Nested twice, so the index occurs twice. */
export const votedByGrantee = (
  grantee: string,
  { id, voter, options }: { id: string; voter: string; options: WeightedVote },
): Message => ({
  action: '/cosmos.authz.v1beta1.MsgExec',
  sender: grantee,
  events: [
    withAttributes(voteEvent(id, voter, options), [
      ['authz_msg_index', '0'],
      ['authz_msg_index', '0'],
    ]),
  ],
  bytes: execMessage(account(grantee), voteMessage(id, account(voter), options[0]?.option ?? 0)),
})

export const createSubmitMessage = (
  proposal: SimProposal,
  { startsVoting }: { startsVoting: boolean },
): Message => {
  const { id, proposer, messages } = proposal
  const types = messages.map(({ typeUrl }) => `,${typeUrl}`).join('')
  return {
    action: '/cosmos.gov.v1.MsgSubmitProposal',
    sender: proposer,
    events: [
      [
        'submit_proposal',
        { proposal_id: id, proposal_proposer: account(proposer), proposal_messages: types },
      ],
      ['coin_spent', { spender: account(proposer), amount: coins(proposal.deposit) }],
      [
        'proposal_deposit',
        { depositor: account(proposer), amount: coins(proposal.deposit), proposal_id: id },
      ],
      ...(startsVoting
        ? [['submit_proposal', { voting_period_start: id }] satisfies EventSketch]
        : []),
    ],
    bytes: submitMessage(proposal.title, account(proposer), [...messages]),
  }
}

export const depositMessage = (id: string, depositor: string, tokens: bigint): Message => ({
  action: '/cosmos.gov.v1.MsgDeposit',
  sender: depositor,
  events: [
    ['proposal_deposit', { depositor: account(depositor), amount: coins(tokens), proposal_id: id }],
    ['proposal_deposit', { voting_period_start: id }],
  ],
})

export const cancelMessage = (id: string, sender: string): Message => ({
  action: '/cosmos.gov.v1.MsgCancelProposal',
  sender,
  events: [['cancel_proposal', { sender: account(sender), proposal_id: id }]],
})

const RESULTS = {
  passed: ['proposal_passed', 'passed'],
  rejected: ['proposal_rejected', 'rejected'],
  restarted: ['expedited_proposal_rejected', 'expedited proposal converted to regular'],
} as const

/** How a deposit period or a round ended. */
export const endEvent = ({ kind, proposal: { id } }: Ending): EventSketch => {
  if (kind === 'dropped') {
    return ['inactive_proposal', { proposal_id: id, proposal_result: 'proposal_dropped' }]
  }
  const [result, log] = RESULTS[kind]
  return ['active_proposal', { proposal_id: id, proposal_result: result, proposal_log: log }]
}
