// Converts the options of a vote for rows, without members that have no column.
import type { WeightedOption } from '../../ingest/contract/facts.ts'
import { findWholeOption, WHOLE_WEIGHT } from '../../ingest/tally/option-sums.ts'

/** One object for all votes that are not split: they are the largest part of a commit. */
const WHOLE: ReadonlyMap<string, readonly WeightedOption[]> = new Map(
  ['yes', 'abstain', 'no', 'no_with_veto'].map((option) => [
    option,
    [{ option, weight: WHOLE_WEIGHT }],
  ]),
)

export const optionTuples = (options: readonly WeightedOption[]): readonly WeightedOption[] =>
  WHOLE.get(findWholeOption(options) ?? '') ??
  options.map(({ option, weight }) => ({ option, weight }))
