// Finds the heights that ended the rounds of a closed proposal, by its state alone. The states before and after verify each.
import { type Answer, isAbsent, isKnown, known, unavailable } from '../chain/answer.ts'
import type { ProposalContent } from '../chain/proposal-content.ts'
import type { StateAt } from '../chain/state-at.ts'
import type { ChainReader } from '../comet/endpoints/node.ts'
import type { ProposalState } from '../contract/facts.ts'
import { isOpen } from '../contract/governance/fact.ts'
import { searchClosingHeight } from '../proposals/reconciled.ts'
import { roundInState } from '../proposals/vote-round.ts'

/** A chain with the states of a closed proposal. */
export type PastChain = {
  node: ChainReader
  /** Shared by all reads of a proposal. */
  stateAt(height: number): StateAt
  /** The first height of the endpoint, and one at which the vote has ended. */
  first: number
  tip: number
}

export type RoundEnd = {
  round: number
  /** The first height whose state has the result. */
  height: number
  before: ProposalContent
  after: ProposalContent
}

type End = Omit<RoundEnd, 'round'>

type Wanted = {
  proposalId: string
  /** It has ended there. */
  to: number
  hasEnded(proposal: ProposalState): boolean
}

const isVoteOver: Wanted['hasEnded'] = (proposal) => !isOpen(proposal)
/** An expedited vote that failed is open, and not expedited any more. */
const isFirstOver: Wanted['hasEnded'] = (proposal) => isVoteOver(proposal) || !proposal.expedited

/** Undefined if no two states show it: it ended before them, or not at all. */
async function findEnd(
  { node, stateAt, first }: PastChain,
  { proposalId, to, hasEnded }: Wanted,
): Promise<Answer<End | undefined>> {
  const found = await searchClosingHeight(node, {
    proposalId,
    from: first - 1,
    to,
    // Before its submission the state has no such proposal.
    hasEnded: (proposal) => proposal !== undefined && hasEnded(proposal),
  })
  if (!isKnown(found)) return unavailable(found.unavailable)
  const height = found.value
  if (height === first) return known(undefined)
  const [after, before] = await Promise.all([
    stateAt(height).proposal(proposalId),
    stateAt(height - 1).proposal(proposalId),
  ])
  if (!isKnown(after)) return unavailable(after.unavailable)
  if (isKnown(before)) {
    const isEnd = hasEnded(after.value.proposal) && !hasEnded(before.value.proposal)
    return known(isEnd ? { height, before: before.value, after: after.value } : undefined)
  }
  return isAbsent(before) ? known(undefined) : unavailable(before.unavailable)
}

/** The end of an expedited vote that failed before the last round. Undefined if the last round was the first one. */
async function findFirstEnd(
  chain: PastChain,
  proposalId: string,
  { height, before }: End,
): Promise<Answer<End | undefined>> {
  const params = await chain.stateAt(height - 1).params()
  if (!isKnown(params)) return params
  const time = before.proposal.votingEndTime ?? ''
  const { round, roundReason } = roundInState(before, { params: params.value, time })
  if (round === 1 && roundReason === undefined) return known(undefined)
  return await findEnd(chain, { proposalId, to: height - 1, hasEnded: isFirstOver })
}

/** Every round of the closed proposal, in order. */
export async function findRoundEnds(
  chain: PastChain,
  { proposalId, votingStartTime }: ProposalState,
): Promise<Answer<RoundEnd[]>> {
  if (votingStartTime === null) return unavailable('there was no vote')
  const last = await findEnd(chain, { proposalId, to: chain.tip, hasEnded: isVoteOver })
  if (!isKnown(last)) return last
  if (!last.value) {
    return unavailable(`the vote had ended at height ${chain.first}, the first one of the endpoint`)
  }
  const first = await findFirstEnd(chain, proposalId, last.value)
  if (!isKnown(first)) return unavailable(`the expedited vote before: ${first.unavailable}`)
  const ends = [first.value, last.value].filter((end) => end !== undefined)
  return known(ends.map((end, index) => ({ ...end, round: index + 1 })))
}
