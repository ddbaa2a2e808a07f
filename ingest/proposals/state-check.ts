// Decides when the state of an open proposal is read, and what the reading means. All but the reading itself is pure: it uses only the
// log, the block and the answer, so that a restart reads at the same heights and finds the same.
import { type Answer, isAbsent, isKnown, unavailable } from '../chain/answer.ts'
import type { GovNode } from '../chain/gov.ts'
import { openProposalsAt } from '../chain/gov.ts'
import type { StateAt } from '../chain/state-at.ts'
import { toEpochMs } from '../chain/time.ts'
import type { AbciEvent, Block } from '../comet/blocks/block.ts'
import type { Coin, ProposalState } from '../contract/facts.ts'
import { type BlockFact, type Cause, type Finding, isOpen } from '../contract/governance/fact.ts'
import type { RawFact, RawFactOf } from '../derive/raw-fact.ts'
import { type Doubt, isVoting, type OpenProposal, type OpenProposals } from './open-proposals.ts'

/**
 * `deleted`: a node has the state of the height, and the proposal is not in it; confirmed if a second endpoint agrees.
 * `contradicted`: one endpoint has the proposal, another one does not.
 */
export type StateAnswer =
  | Answer<ProposalState>
  | { deleted: true; isConfirmed: boolean }
  | { contradicted: true }
/** By proposal. */
export type StateAnswers = ReadonlyMap<string, StateAnswer>

/** Block times in milliseconds: of this block, and of the one before. */
export type BlockTimes = { previousMs: number; nowMs: number }

/** Block time between two readings of the list of x/gov: another module may change a proposal at any time. */
const LIST_MS = 300_000
/** The first reading after an end. A chain closes a proposal in the first block after it. */
const FIRST_READING_MS = 30_000
const LAST_INTERVAL_MS = 86_400_000
/** Readings after an end until a proposal that is still open is an alert: the fifth is after 8 minutes. */
const READINGS_UNTIL_ALERT = 5

/** One endpoint that lacks a proposal is asked again after so many blocks. Then its absence counts. */
const REPEAT_AFTER_BLOCKS = 5

/** Number of due readings: after 30, 60, 120 … seconds, and each day. */
const countReadings = (elapsedMs: number): number => {
  let count = 0
  for (let at = FIRST_READING_MS; at <= Math.min(elapsedMs, LAST_INTERVAL_MS); at *= 2) count += 1
  return count + Math.max(0, Math.floor(elapsedMs / LAST_INTERVAL_MS))
}

/** Whether a reading after `endMs` falls between the block before and this one. */
export const isReadingDue = (endMs: number, { previousMs, nowMs }: BlockTimes): boolean =>
  countReadings(nowMs - endMs) > countReadings(previousMs - endMs)

const parseEnd = (proposal: OpenProposal): number | null => {
  const { known } = proposal
  const end = isVoting(proposal) ? known?.votingEndTime : known?.depositEndTime
  const ms = end ? toEpochMs(end) : Number.NaN
  return Number.isFinite(ms) ? ms : null
}

export const isListDue = ({ previousMs, nowMs }: BlockTimes): boolean =>
  Math.floor(nowMs / LIST_MS) !== Math.floor(previousMs / LIST_MS)

const blocksSinceMissing = ({ disagreement }: OpenProposal, height: number): number =>
  disagreement?.finding === 'missing' ? height - disagreement.height : 0

const isRepeatDue = (proposal: OpenProposal, height: number): boolean => {
  const blocks = blocksSinceMissing(proposal, height)
  return blocks > 0 && blocks % REPEAT_AFTER_BLOCKS === 0
}

/** Undefined if no reading of this proposal alone is due. */
export const findDueReading = (
  proposal: OpenProposal,
  times: BlockTimes,
  height: number,
): Cause | undefined => {
  const { nowMs } = times
  const endMs = parseEnd(proposal)
  const isRepeat = isRepeatDue(proposal, height)
  if (endMs !== null && nowMs >= endMs) {
    return isReadingDue(endMs, times) || isRepeat ? 'overdue' : undefined
  }
  return isRepeat ? 'periodic' : undefined
}

/** An end that an alert names once: at the reading 8 minutes after it. */
const isAlertDue = (proposal: OpenProposal, { previousMs, nowMs }: BlockTimes): boolean => {
  const endMs = parseEnd(proposal)
  if (endMs === null) return false
  const reaches = (ms: number) => countReadings(ms - endMs) >= READINGS_UNTIL_ALERT
  return reaches(nowMs) && !reaches(previousMs)
}

const isSame = (one: string | null | undefined, other: string | null): boolean =>
  one === other || (!!one && !!other && toEpochMs(one) === toEpochMs(other))

const sameCoins = (one: readonly Coin[], other: readonly Coin[]): boolean =>
  one.length === other.length &&
  one.every(({ denom, amount }) =>
    other.some((coin) => coin.denom === denom && coin.amount === amount),
  )

/** The difference between the log and the state of a proposal that is open in both. */
const compareOpen = (proposal: OpenProposal, state: ProposalState): Finding | undefined => {
  const { known } = proposal
  const hasVote = state.status === 'voting_period'
  if (hasVote && !isVoting(proposal)) return 'voting'
  if (hasVote && known?.expedited && !state.expedited) return 'restarted'
  const isUnchanged =
    known !== undefined &&
    known.expedited === state.expedited &&
    isSame(known.votingEndTime, state.votingEndTime) &&
    isSame(known.depositEndTime, state.depositEndTime) &&
    sameCoins(known.totalDeposit, state.totalDeposit)
  return isUnchanged ? undefined : 'changed'
}

/** Each doubt about a proposal is found once. */
const unlessKnown = <Doubt extends Finding>(
  { disagreement }: OpenProposal,
  doubt: Doubt,
): Doubt | undefined => (disagreement?.finding === doubt ? undefined : doubt)

/** The doubts that a state with the open proposal ends. */
export const isRefutable = ({ disagreement }: OpenProposal): boolean =>
  disagreement !== null && disagreement.finding !== 'overdue'

/** Undefined if the log has the proposal as the state does. */
export const findDifference = (
  proposal: OpenProposal,
  answer: StateAnswer,
  { times, height }: { times: BlockTimes; height: number },
): Finding | undefined => {
  if ('contradicted' in answer) return unlessKnown(proposal, 'contradicted')
  if ('deleted' in answer) {
    const isRepeated = blocksSinceMissing(proposal, height) >= REPEAT_AFTER_BLOCKS
    return answer.isConfirmed || isRepeated ? 'deleted' : unlessKnown(proposal, 'missing')
  }
  if (!isKnown(answer)) return isAlertDue(proposal, times) ? 'unreadable' : undefined
  if (!isOpen(answer.value)) return 'closed'
  const difference = compareOpen(proposal, answer.value)
  if (difference) return difference
  if (isAlertDue(proposal, times)) return 'overdue'
  return isRefutable(proposal) ? 'changed' : undefined
}

export type Ending = RawFactOf<'closed' | 'restarted'>

/** A proposal that is not open in the log: no fact names it, or it ended unread. */
export const findUnknown = (
  answer: StateAnswer,
  { open, proposalId }: { open: OpenProposals; proposalId: string },
): Finding | undefined => {
  if (!('value' in answer)) return undefined
  if (!isOpen(answer.value)) return open.isUnread(proposalId) ? 'read' : undefined
  return open.endedRound(proposalId) === undefined ? 'found' : undefined
}

/** The result of a vote that x/gov does not have: the state decides. */
export const isUndecided = (fact: RawFact): fact is Ending =>
  fact.kind === 'restarted' || (fact.kind === 'closed' && fact.outcome === 'unknown')

const OUTCOMES = ['passed', 'rejected', 'failed'] as const

/** Undefined for any status that is not the result of a vote. */
export const findOutcome = (status: string | undefined) => OUTCOMES.find((each) => each === status)

const reconciled = (fact: Ending, finding: Finding): RawFact => {
  const { proposalId, result, log, ordinal, sub, abciOrdinal, txIndex } = fact
  const body: BlockFact = { kind: 'reconciled', proposalId, finding, cause: 'result', result, log }
  return { ordinal, sub, abciOrdinal, txIndex, ...body }
}

/**
 * The fact that the state after the height makes of an undecided result. Without a state, a result
 * of x/gov counts as it is. Any other leaves the vote open: a later reading decides.
 */
export const decideResult = (fact: Ending, answer: StateAnswer): RawFact => {
  const withDoubt = (doubt: Doubt) => (fact.kind === 'restarted' ? fact : reconciled(fact, doubt))
  if ('contradicted' in answer) return withDoubt('contradicted')
  if ('deleted' in answer) {
    return answer.isConfirmed ? reconciled(fact, 'deleted') : withDoubt('missing')
  }
  if (!isKnown(answer)) return withDoubt('unreadable')
  const { ordinal, sub, abciOrdinal, txIndex, proposalId, result, log } = fact
  const about = { ordinal, sub, abciOrdinal, txIndex, proposalId, result, log }
  const { status } = answer.value
  if (isOpen(answer.value)) return { ...about, kind: 'restarted' }
  const outcome = findOutcome(status)
  if (outcome) return { ...about, kind: 'closed', outcome, isTallied: true }
  return reconciled(fact, 'closed')
}

/** Contracts number the proposals of their own organizations. */
const isOfContract = ({ type }: AbciEvent): boolean => type.startsWith('wasm')

/** Proposals in events from which no governance fact was read, such as a veto or a submission by another module. */
export const findMentions = (block: Block, read: ReadonlySet<number>): Set<string> => {
  const mentioned = new Set<string>()
  for (const event of block.events) {
    if (read.has(event.ordinal) || isOfContract(event)) continue
    if (event.txIndex !== null && block.txs[event.txIndex]?.code !== 0) continue
    for (const { key, value } of event.attributes) {
      if (key !== 'proposal_id') continue
      const id = value.replaceAll('"', '')
      if (/^[1-9][0-9]{0,18}$/.test(id)) mentioned.add(id)
    }
  }
  return mentioned
}

/** A missing proposal differs from a missing state, and from one about which endpoints disagree. */
const toStateAnswer = async (after: StateAt, proposalId: string): Promise<StateAnswer> => {
  const answer = await after.proposal(proposalId)
  if (isKnown(answer)) return { value: answer.value.proposal }
  if (answer.absence === 'contradicted') return { contradicted: true }
  const isConfirmed = answer.absence === 'confirmed'
  return isAbsent(answer) ? { deleted: true, isConfirmed } : unavailable(answer.unavailable)
}

/** With each proposal of the list. One that is open, but not in the list, is read for itself: from more than one endpoint. */
export async function readStates(
  node: GovNode,
  after: StateAt,
  {
    ids,
    isListDue,
    open,
  }: { ids: ReadonlySet<string>; isListDue: boolean; open: readonly string[] },
): Promise<StateAnswers> {
  const answers = new Map<string, StateAnswer>()
  if (isListDue) {
    const listed = await openProposalsAt(node, after.height)
    for (const { proposal } of isKnown(listed) ? listed.value : []) {
      answers.set(proposal.proposalId, { value: proposal })
    }
  }
  const unlisted = isListDue ? open.filter((id) => !answers.has(id)) : []
  const wanted = [...new Set([...ids, ...unlisted])]
  const read = await Promise.all(wanted.map((id) => toStateAnswer(after, id)))
  // In one order, whichever comes first.
  for (const [at, answer] of read.entries()) answers.set(wanted[at] ?? '', answer)
  return answers
}
