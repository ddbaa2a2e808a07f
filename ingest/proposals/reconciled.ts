// Turns a difference between the state and the log into its event. Finds the height of a close that no event reports, and its tally.
import { hasCode } from '../../infra/base/runtime/errors.ts'
import {
  type Answer,
  isAbsent,
  isKnown,
  known,
  reasonOrNull,
  unavailable,
} from '../chain/answer.ts'
import { proposalAt } from '../chain/gov.ts'
import type { Block } from '../comet/blocks/block.ts'
import type { EventOf } from '../contract/events.ts'
import type { ProposalState, TallyCounts } from '../contract/facts.ts'
import { isOpen } from '../contract/governance/fact.ts'
import { eventAt, proposalSubject } from '../derive/event-at.ts'
import type { RawFactOf } from '../derive/raw-fact.ts'
import { createStates, type HeightState, type StateNode } from '../heights/height-state.ts'
import type { PlannedFact } from '../heights/plan.ts'
import { closeData, isZero } from '../rounds/close.ts'
import { type ClosingOptions, readSilentClosing } from '../rounds/closing.ts'
import { type RoundRead, toFinalReading } from '../rounds/reading-events.ts'
import { createSilentEnd } from '../rounds/state-at-tally.ts'
import { type DecodedProposal, readMessages, readProposalAtHeight } from './proposal.ts'
import { findOutcome } from './state-check.ts'

type Planned = PlannedFact & { fact: RawFactOf<'reconciled'> }
type Reconciled = EventOf<'rollcall.proposal.reconciled.v1'>

type ClosingSearch = {
  proposalId: string
  /** The vote has not ended at `from`, and has ended at `to`. */
  from: number
  to: number
  /** `undefined`: the state has no such proposal. */
  hasEnded(proposal: ProposalState | undefined): boolean
}

/** The first height in `(from, to]` whose state shows the end. Unknown if the state before it is, such as a pruned one. */
export async function searchClosingHeight(
  node: Pick<StateNode, 'abciQuery' | 'refuse'>,
  { proposalId, from, to, hasEnded }: ClosingSearch,
): Promise<Answer<number>> {
  let [open, ended] = [from, to]
  let reason: string | undefined
  while (ended - open > 1) {
    const height = Math.floor((open + ended) / 2)
    const answer = await proposalAt(node, proposalId, height)
    const unknown = isKnown(answer) || isAbsent(answer) ? undefined : answer.unavailable
    const proposal = isKnown(answer) ? answer.value.proposal : undefined
    if (unknown !== undefined || !hasEnded(proposal)) {
      open = height
      reason = unknown
    } else ended = height
  }
  return reason === undefined ? known(ended) : unavailable(reason)
}

/** The block that closed the proposal. */
const findClosingBlock = async (
  { plan, node }: HeightState,
  { fact, before }: Planned,
): Promise<Answer<Block>> => {
  const { block } = plan
  if (fact.result !== null) return known(block)
  const from = Math.max((before?.seenAt ?? block.height) - 1, 0)
  const height = await searchClosingHeight(node, {
    proposalId: fact.proposalId,
    from,
    to: block.height,
    hasEnded: (proposal) => proposal === undefined || !isOpen(proposal),
  })
  if (!isKnown(height)) return height
  if (height.value === block.height) return known(block)
  try {
    return known(await node.block(height.value))
  } catch (error) {
    if (!hasCode(error, 'HEIGHT_UNAVAILABLE')) throw error
    return unavailable(`no node has the block of height ${height.value}`)
  }
}

/** Undefined if the proposal has no result of a vote. */
const readSilentTally = async (
  { node }: HeightState,
  { planned, block, status }: { planned: Planned; block: Block; status: string | undefined },
  options: ClosingOptions,
) => {
  const { fact, round, before } = planned
  if (status === undefined || !findOutcome(status) || round === 0) return undefined
  const states = createStates(node, block)
  const ended = createSilentEnd(fact.proposalId, status)
  const close = await closeData(states, { round, fact: ended })
  return await readSilentClosing({ states, fact: ended, close, before }, options)
}

/** The state keeps the final tally of a vote that ended at an unknown height. Null if it counted none. */
const findStoredTally = (
  { fact: { finding }, round, before }: Planned,
  proposal: ProposalState | null,
): TallyCounts | null => {
  const tally = proposal?.finalTally
  const isOver = finding === 'closed' || finding === 'read'
  if (!isOver || !tally || round === 0 || !findOutcome(proposal.status)) return null
  return !isZero(tally) || (before?.vote.ballots.size ?? 0) === 0 ? tally : null
}

/** Where the close was found, if the finding is one. */
const closedMembers = (block: Answer<Block> | undefined) => ({
  closedHeight: block && isKnown(block) ? block.value.height : null,
  closedTime: block && isKnown(block) ? block.value.time : null,
  closedReason: block ? reasonOrNull(block) : null,
})

export const reconcile = async (
  state: HeightState,
  planned: Planned,
  options: ClosingOptions,
): Promise<{
  event: Reconciled
  reading: readonly RoundRead[]
  decoded: DecodedProposal | undefined
}> => {
  const { fact, round } = planned
  const { proposalId, finding, cause, result } = fact
  const read = await readProposalAtHeight(state, proposalId)
  const isEnd = finding === 'closed' || finding === 'deleted'
  const block = isEnd ? await findClosingBlock(state, planned) : undefined
  const status = finding === 'closed' ? read.proposal?.status : undefined
  const tally =
    block && isKnown(block)
      ? await readSilentTally(state, { planned, block: block.value, status }, options)
      : undefined
  const none = block
    ? (reasonOrNull(block) ?? 'the chain counted no votes')
    : finding === 'read'
      ? 'no state was readable at the end of the vote'
      : 'the vote is not over'
  const { finalTally, unavailableReason } = tally?.close ?? {
    finalTally: findStoredTally(planned, read.proposal),
    unavailableReason: none,
  }
  // Those that no earlier event has.
  const decoded = planned.lacksTexts ? await readMessages(state, proposalId) : undefined
  const messages = decoded ? { messages: decoded.messages } : {}
  const about = { log: fact.log, finding, cause, result, ...closedMembers(block) }
  const event = eventAt(state.plan.block, fact, {
    type: 'rollcall.proposal.reconciled.v1',
    subject: proposalSubject(proposalId),
    data: { ...read, round, finalTally, unavailableReason, ...about, ...messages },
  })
  const reading = tally ? toFinalReading(state.plan.block, { fact, round }, tally) : []
  return { event, reading, decoded }
}
