// Plans one height in order and without reads: its facts with their rounds, and the state to read.
import { toEpochMs } from './chain/time.ts'
import type { Block } from './comet/block.ts'
import type { SourcedBlock } from './comet/node.ts'
import type { RawFact } from './derive/raw-fact.ts'
import { changesPools, hasSlashing } from './derive/stake-hints.ts'
import { derive } from './derive.ts'
import type { Applied, OpenProposals } from './open-proposals.ts'
import { createPendingProofs, type DueProofs, type PendingProofs } from './pending-proofs.ts'

export type PlannedFact = Applied & { fact: RawFact }

export type PlannedHeight = {
  block: Block
  tip: number
  facts: readonly PlannedFact[]
  /** Voters with a ballot on an open proposal and possibly changed delegations. */
  changedVoters: readonly string[]
  /** A pool was slashed during a vote: delegations may have changed without an event that names them. */
  slashed: boolean
  /** The pools to report as of this height. */
  observe: 'all_pools' | 'changed_pools' | 'nothing'
  /** Whether to read the parameters too. */
  observesParams: boolean
  openSince: number | null
  /** The proofs of the two heights before; absent if none is due. */
  dueProofs?: DueProofs | undefined
  /** Number of events of other modules with the type of a governance event. */
  foreignEvents?: number
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

/** Uses only the time of the block, so that a restart reads at the same heights. */
const entersNewPeriod = (previousMs: number, { block, tip }: SourcedBlock): boolean => {
  const periodMs = tip - block.height > BACKFILL_DISTANCE ? BACKFILL_PERIOD_MS : LIVE_PERIOD_MS
  return Math.floor(toEpochMs(block.time) / periodMs) !== Math.floor(previousMs / periodMs)
}

export type Planner = (sourced: SourcedBlock) => PlannedHeight

/** `previousTimeMs`: time of the block before the first planned one; undefined if no block is indexed. */
export const createPlanner = (
  open: OpenProposals,
  previousTimeMs: number | undefined,
  pending: PendingProofs = createPendingProofs(),
): Planner => {
  let previousMs = previousTimeMs
  const apply = (fact: RawFact, height: number): PlannedFact => {
    const applied = open.applyFact(fact, height)
    pending.applyFact(fact, applied.round, height)
    return { fact, ...applied }
  }
  return (sourced) => {
    const { block, tip } = sourced
    const { facts, movedStake, foreignEvents } = derive(block)
    const changedVoters = [...movedStake].filter((account) => open.hasBallot(account)).sort()
    // Before or after the block: a vote that is canceled here keeps the numbers of this height.
    const wasVoting = open.isAnyVoting()
    const slashed = wasVoting && hasSlashing(block)
    const dueProofs = pending.takeDue(block.height)
    const planned = facts.map((fact) => apply(fact, block.height))
    const isDue = previousMs !== undefined && entersNewPeriod(previousMs, sourced)
    previousMs = toEpochMs(block.time)
    const isEdge = planned.some(
      ({ fact, startsVoting }) => startsVoting || VOTE_EDGES.has(fact.kind),
    )
    const isVoting = wasVoting || open.isAnyVoting()
    const isReadDue = isVoting && isDue
    const observesPools = isReadDue || (isVoting && changesPools(block))
    const isSubmission = planned.some(({ fact }) => fact.kind === 'submitted')
    return {
      block,
      tip,
      facts: planned,
      changedVoters,
      slashed,
      observe: isEdge ? 'all_pools' : observesPools ? 'changed_pools' : 'nothing',
      observesParams: isEdge || isReadDue || isSubmission,
      openSince: open.openSince(),
      dueProofs,
      foreignEvents,
    }
  }
}
