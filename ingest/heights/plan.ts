// Plans one height, in order: its facts with their rounds, and what else to read. A height may first ask for the state of some proposals
// after it: then the next height is planned only after the answer.
import { toEpochMs } from '../chain/time.ts'
import type { Block } from '../comet/blocks/block.ts'
import type { SourcedBlock } from '../comet/endpoints/node.ts'
import { ORDINAL } from '../contract/envelope.ts'
import type { Cause } from '../contract/governance/fact.ts'
import { decide, findClosed } from '../contract/governance/lifecycle.ts'
import { type Derived, derive } from '../derive/derive.ts'
import type { RawFact } from '../derive/raw-fact.ts'
import type { DueProofs } from '../proofs/pending-proofs.ts'
import { type Applied, DURING, type OpenProposals } from '../proposals/open-proposals.ts'
import {
  decideResult,
  findDifference,
  findMentions,
  findUnknown,
  isListDue as isDueAt,
  isRefutable,
  isUndecided,
  type StateAnswer,
  type StateAnswers,
} from '../proposals/state-check.ts'
import { noteGap, noteMovedStake } from '../rounds/round-state.ts'
import { applyFact, type Governance } from './governance.ts'

export type PlannedFact = Pick<Applied, 'round' | 'before'> & {
  fact: RawFact
  /** The log did not have its texts before this fact. */
  lacksTexts: boolean
}

export type PlannedHeight = {
  block: Block
  tip: number
  facts: readonly PlannedFact[]
  openSince: number | null
  /** The open proposals, if another one passed at this height. */
  afterPassing: readonly string[]
  /** The proofs of the two heights before; absent if none is due. */
  dueProofs?: DueProofs | undefined
}

/** The state after a height that its plan needs. */
export type Asks = {
  /** Every proposal to read for itself; empty at nearly every height. */
  ids: ReadonlySet<string>
  /** Whether the list of x/gov is read, too. */
  isListDue: boolean
  /** The proposals that are open before the block and not ended by its facts. */
  open: readonly string[]
}

/** Call in order, each height once. Without an answer a fact counts as its text says, and no proposal is compared. */
export type Planner = (
  sourced: SourcedBlock,
  readStates: (asks: Asks) => Promise<StateAnswers>,
) => Promise<PlannedHeight>

/** The facts of a proposal whose meaning, or the need to read it again, depends on its state after the height. */
const STARTS: ReadonlySet<RawFact['kind']> = new Set([
  'submitted',
  'deposited',
  'voting_started',
  'restarted',
])

/** The other differences remain until the next readings. */
const MAX_FINDINGS = ORDINAL.lastReading - ORDINAL.firstReading + 1

/** Proposals whose facts cannot be understood without the state: undecided results and proposals that the log lacks. */
const listUnclear = (facts: readonly RawFact[], open: OpenProposals): Set<string> => {
  const asks = new Set<string>()
  for (const fact of facts) {
    const { proposalId, kind } = fact
    if (proposalId === null || kind === 'undecodable') continue
    const isLone = DURING.has(kind) && !open.get(proposalId)
    if (STARTS.has(kind) || kind === 'closed' || isLone) asks.add(proposalId)
  }
  return asks
}

/** Contracts and groups number proposals of their own: so many of a block are looked up. */
const MAX_UNKNOWN_MENTIONS = 4

/** The proposals that an event of another module names, and the open ones that no fact ends. */
const findMentioned = (
  block: Block,
  { facts }: Derived,
  open: OpenProposals,
): { mentioned: ReadonlySet<string>; stillOpen: string[] } => {
  const isEnd = (fact: RawFact) =>
    findClosed(decide(open.get(fact.proposalId ?? ''), fact)) !== undefined
  const ended = new Set(facts.filter(isEnd).map(({ proposalId }) => proposalId))
  const ids = open.list().map(({ proposalId }) => proposalId)
  const stillOpen = ids.filter((id) => !ended.has(id))
  const all = findMentions(block, new Set(facts.map(({ abciOrdinal }) => abciOrdinal)))
  const named = stillOpen.filter((id) => all.delete(id))
  const isNamed = (id: string) => facts.some(({ proposalId }) => proposalId === id)
  const unknown = [...all].filter((id) => !isNamed(id)).slice(0, MAX_UNKNOWN_MENTIONS)
  return { mentioned: new Set([...named, ...unknown]), stillOpen }
}

/** Applies the facts of one height in order. */
const createApply = (planned: Governance, block: Block, answers: StateAnswers) => {
  const { open } = planned
  /** Another module may write the same events about proposals of its own. */
  const isForeign = ({ kind, proposalId }: RawFact, answer: StateAnswer | undefined): boolean =>
    proposalId !== null &&
    DURING.has(kind) &&
    answer !== undefined &&
    'deleted' in answer &&
    !open.get(proposalId) &&
    open.endedRound(proposalId) === undefined
  return (derived: RawFact): PlannedFact | undefined => {
    const answer = derived.proposalId === null ? undefined : answers.get(derived.proposalId)
    const fact = answer && isUndecided(derived) ? decideResult(derived, answer) : derived
    if (isForeign(fact, answer)) return undefined
    const read = answer && 'value' in answer ? answer.value : undefined
    const lacksTexts = !open.get(fact.proposalId ?? '')?.known
    const applied = applyFact(planned, { ...fact, read }, block)
    const { round, before } = applied
    const isUncounted = applied.isLate && fact.kind === 'vote_cast'
    return { fact: isUncounted ? { ...fact, counted: false } : fact, round, before, lacksTexts }
  }
}

const hasPassed = ({ fact }: PlannedFact, answers: StateAnswers): boolean => {
  if (fact.kind === 'closed') return fact.outcome === 'passed'
  if (fact.kind !== 'reconciled' || fact.finding !== 'closed') return false
  const answer = answers.get(fact.proposalId)
  return answer !== undefined && 'value' in answer && answer.value.status === 'passed'
}

type Compared = {
  answers: StateAnswers
  open: OpenProposals
  at: { nowMs: number; height: number }
  findCause(proposalId: string): Cause | undefined
}

/** What the state has otherwise than the log, after the facts of the block. */
const compareWithState = ({ answers, open, at, findCause }: Compared): RawFact[] => {
  const facts: RawFact[] = []
  for (const [proposalId, answer] of answers) {
    const cause = findCause(proposalId)
    if (!cause || facts.length === MAX_FINDINGS) continue
    const proposal = open.get(proposalId)
    const finding = proposal
      ? findDifference(proposal, answer, at)
      : findUnknown(answer, { open, proposalId })
    if (!finding) continue
    const ordinal = ORDINAL.firstReading + facts.length
    const origin = { ordinal, sub: 0, abciOrdinal: ordinal, txIndex: null }
    const none = { result: null, log: null }
    facts.push({ ...origin, ...none, kind: 'reconciled', proposalId, finding, cause })
  }
  return facts
}

/** `previousTimeMs`: time of the block before the first planned one; undefined if no block is indexed. */
export function createPlanner(governance: Governance, previousTimeMs: number | undefined): Planner {
  const { open, proofs } = governance
  let previousMs = previousTimeMs
  let isFirst = true
  return async ({ block, tip }, readStates) => {
    const { height } = block
    const nowMs = toEpochMs(block.time)
    const isListDue = previousMs !== undefined && (isFirst || isDueAt({ previousMs, nowMs }))
    isFirst = false
    previousMs = nowMs
    const derived = derive(block)
    const { facts } = derived
    const { mentioned, stillOpen } = findMentioned(block, derived, open)
    // A list is that of one endpoint: it ends no doubt.
    const doubted = open.list().filter(isRefutable)
    const unsettled = [...doubted.map(({ proposalId }) => proposalId), ...open.listUnread(nowMs)]
    const answers = await readStates({
      ids: new Set([...listUnclear(facts, open), ...mentioned, ...(isListDue ? unsettled : [])]),
      isListDue,
      open: stillOpen,
    })
    const dueProofs = proofs.takeDue(height)
    const apply = createApply(governance, block, answers)
    const own = facts.flatMap((fact) => apply(fact) ?? [])
    const different = compareWithState({
      answers,
      open,
      at: { nowMs, height },
      findCause: (id) => (mentioned.has(id) ? 'event' : isListDue ? 'periodic' : undefined),
    })
    const all = [...own, ...different.flatMap((fact) => apply(fact) ?? [])]
    const closing = own.flatMap(({ before }) => before ?? [])
    for (const { vote } of [...open.list(), ...closing]) noteMovedStake(vote, derived)
    if (block.lacksMovedStake) for (const { vote } of open.list()) noteGap(vote)
    const hasPassing = all.some((fact) => hasPassed(fact, answers))
    return {
      block,
      tip,
      facts: all,
      openSince: open.openSince(),
      afterPassing: hasPassing ? open.list().map(({ proposalId }) => proposalId) : [],
      dueProofs,
    }
  }
}
