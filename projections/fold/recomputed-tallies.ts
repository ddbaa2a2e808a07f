// Recomputes the tallies with evidence in a height's events, or gives the reason why that is not possible.
import type { GovernanceEvent } from '../../ingest/contract/events.ts'
import type { Change, Origin } from './change.ts'
import { type Evidence, gatherEvidence } from './evidence.ts'
import { computeExactTally, type ExactTally } from './exact-tally.ts'
import { asFoldError, FoldError, foldFailure } from './fold-error.ts'

type Recomputed = ExactTally | { problem: string }

/** By the key of the evidence. */
export type PreparedTallies = ReadonlyMap<string, Recomputed>

export type TallyChange = {
  change: Extract<Change, { kind: 'tally_recomputed' }>
  origin: Origin
}

/** Yields at points where the caller may pause. */
function* recompute(evidence: Evidence): Generator<undefined, Recomputed> {
  if (evidence.problem !== null) return { problem: evidence.problem }
  try {
    return yield* computeExactTally(evidence)
  } catch (caught) {
    const error = asFoldError(caught)
    if (error instanceof FoldError) {
      return { problem: `the evidence cannot be tallied: ${error.message}` }
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

/** Tallies that are not `prepared` are computed at once. */
export const recomputedTallies = (
  events: readonly GovernanceEvent[],
  prepared: PreparedTallies | undefined,
  offset: bigint,
): TallyChange[] =>
  gatherEvidence(events).map((evidence) => {
    const { proposalId, round, at, key } = evidence
    const tally = prepared?.get(key) ?? recomputeAtOnce(evidence)
    return {
      change: { kind: 'tally_recomputed', proposalId, round, tally },
      origin: { at, offset },
    }
  })

/** Computes the tallies of these events in steps, with a `pause` between them, so that other work can run. */
export const prepareTallies = async (
  events: Iterable<GovernanceEvent>,
  pause: () => Promise<unknown>,
): Promise<PreparedTallies> => {
  const prepared = new Map<string, Recomputed>()
  for (const evidence of gatherEvidence(events)) {
    // A height that the log repeats has its chunks twice: the fold of the height handles that.
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
