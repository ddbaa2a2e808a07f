// Explains proposals of x/group and their execution.
import { addressesMember, addressMember, codeDetail, textMember } from './details.ts'
import { defineExplainer } from './explainer.ts'
import { getInteger, getList, getText } from './members.ts'
import { countText, nestedDetails } from './nested.ts'

export const GROUP_EXPLAINERS = [
  defineExplainer({
    types: ['/cosmos.group.v1.MsgSubmitProposal'],
    title: 'Group proposal',
    required: { group_policy_address: getText },
    summary: (message) => {
      const messages = getList(message, 'messages')
      const content = messages.length === 0 ? 'without messages' : `with ${countText(messages)}`
      return `Submits a proposal ${content} to a group, which votes on it.`
    },
    details: [
      addressMember('Group policy', 'group_policy_address'),
      addressesMember('Proposer', 'proposers'),
      textMember('Title', 'title'),
      textMember('Summary', 'summary'),
      (message, at) => nestedDetails(getList(message, 'messages'), at),
    ],
  }),
  defineExplainer({
    types: ['/cosmos.group.v1.MsgExec'],
    title: 'Group proposal execution',
    required: { proposal_id: getInteger },
    summary: ({ proposal_id: id }) =>
      `Executes the proposal ${id} of a group, if the group has accepted it.`,
    details: [
      ({ proposal_id: id }) => codeDetail('Group proposal', id),
      addressMember('Executor', 'executor'),
    ],
  }),
]
