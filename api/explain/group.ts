// Explains proposals of x/group, and their execution.
import { addressDetail, codeDetail, detailsOf, optional, textDetail } from './details.ts'
import type { Explainer } from './explainer.ts'
import { listOf, textOf, wholeOf } from './members.ts'
import { countText, nestedDetails } from './nested.ts'

export const explainGroupProposal: Explainer = (message, at) => {
  const policy = textOf(message, 'group_policy_address')
  if (policy === undefined) return undefined
  const messages = listOf(message, 'messages')
  const content = messages.length === 0 ? 'without messages' : `with ${countText(messages)}`
  const proposers = listOf(message, 'proposers').filter((each) => typeof each === 'string')
  return {
    title: 'Group proposal',
    summary: `Submits a proposal ${content} to a group, which decides about it.`,
    details: detailsOf(
      addressDetail('Group policy', policy),
      proposers.map((proposer) => addressDetail('Proposer', proposer)),
      optional(textDetail, 'Title', textOf(message, 'title')),
      optional(textDetail, 'Summary', textOf(message, 'summary')),
      nestedDetails(messages, at),
    ),
  }
}

export const explainGroupExec: Explainer = (message) => {
  const id = wholeOf(message, 'proposal_id')
  if (id === undefined) return undefined
  return {
    title: 'Execution of a group proposal',
    summary: `Executes the proposal ${id} of a group, if the group has accepted it.`,
    details: detailsOf(
      codeDetail('Group proposal', id),
      optional(addressDetail, 'Executor', textOf(message, 'executor')),
    ),
  }
}
