// How a chain adds votes up, as configured, and whether what comes out is what the chain itself says. Pure.
import type { TallyCounts, TallyStrategy } from '../contract/facts.ts'
import { type Tally, type TallyBallot, type TallyPool, tally } from './tally.ts'

export type TallyInputs = { pools: readonly TallyPool[]; ballots: Iterable<TallyBallot> }

/** Undefined where the chain's rules are its own: nothing of ours would be its tally. */
export const recompute = (
  strategy: TallyStrategy,
  { pools, ballots }: TallyInputs,
): Tally | undefined => (strategy === 'none' ? undefined : tally(pools, ballots, strategy))

const OPTIONS = ['yes', 'abstain', 'no', 'noWithVeto'] as const

export const sameCounts = (left: TallyCounts, right: TallyCounts): boolean =>
  OPTIONS.every((option) => left[option] === right[option])

/** `reason` is null when the answer is `yes`, as `matchesChainReason` of the read API. */
export type MatchesChain =
  | { matchesChain: 'yes'; reason: null }
  | { matchesChain: 'no' | 'unknown'; reason: string }

export type Comparison = {
  /** Undefined where nothing was recomputed. */
  recomputed: TallyCounts | undefined
  /** Null where the chain's own could not be read. */
  chain: TallyCounts | null
  /** Why the evidence lacks something; null when it is whole. */
  incompleteReason: string | null
}

const unknown = (reason: string): MatchesChain => ({ matchesChain: 'unknown', reason })

export const compareWithChain = ({
  recomputed,
  chain,
  incompleteReason,
}: Comparison): MatchesChain => {
  if (incompleteReason !== null) return unknown(incompleteReason)
  if (!recomputed) return unknown('this chain counts votes by rules of its own')
  if (!chain) return unknown('the chain’s own final tally is not known')
  if (sameCounts(recomputed, chain)) return { matchesChain: 'yes', reason: null }
  const differing = OPTIONS.filter((option) => recomputed[option] !== chain[option]).map(
    (option) => `${option} ${recomputed[option]}, the chain has ${chain[option]}`,
  )
  return { matchesChain: 'no', reason: `recomputed ${differing.join('; ')}` }
}
