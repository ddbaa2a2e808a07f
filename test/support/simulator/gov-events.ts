// ABCI events of governance in the format of SDK 0.50 and later, for tests that do not depend on the era.
import { account } from './addresses.ts'
import type { EventSketch, TxSketch } from './blocks.ts'

const WHOLE = '1.000000000000000000'

export const optionJson = (option: number, weight = WHOLE): string =>
  JSON.stringify([{ option, weight }])

export const voteEvent = (id: string, voter: string, option = 1): EventSketch => [
  'proposal_vote',
  { voter: account(voter), option: optionJson(option), proposal_id: id, msg_index: '0' },
]

export const voteTx = (id: string, voter: string, option = 1): TxSketch => ({
  events: [voteEvent(id, voter, option)],
})

export const submitTx = (id: string, startsVoting = true): TxSketch => ({
  events: [
    [
      'submit_proposal',
      { proposal_id: id, proposal_proposer: account('proposer'), proposal_messages: '' },
    ],
    ['proposal_deposit', { depositor: account('proposer'), amount: '10stake', proposal_id: id }],
    ...(startsVoting
      ? [['submit_proposal', { voting_period_start: id }] satisfies EventSketch]
      : []),
  ],
})

export const endEvent = (id: string, result: string, log = result): EventSketch => [
  'active_proposal',
  { proposal_id: id, proposal_result: result, proposal_log: log, mode: 'EndBlock' },
]

export const delegateTx = (delegator: string, amount = '5stake'): TxSketch => ({
  events: [
    ['delegate', { validator: 'cosmosvaloper1x', delegator: account(delegator), amount }],
    ['message', { sender: account(delegator) }],
  ],
})
