// Searches the states of a proposal for the height that ended a vote which no event and no time shows.
import { type Answer, isAbsent, isKnown, known, unavailable } from '../chain/answer.ts'
import { proposalAt } from '../chain/gov.ts'
import type { ProposalState } from '../contract/facts.ts'
import type { StateNode } from '../heights/height-state.ts'

export type ClosingSearch = {
  proposalId: string
  /** The vote has not ended at `from`, and has ended at `to`. */
  from: number
  to: number
  /** `undefined`: the state has no such proposal. */
  hasEnded(proposal: ProposalState | undefined): boolean
}

/**
 * The first height in `(from, to]` whose state shows the end. Begins with the latest heights: earlier states may be
 * pruned. Unknown if the state before it is.
 */
export const searchClosingHeight = async (
  node: Pick<StateNode, 'abciQuery' | 'refuse'>,
  { proposalId, from, to, hasEnded }: ClosingSearch,
): Promise<Answer<number>> => {
  let [open, ended, step] = [from, to, 1]
  let reason: string | undefined
  while (ended - open > 1) {
    const middle = Math.floor((open + ended) / 2)
    const height = open === from ? Math.max(ended - step, middle) : middle
    const answer = await proposalAt(node, proposalId, height)
    const unknown = isKnown(answer) || isAbsent(answer) ? undefined : answer.unavailable
    const proposal = isKnown(answer) ? answer.value.proposal : undefined
    if (unknown !== undefined || !hasEnded(proposal)) {
      open = height
      reason = unknown
    } else ended = height
    step *= 2
  }
  return reason === undefined ? known(ended) : unavailable(reason)
}
