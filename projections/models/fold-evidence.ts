// Applies a tally's evidence to the round that ended: what it adds up to, and who made it up. Says why where it cannot.
import type { GovernanceEvent } from '../../ingest/contract/events.ts'
import { type Evidence, gatherEvidence } from './evidence.ts'
import { computeExactTally, type ExactTally, exactTallyOf } from './exact-tally.ts'
import type { FoldContext } from './fold-event.ts'

/** By the evidence's key. */
export type PreparedTallies = ReadonlyMap<string, ExactTally>

type Outcome = { exact: ExactTally } | { problem: string }

const outcomeOf = (evidence: Evidence, prepared: PreparedTallies | undefined): Outcome => {
  if (evidence.problem !== null) return { problem: evidence.problem }
  try {
    return { exact: prepared?.get(evidence.key) ?? exactTallyOf(evidence) }
  } catch (error) {
    return { problem: `the evidence of the tally cannot be counted: ${(error as Error).message}` }
  }
}

export const applyEvidence = (
  { proposals }: FoldContext,
  events: readonly GovernanceEvent[],
  prepared: PreparedTallies | undefined,
): void => {
  for (const evidence of gatherEvidence(events)) {
    const ended = proposals.endedRound(evidence.proposalId, evidence.round)
    if (ended?.vote.end?.by !== 'tallied') continue
    const { proposal, vote } = ended
    const outcome = outcomeOf(evidence, prepared)
    if ('exact' in outcome) {
      vote.fold.adopt(outcome.exact, evidence.moment)
      vote.end = { ...ended.vote.end, recomputed: outcome.exact.tally.counts }
    } else {
      vote.end = { ...ended.vote.end, notRecomputed: outcome.problem }
    }
    proposals.noteVote(proposal, vote, evidence.moment)
  }
}

/**
 * Computes the tallies that these events give evidence of, with a `pause` now and then, so that a long
 * one keeps nobody waiting. What cannot be counted is left for `applyEvidence` to say.
 */
export const prepareTallies = async (
  events: Iterable<GovernanceEvent>,
  pause: () => Promise<unknown>,
): Promise<PreparedTallies> => {
  const prepared = new Map<string, ExactTally>()
  for (const evidence of gatherEvidence(events)) {
    if (evidence.problem !== null) continue
    try {
      const slices = computeExactTally(evidence)
      for (;;) {
        const { done, value } = slices.next()
        if (done) {
          prepared.set(evidence.key, value)
          break
        }
        await pause()
      }
    } catch {}
  }
  return prepared
}
