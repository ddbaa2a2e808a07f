// The comparison of a recomputed tally with the chain's. Pure.
import type { TallyCounts } from '../contract/facts.ts'
import { OPTION_KEYS, type OptionSums } from '../contract/option-sums.ts'

/** An option that the tally of the chain does not have is equal to an option without votes. */
const isSame = (option: keyof OptionSums, left: TallyCounts, right: TallyCounts): boolean =>
  (left[option] ?? '0') === (right[option] ?? '0')

export const sameCounts = (left: TallyCounts, right: TallyCounts): boolean =>
  OPTION_KEYS.every((option) => isSame(option, left, right))

/** `reason` is null if the answer is `yes`, as in `matchesChainReason` of the read API. */
export type MatchesChain =
  | { matchesChain: 'yes'; reason: null }
  | { matchesChain: 'no' | 'unknown'; reason: string }

export type Comparison = {
  /** Undefined if nothing was recomputed. */
  recomputed: TallyCounts | undefined
  /** Null if the chain's own tally could not be read. */
  chain: TallyCounts | null
  /** Why the evidence is incomplete; null if it is complete. */
  incompleteReason: string | null
}

const describeOption = (option: string, ours: string | null, chain: string | null): string => {
  if (chain === null) return `${option} ${ours}, the chain has no such option`
  const more = BigInt(chain) - BigInt(ours ?? '0')
  const difference = more > 0n ? `${more} more` : `${-more} less`
  return `${option} ${ours}, the chain has ${chain}: ${difference}`
}

const unknown = (reason: string): MatchesChain => ({ matchesChain: 'unknown', reason })

export const compareWithChain = ({
  recomputed,
  chain,
  incompleteReason,
}: Comparison): MatchesChain => {
  if (incompleteReason !== null) return unknown(incompleteReason)
  if (!recomputed) return unknown('this chain tallies votes by its own rules')
  if (!chain) return unknown('the chain’s own final tally is unknown')
  if (sameCounts(recomputed, chain)) return { matchesChain: 'yes', reason: null }
  const differing = OPTION_KEYS.filter((option) => !isSame(option, recomputed, chain)).map(
    (option) => describeOption(option, recomputed[option], chain[option]),
  )
  return { matchesChain: 'no', reason: `recomputed ${differing.join('; ')}` }
}
