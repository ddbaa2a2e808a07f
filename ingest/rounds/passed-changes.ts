// Finds parameters that a proposal changed in the end block that tallies another one.
import { isKnown } from '../chain/answer.ts'
import type { RawFactOf } from '../derive/raw-fact.ts'
import type { ChainStates } from '../heights/height-state.ts'

const LEGACY = String.raw`\.gov\.v\w+\.MsgExecLegacyContent$|ParameterChangeProposal$`

/** Messages that can change parameters of x/gov. */
export const CHANGES_GOV = new RegExp(String.raw`\.gov\.v\w+\.MsgUpdateParams$|${LEGACY}`)
/** Messages that can change how many pools a tally counts. */
const CHANGES_LIMIT = new RegExp(
  String.raw`\.(?:staking|provider)\.v\w+\.MsgUpdateParams$|${LEGACY}`,
)

/** Proposals that passed in this end block, and may have changed the parameters: in order. */
export const passedChanges = async (
  state: ChainStates,
  changes: RegExp,
): Promise<RawFactOf<'closed'>[]> => {
  const changers: RawFactOf<'closed'>[] = []
  for (const { fact } of state.plan.facts) {
    if (fact.kind !== 'closed' || fact.outcome !== 'passed') continue
    const answer = await state.after.proposal(fact.proposalId)
    const types = isKnown(answer) ? answer.value.proposal.messageTypes : []
    if (types.some((type) => changes.test(type))) changers.push(fact)
  }
  return changers
}

/** Whether the tally has the limit of pools from before the block, or that of a proposal which passed earlier in it. */
export const findLimitHeight = async (
  state: ChainStates,
  { ordinal }: { ordinal: number },
): Promise<'before' | 'after'> => {
  const [first] = await passedChanges(state, CHANGES_LIMIT)
  return first && first.ordinal < ordinal ? 'after' : 'before'
}
