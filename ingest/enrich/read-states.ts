// Reads open proposals for the planner: a missing proposal differs from a missing state.
import { isAbsent, isKnown, unavailable } from '../chain/answer.ts'
import type { StateAt } from '../chain/state-at.ts'
import type { StateAnswer } from '../state-check.ts'

const toStateAnswer = async (after: StateAt, proposalId: string): Promise<StateAnswer> => {
  const answer = await after.proposal(proposalId)
  if (isKnown(answer)) return { value: answer.value.proposal }
  return isAbsent(answer) ? { deleted: true } : unavailable(answer.unavailable)
}

export const readStates = async (
  after: StateAt,
  proposalIds: ReadonlySet<string>,
): Promise<Map<string, StateAnswer>> =>
  new Map(
    await Promise.all(
      [...proposalIds].map(async (id) => [id, await toStateAnswer(after, id)] as const),
    ),
  )
