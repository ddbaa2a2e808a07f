// Plans one height in order and without reads: its facts with their rounds, and the state to read. A height may first ask for the
// state of some proposals after it: then the next height is planned only after the answer.
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
  type BlockTimes,
  decideResult,
  findDifference,
  findDueReading,
  findMentions,
  findUnknown,
  isListDue as isDueAt,
  isRefutable,
  isUndecided,
  type StateAnswer,
  type StateAnswers,
} from '../proposals/state-check.ts'
import { noteMovedStake } from '../rounds/round-state.ts'
import { type Governance, planFact } from './governance.ts'

export type PlannedFact = Pick<Applied, 'round' | 'before' | 'changes'> & {
  fact: RawFact
  /** The vote was unknown before this fact. */
  startsVoting: boolean
}

export type PlannedHeight = {
  block: Block
  tip: number
  facts: readonly PlannedFact[]
  openSince: number | null
  /** Undefined at the first height of the log. */
  times?: BlockTimes | undefined
  /** The proofs of the two heights before; absent if none is due. */
  dueProofs?: DueProofs | undefined
  /** Number of events like those of governance that belong to other modules. */
  foreignEvents?: number
}

/** A height with the proposals whose state after it the plan needs. */
export type DraftHeight = {
  sourced: SourcedBlock
  derived: Derived
  times: BlockTimes | undefined
  /** Proposals to compare with the state, and why. */
  readings: ReadonlyMap<string, Cause>
  /** Every proposal to read for itself; empty at nearly every height. */
  asks: ReadonlySet<string>
  /** Whether the list of x/gov is read, too. */
  isListDue: boolean
  /** The proposals that are open before the block and not ended by its facts. */
  open: readonly string[]
}

export type Planner = {
  /** Call in order, each height once, before `plan`. */
  draft(sourced: SourcedBlock): DraftHeight
  /** Without an answer a fact counts as its text says, and no proposal is compared. */
  plan(draft: DraftHeight, answers?: StateAnswers): PlannedHeight
}

/** The facts of a proposal that show its state after the height. */
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
    if (STARTS.has(kind) || isUndecided(fact) || isLone) asks.add(proposalId)
  }
  return asks
}

/** Contracts and groups number proposals of their own: so many of a block are looked up. */
const MAX_UNKNOWN_MENTIONS = 4

type Readings = Pick<DraftHeight, 'readings' | 'open'>

/** The proposals to read after the block, those that are open and those that an event of another module names. */
const listReadings = (
  { block }: SourcedBlock,
  { facts }: Derived,
  { open, times }: { open: OpenProposals; times: BlockTimes | undefined },
): Readings => {
  const isEnd = (fact: RawFact) =>
    findClosed(decide(open.get(fact.proposalId ?? ''), fact)) !== undefined
  const ended = new Set(facts.filter(isEnd).map(({ proposalId }) => proposalId))
  const proposals = open.list().filter(({ proposalId }) => !ended.has(proposalId))
  const read = new Set(facts.map(({ abciOrdinal }) => abciOrdinal))
  const mentioned = findMentions(block, read)
  const readings = new Map<string, Cause>()
  for (const proposal of proposals) {
    const { proposalId } = proposal
    const due = times && findDueReading(proposal, times, block.height)
    const cause = mentioned.delete(proposalId) ? 'event' : due
    if (cause) readings.set(proposalId, cause)
  }
  const isNamed = (id: string) => facts.some(({ proposalId }) => proposalId === id)
  const unknown = [...mentioned].filter((id) => !isNamed(id)).slice(0, MAX_UNKNOWN_MENTIONS)
  for (const proposalId of unknown) readings.set(proposalId, 'event')
  return { readings, open: proposals.map(({ proposalId }) => proposalId) }
}

/** A round that begins after another one continues the vote. */
const startsVoting = ({ changes }: Applied): boolean =>
  changes.find(({ kind }) => kind === 'round_begun' || kind === 'round_ended')?.kind ===
  'round_begun'

/** Applies the facts of one height in order. */
const createApply = (planned: Planning, height: number, answers: StateAnswers) => {
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
    const applied = planFact(planned, { ...fact, read }, height)
    const { round, before, changes } = applied
    const isUncounted = applied.isLate && fact.kind === 'vote_cast'
    return {
      fact: isUncounted ? { ...fact, counted: false } : fact,
      round,
      before,
      changes,
      startsVoting: startsVoting(applied),
    }
  }
}

/** What the state has otherwise than the log, after the facts of the block. */
const compareWithState = (
  { readings, times, sourced, isListDue }: DraftHeight,
  open: OpenProposals,
  answers: StateAnswers,
): RawFact[] => {
  const { height, time } = sourced.block
  const nowMs = toEpochMs(time)
  const at = { times: times ?? { previousMs: nowMs, nowMs }, height }
  const facts: RawFact[] = []
  for (const [proposalId, answer] of answers) {
    const cause = readings.get(proposalId) ?? (isListDue ? 'periodic' : undefined)
    if (!cause || facts.length === MAX_FINDINGS) continue
    const proposal = open.get(proposalId)
    const finding = proposal
      ? findDifference(proposal, answer, at)
      : findUnknown(answer, open.endedRound(proposalId) !== undefined)
    if (!finding) continue
    const ordinal = ORDINAL.firstReading + facts.length
    const origin = { ordinal, sub: 0, abciOrdinal: ordinal, txIndex: null }
    const none = { result: null, log: null }
    facts.push({ ...origin, ...none, kind: 'reconciled', proposalId, finding, cause })
  }
  return facts
}

type Planning = Pick<Governance, 'open' | 'proofs'>

/** `previousTimeMs`: time of the block before the first planned one; undefined if no block is indexed. */
export const createPlanner = (planned: Planning, previousTimeMs: number | undefined): Planner => {
  const { open, proofs } = planned
  let previousMs = previousTimeMs
  let isFirst = true
  const draft = (sourced: SourcedBlock): DraftHeight => {
    const { block } = sourced
    const derived = derive(block)
    const times =
      previousMs === undefined ? undefined : { previousMs, nowMs: toEpochMs(block.time) }
    const read = listReadings(sourced, derived, { open, times })
    const isListDue = times !== undefined && (isFirst || isDueAt(times))
    // A list is that of one endpoint: it ends no doubt.
    const doubted = isListDue ? open.list().filter(isRefutable) : []
    const asks = new Set([
      ...listUnclear(derived.facts, open),
      ...read.readings.keys(),
      ...doubted.map(({ proposalId }) => proposalId),
    ])
    isFirst = false
    return { sourced, derived, times, ...read, asks, isListDue }
  }
  const plan = (height: DraftHeight, answers: StateAnswers = new Map()): PlannedHeight => {
    const { sourced, derived } = height
    const { block, tip } = sourced
    const { facts, foreignEvents, movedStake } = derived
    const dueProofs = proofs.takeDue(block.height)
    const apply = createApply(planned, block.height, answers)
    const own = facts.map(apply).filter((fact) => fact !== undefined)
    const found = compareWithState(height, open, answers).map(apply)
    previousMs = toEpochMs(block.time)
    const closing = own.flatMap(({ before }) => before ?? [])
    for (const { vote } of [...open.list(), ...closing]) noteMovedStake(vote, movedStake)
    return {
      block,
      tip,
      facts: [...own, ...found.filter((fact) => fact !== undefined)],
      openSince: open.openSince(),
      times: height.times,
      dueProofs,
      // With facts that are left out: their proposal is neither in the log nor in the state.
      foreignEvents: foreignEvents + facts.length - own.length,
    }
  }
  return { draft, plan }
}
