// Reads open proposals after a block, as answers for the planner.
import { isAbsent, isKnown, unavailable } from '../chain/answer.ts'
import type { StateAt } from '../chain/state-at.ts'
import type { StateAnswer } from '../governance/state-check.ts'

/** A missing proposal differs from a missing state, and from one about which endpoints disagree. */
const toStateAnswer = async (after: StateAt, proposalId: string): Promise<StateAnswer> => {
  const answer = await after.proposal(proposalId)
  if (isKnown(answer)) return { value: answer.value.proposal }
  if (answer.absence === 'contradicted') return { contradicted: true }
  const isConfirmed = answer.absence === 'confirmed'
  return isAbsent(answer) ? { deleted: true, isConfirmed } : unavailable(answer.unavailable)
}

/** Open proposals, for the planner. */
export const readStates = async (
  after: StateAt,
  proposalIds: ReadonlySet<string>,
): Promise<Map<string, StateAnswer>> =>
  new Map(
    await Promise.all(
      [...proposalIds].map(async (id) => [id, await toStateAnswer(after, id)] as const),
    ),
  )
