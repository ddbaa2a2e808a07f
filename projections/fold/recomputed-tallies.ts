// Recomputes the tallies that a height's events give evidence of, and says why where that is not possible.
import type { GovernanceEvent } from '../../ingest/contract/events.ts'
import type { Change, Origin } from './change.ts'
import { type Evidence, gatherEvidence } from './evidence.ts'
import { computeExactTally, type ExactTally } from './exact-tally.ts'
import { asFoldError, FoldError, foldFailure } from './fold-error.ts'

type Recomputed = ExactTally | { problem: string }

/** By the evidence's key. */
export type PreparedTallies = ReadonlyMap<string, Recomputed>

/** Yields where the caller may pause. */
function* recompute(evidence: Evidence): Generator<undefined, Recomputed> {
  if (evidence.problem !== null) return { problem: evidence.problem }
  try {
    return yield* computeExactTally(evidence)
  } catch (caught) {
    const error = asFoldError(caught)
    if (error instanceof FoldError) {
      return { problem: `the evidence of the tally cannot be counted: ${error.message}` }
    }
    const { proposalId, round, at } = evidence
    const what = `the evidence of proposal ${proposalId}, round ${round}, at height ${at.height}`
    throw foldFailure(what, error)
  }
}

const recomputeAtOnce = (evidence: Evidence): Recomputed => {
  const steps = recompute(evidence)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Tallies that are not among the `prepared` are computed at once. */
export const recomputedTallies = (
  events: readonly GovernanceEvent[],
  prepared: PreparedTallies | undefined,
  offset: bigint,
): { change: Change; origin: Origin }[] =>
  gatherEvidence(events).map((evidence) => {
    const { proposalId, round, at, key } = evidence
    const tally = prepared?.get(key) ?? recomputeAtOnce(evidence)
    return {
      change: { kind: 'tally_recomputed', proposalId, round, tally },
      origin: { at, offset },
    }
  })

/** Computes the tallies of these events in steps, with a `pause` between them, so that other work gets its turn. */
export const prepareTallies = async (
  events: Iterable<GovernanceEvent>,
  pause: () => Promise<unknown>,
): Promise<PreparedTallies> => {
  const prepared = new Map<string, Recomputed>()
  for (const evidence of gatherEvidence(events)) {
    // Its chunks may only be there twice, in a height that the log repeats: the fold of the height decides.
    if (evidence.problem !== null) continue
    const steps = recompute(evidence)
    for (;;) {
      const { done, value } = steps.next()
      if (done) {
        prepared.set(evidence.key, value)
        break
      }
      await pause()
    }
  }
  return prepared
}
