// Turns a difference between the state and the log into its event. Finds the height of a close that no event reports, and its tally.
import { hasCode } from '../../infra/base/runtime/errors.ts'
import { type Answer, isKnown, known, reasonOrNull, unavailable } from '../chain/answer.ts'
import { createStateAt } from '../chain/state-at.ts'
import type { Block } from '../comet/blocks/block.ts'
import { ORDINAL } from '../contract/envelope.ts'
import type { EventOf } from '../contract/events.ts'
import { isOpen } from '../contract/governance/fact.ts'
import { eventAt, proposalSubject } from '../derive/event-at.ts'
import type { RawFactOf } from '../derive/raw-fact.ts'
import { createStates, type HeightState } from '../heights/height-state.ts'
import type { PlannedFact } from '../heights/plan.ts'
import { type CloseData, closeData } from '../rounds/close.ts'
import { type ClosingOptions, readSilentClosing } from '../rounds/closing.ts'
import { type RoundRead, toFinalReading } from '../rounds/reading-events.ts'
import type { EndedFact } from '../rounds/state-at-tally.ts'
import { searchClosingHeight } from './closing-search.ts'
import { type ProposalAsOfHeight, readProposalAtHeight } from './proposal.ts'
import { findOutcome } from './state-check.ts'

type Planned = PlannedFact & { fact: RawFactOf<'reconciled'> }
type Reconciled = EventOf<'rollcall.proposal.reconciled.v1'>

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
  const outcome = findOutcome(status)
  if (!outcome || round === 0) return undefined
  const states = createStates(block, (height) => createStateAt(node, height))
  const { proposalId } = fact
  // Every vote of the block came before its end.
  const origin = { ordinal: ORDINAL.after, abciOrdinal: ORDINAL.after, sub: 0, txIndex: null }
  const text = { result: '', log: null, isTallied: true }
  const ended: EndedFact = { ...origin, ...text, kind: 'closed', proposalId, outcome }
  const close = await closeData(states, { round, fact: ended })
  return await readSilentClosing({ states, fact: ended, close, before }, options)
}

const withoutTally = (read: ProposalAsOfHeight, planned: Planned, reason: string): CloseData => ({
  ...read,
  round: planned.round,
  log: planned.fact.log,
  finalTally: null,
  bondedTokens: null,
  params: null,
  unavailableReason: reason,
})

/** The state keeps the final tally of a vote that ended at an unknown height. */
const withStoredTally = (
  close: CloseData,
  { round, before }: Planned,
  proposal: ProposalAsOfHeight['proposal'],
): CloseData => {
  const tally = proposal?.finalTally
  if (close.finalTally || !tally || round === 0 || !findOutcome(proposal.status)) return close
  const isZero = Object.values(tally).every((count) => count === null || count === '0')
  const isCounted = !isZero || (before?.vote.ballots.size ?? 0) === 0
  return isCounted ? { ...close, finalTally: tally } : close
}

/** Where the close was found, if the finding is one. */
const closedMembers = (block: Answer<Block> | undefined) => ({
  closedHeight: block && isKnown(block) ? block.value.height : null,
  closedTime: block && isKnown(block) ? block.value.time : null,
  closedReason: block ? reasonOrNull(block) : null,
})

/** The messages of a proposal that no event reported. */
const readFound = async ({ after, proposals }: HeightState, proposalId: string) => {
  const content = await after.proposal(proposalId)
  if (!isKnown(content)) return {}
  const { messages } = await proposals.decode(proposalId, content.value.messages)
  return { messages }
}

export const reconcile = async (
  state: HeightState,
  planned: Planned,
  options: ClosingOptions,
): Promise<{ event: Reconciled; reading: readonly RoundRead[] }> => {
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
    : 'the vote is not over'
  const ended = tally?.close ?? withoutTally(read, planned, none)
  const close =
    finding === 'closed' && !tally ? withStoredTally(ended, planned, read.proposal) : ended
  const messages = finding === 'found' ? await readFound(state, proposalId) : {}
  const about = { log: fact.log, finding, cause, result, ...closedMembers(block) }
  const event = eventAt(state.plan.block, fact, {
    type: 'rollcall.proposal.reconciled.v1',
    subject: proposalSubject(proposalId),
    data: { ...close, ...read, ...about, ...messages },
  })
  const reading = tally ? toFinalReading(state.plan.block, { fact, round }, tally) : []
  return { event, reading }
}
