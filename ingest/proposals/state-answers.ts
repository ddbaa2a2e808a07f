// Reads proposals after a block, as answers for the planner: those that it asks for, and the list of x/gov.
import { isAbsent, isKnown, unavailable } from '../chain/answer.ts'
import { openProposalsAt } from '../chain/gov.ts'
import type { GovNode } from '../chain/gov-reader.ts'
import type { StateAt } from '../chain/state-at.ts'
import type { DraftHeight } from '../heights/plan.ts'
import type { StateAnswer, StateAnswers } from './state-check.ts'

/** A missing proposal differs from a missing state, and from one about which endpoints disagree. */
const toStateAnswer = async (after: StateAt, proposalId: string): Promise<StateAnswer> => {
  const answer = await after.proposal(proposalId)
  if (isKnown(answer)) return { value: answer.value.proposal }
  if (answer.absence === 'contradicted') return { contradicted: true }
  const isConfirmed = answer.absence === 'confirmed'
  return isAbsent(answer) ? { deleted: true, isConfirmed } : unavailable(answer.unavailable)
}

/** With each proposal of the list. One that is open, but not in the list, is read for itself: from more than one endpoint. */
export const readStates = async (
  node: GovNode,
  after: StateAt,
  { asks, isListDue, open }: Pick<DraftHeight, 'asks' | 'isListDue' | 'open'>,
): Promise<StateAnswers> => {
  const answers = new Map<string, StateAnswer>()
  if (isListDue) {
    const listed = await openProposalsAt(node, after.height)
    for (const { proposal } of isKnown(listed) ? listed.value : []) {
      answers.set(proposal.proposalId, { value: proposal })
    }
  }
  const unlisted = isListDue ? open.filter((id) => !answers.has(id)) : []
  const wanted = [...new Set([...asks, ...unlisted])]
  const read = await Promise.all(wanted.map((id) => toStateAnswer(after, id)))
  // In one order, whichever comes first.
  for (const [at, answer] of read.entries()) answers.set(wanted[at] ?? '', answer)
  return answers
}
