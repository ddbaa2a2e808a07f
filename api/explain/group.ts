// Explains proposals of x/group and their execution.
import { addressDetail, codeDetail, collectDetails, optional, textDetail } from './details.ts'
import type { Explainer } from './explainer.ts'
import { getInteger, getList, getText } from './members.ts'
import { countText, nestedDetails } from './nested.ts'

export const explainGroupProposal: Explainer = (message, at) => {
  const policy = getText(message, 'group_policy_address')
  if (policy === undefined) return undefined
  const messages = getList(message, 'messages')
  const content = messages.length === 0 ? 'without messages' : `with ${countText(messages)}`
  const proposers = getList(message, 'proposers').filter((each) => typeof each === 'string')
  return {
    title: 'Group proposal',
    summary: `Submits a proposal ${content} to a group, which votes on it.`,
    details: collectDetails(
      addressDetail('Group policy', policy),
      proposers.map((proposer) => addressDetail('Proposer', proposer)),
      optional(textDetail, 'Title', getText(message, 'title')),
      optional(textDetail, 'Summary', getText(message, 'summary')),
      nestedDetails(messages, at),
    ),
  }
}

export const explainGroupExec: Explainer = (message) => {
  const id = getInteger(message, 'proposal_id')
  if (id === undefined) return undefined
  return {
    title: 'Group proposal execution',
    summary: `Executes the proposal ${id} of a group, if the group has accepted it.`,
    details: collectDetails(
      codeDetail('Group proposal', id),
      optional(addressDetail, 'Executor', getText(message, 'executor')),
    ),
  }
}
