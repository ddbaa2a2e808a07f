// Explains proposals of x/group and their execution.
import { defineExplainer } from '../explainer.ts'
import {
  address,
  addresses,
  code,
  count,
  either,
  integer,
  nestedMessages,
  sentence,
  text,
} from '../template.ts'

const content = either(sentence`with ${count('messages', 'message')}`, 'without messages')

export const GROUP_EXPLAINERS = [
  defineExplainer({
    types: ['/cosmos.group.v1.MsgSubmitProposal'],
    title: 'Group proposal',
    required: ['group_policy_address'],
    summary: sentence`Submits a proposal ${content} to a group, which votes on it.`,
    details: [
      address('Group policy', 'group_policy_address'),
      addresses('Proposer', 'proposers'),
      text('Title', 'title'),
      text('Summary', 'summary'),
      nestedMessages('messages'),
    ],
  }),
  defineExplainer({
    types: ['/cosmos.group.v1.MsgExec'],
    title: 'Group proposal execution',
    summary: sentence`Executes the proposal ${integer('proposal_id')} of a group, if the group has accepted it.`,
    details: [code('Group proposal', integer('proposal_id')), address('Executor', 'executor')],
  }),
]
