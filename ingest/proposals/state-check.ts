// Decides when the state of an open proposal is read, and what the reading means. All but the reading itself is pure: it uses only the
// log, the block and the answer. A start reads the list once more.
import { type Answer, isAbsent, isKnown, unavailable } from '../chain/answer.ts'
import type { GovNode } from '../chain/gov.ts'
import { openProposalsAt } from '../chain/gov.ts'
import type { StateAt } from '../chain/state-at.ts'
import { toEpochMs } from '../chain/time.ts'
import type { AbciEvent, Block } from '../comet/blocks/block.ts'
import type { Coin, ProposalState } from '../contract/facts.ts'
import { type BlockFact, type Finding, isOpen } from '../contract/governance/fact.ts'
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

/** Block time between two readings of the list of x/gov: another module may change a proposal at any time. */
const LIST_MS = 300_000
/** So long after its end, a proposal that is still open is an alert. A chain closes one in the first block after it. */
const OVERDUE_MS = 480_000
/** The absence of a proposal of which one endpoint alone is asked counts if a reading so many blocks later finds it again. */
const REPEAT_AFTER_BLOCKS = 5

/** Block times in milliseconds: of this block, and of the one before. */
export const isListDue = ({ previousMs, nowMs }: { previousMs: number; nowMs: number }): boolean =>
  Math.floor(nowMs / LIST_MS) !== Math.floor(previousMs / LIST_MS)

const isOverdue = (proposal: OpenProposal, nowMs: number): boolean => {
  const { known } = proposal
  const end = isVoting(proposal) ? known?.votingEndTime : known?.depositEndTime
  return end ? nowMs - toEpochMs(end) >= OVERDUE_MS : false
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
  { nowMs, height }: { nowMs: number; height: number },
): Finding | undefined => {
  const { disagreement } = proposal
  if ('contradicted' in answer) return unlessKnown(proposal, 'contradicted')
  if ('deleted' in answer) {
    const isRepeated =
      disagreement?.finding === 'missing' && height - disagreement.height >= REPEAT_AFTER_BLOCKS
    return answer.isConfirmed || isRepeated ? 'deleted' : unlessKnown(proposal, 'missing')
  }
  if (!isKnown(answer)) {
    return disagreement === null && isOverdue(proposal, nowMs) ? 'unreadable' : undefined
  }
  if (!isOpen(answer.value)) return 'closed'
  const difference = compareOpen(proposal, answer.value)
  if (difference) return difference
  if (isRefutable(proposal)) return 'changed'
  return isOverdue(proposal, nowMs) ? unlessKnown(proposal, 'overdue') : undefined
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
