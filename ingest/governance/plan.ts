// Plans one height in order and without reads: its facts with their rounds, and the state to read. A height may first ask for the
// state of some proposals after it: then the next height is planned only after the answer.
import { toEpochMs } from '../chain/time.ts'
import type { Block } from '../comet/block.ts'
import type { SourcedBlock } from '../comet/node.ts'
import { ORDINAL } from '../contract/envelope.ts'
import type { Cause } from '../contract/governance/fact.ts'
import { decide, findClosed } from '../contract/governance/lifecycle.ts'
import { type Derived, derive } from '../derive/derive.ts'
import type { RawFact } from '../derive/raw-fact.ts'
import { changesPools, hasSlashing } from '../derive/stake-hints.ts'
import { type Planned, planFact } from './governance.ts'
import { type Applied, DURING, type OpenProposals } from './open-proposals.ts'
import type { DueProofs } from './pending-proofs.ts'
import {
  type BlockTimes,
  decideResult,
  findDifference,
  findDueReading,
  findMentions,
  isUndecided,
  type StateAnswer,
  type StateAnswers,
} from './state-check.ts'

export type PlannedFact = Pick<Applied, 'round' | 'before'> & {
  fact: RawFact
  /** The vote was unknown before this fact. */
  startsVoting: boolean
}

export type PlannedHeight = {
  block: Block
  tip: number
  facts: readonly PlannedFact[]
  /** Voters with a ballot on an open proposal and possibly changed delegations, or with delegations that were not read yet. */
  changedVoters: readonly string[]
  /** A pool was slashed during a vote: delegations may have changed without an event that names them. */
  slashed: boolean
  /** The pools to report as of this height. */
  observe: 'all_pools' | 'changed_pools' | 'nothing'
  /** Whether to read the parameters too. */
  observesParams: boolean
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
  /** Open proposals to compare with the state, and why. */
  readings: ReadonlyMap<string, Cause>
  /** Every proposal to read; empty at nearly every height. */
  asks: ReadonlySet<string>
}

/**
 * Block time between two reads of parameters and pools during a vote, in addition to reads that the events
 * cause. No event reports a new moniker, or parameters that an upgrade changed.
 */
const LIVE_PERIOD_MS = 30_000
/** Far behind the tip the interval is longer: these reads change no vote. */
const BACKFILL_PERIOD_MS = 600_000
const BACKFILL_DISTANCE = 1_000

const VOTE_EDGES: ReadonlySet<RawFact['kind']> = new Set(['voting_started', 'closed', 'restarted'])

const isVoteEdge = (fact: RawFact): boolean =>
  VOTE_EDGES.has(fact.kind) ||
  (fact.kind === 'reconciled' && ['closed', 'restarted'].includes(fact.finding))

/** Uses only the time of the block, so that a restart reads at the same heights. */
const entersNewPeriod = (previousMs: number, { block, tip }: SourcedBlock): boolean => {
  const periodMs = tip - block.height > BACKFILL_DISTANCE ? BACKFILL_PERIOD_MS : LIVE_PERIOD_MS
  return Math.floor(toEpochMs(block.time) / periodMs) !== Math.floor(previousMs / periodMs)
}

export type Planner = {
  /** Call in order, each height once, before `plan`. */
  draft(sourced: SourcedBlock): DraftHeight
  /** Without an answer a fact counts as its text says, and no proposal is compared. */
  plan(draft: DraftHeight, answers?: StateAnswers): PlannedHeight
}

/** The facts of a proposal that show its state after the height. */
const STARTS: ReadonlySet<RawFact['kind']> = new Set(['submitted', 'voting_started', 'restarted'])

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

/** The open proposals to read after the block. */
const listReadings = (
  { block }: SourcedBlock,
  { facts }: Derived,
  { open, times }: { open: OpenProposals; times: BlockTimes | undefined },
): Map<string, Cause> => {
  const isEnd = (fact: RawFact) =>
    findClosed(decide(open.get(fact.proposalId ?? ''), fact)) !== undefined
  const ended = new Set(facts.filter(isEnd).map(({ proposalId }) => proposalId))
  const proposals = open.list().filter(({ proposalId }) => !ended.has(proposalId))
  const read = new Set(facts.map(({ abciOrdinal }) => abciOrdinal))
  const ids = new Set(proposals.map(({ proposalId }) => proposalId))
  const mentioned = findMentions(block, { open: ids, read })
  const readings = new Map<string, Cause>()
  for (const proposal of proposals) {
    const { proposalId } = proposal
    const due = times && findDueReading(proposal, times, block.height)
    const cause = mentioned.has(proposalId) ? 'event' : due
    if (cause) readings.set(proposalId, cause)
  }
  return readings
}

/** A round that begins after another one continues the vote. */
const startsVoting = ({ changes }: Applied): boolean =>
  changes.find(({ kind }) => kind === 'round_begun' || kind === 'round_ended')?.kind ===
  'round_begun'

/** Applies the facts of one height in order. */
const createApply = (planned: Planned, height: number, answers: StateAnswers) => {
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
    const { round, before } = applied
    const isUncounted = applied.isLate && fact.kind === 'vote_cast'
    return {
      fact: isUncounted ? { ...fact, counted: false } : fact,
      round,
      before,
      startsVoting: startsVoting(applied),
    }
  }
}

/** What the state has otherwise than the log, after the facts of the block. */
const compareWithState = (
  { readings, times, sourced }: DraftHeight,
  open: OpenProposals,
  answers: StateAnswers,
): RawFact[] => {
  const { height, time } = sourced.block
  const nowMs = toEpochMs(time)
  const at = { times: times ?? { previousMs: nowMs, nowMs }, height }
  const facts: RawFact[] = []
  for (const [proposalId, cause] of readings) {
    const proposal = open.get(proposalId)
    const answer = answers.get(proposalId)
    if (!proposal || !answer || facts.length === MAX_FINDINGS) continue
    const finding = findDifference(proposal, answer, at)
    if (!finding) continue
    const ordinal = ORDINAL.firstReading + facts.length
    const origin = { ordinal, sub: 0, abciOrdinal: ordinal, txIndex: null }
    const none = { result: null, log: null }
    facts.push({ ...origin, ...none, kind: 'reconciled', proposalId, finding, cause })
  }
  return facts
}

/** A voter who votes is read anyway. */
const listVoters = (facts: readonly RawFact[]): string[] =>
  facts.flatMap((fact) => (fact.kind === 'vote_cast' && fact.voter !== null ? [fact.voter] : []))

/** `previousTimeMs`: time of the block before the first planned one; undefined if no block is indexed. */
export const createPlanner = (planned: Planned, previousTimeMs: number | undefined): Planner => {
  const { open, proofs, unread } = planned
  let previousMs = previousTimeMs
  const listChangedVoters = ({ derived, sourced }: DraftHeight): string[] => {
    const moved = [...derived.movedStake].filter((account) => open.hasBallot(account))
    const named = [...moved, ...listVoters(derived.facts)]
    const behind = sourced.tip - sourced.block.height
    const further = unread.take(named, previousMs === undefined ? 'first height' : behind)
    return [...new Set([...moved, ...further])].sort()
  }
  const draft = (sourced: SourcedBlock): DraftHeight => {
    const { block } = sourced
    const derived = derive(block)
    const times =
      previousMs === undefined ? undefined : { previousMs, nowMs: toEpochMs(block.time) }
    const readings = listReadings(sourced, derived, { open, times })
    const asks = new Set([...listUnclear(derived.facts, open), ...readings.keys()])
    return { sourced, derived, times, readings, asks }
  }
  const plan = (height: DraftHeight, answers: StateAnswers = new Map()): PlannedHeight => {
    const { sourced, derived } = height
    const { block, tip } = sourced
    const { facts, foreignEvents } = derived
    const changedVoters = listChangedVoters(height)
    // Before or after the block: a vote that is canceled here keeps the numbers of this height.
    const wasVoting = open.isAnyVoting()
    const slashed = wasVoting && hasSlashing(block)
    const dueProofs = proofs.takeDue(block.height)
    const apply = createApply(planned, block.height, answers)
    const own = facts.map(apply).filter((fact) => fact !== undefined)
    const found = compareWithState(height, open, answers).map(apply)
    const all = [...own, ...found.filter((fact) => fact !== undefined)]
    const isDue = previousMs !== undefined && entersNewPeriod(previousMs, sourced)
    previousMs = toEpochMs(block.time)
    const isEdge = all.some(({ fact, startsVoting }) => startsVoting || isVoteEdge(fact))
    const isVoting = wasVoting || open.isAnyVoting()
    const isReadDue = isVoting && isDue
    const observesPools = isReadDue || (isVoting && changesPools(block))
    const isSubmission = all.some(({ fact }) => fact.kind === 'submitted')
    return {
      block,
      tip,
      facts: all,
      changedVoters,
      slashed,
      observe: isEdge ? 'all_pools' : observesPools ? 'changed_pools' : 'nothing',
      observesParams: isEdge || isReadDue || isSubmission,
      openSince: open.openSince(),
      times: height.times,
      dueProofs,
      // With facts that are left out: their proposal is neither in the log nor in the state.
      foreignEvents: foreignEvents + facts.length - own.length,
    }
  }
  return { draft, plan }
}
