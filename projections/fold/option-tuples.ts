// Converts the options of a vote for rows, without members that have no column.
import { findWholeOption, WHOLE_WEIGHT } from '../../ingest/tally/option-sums.ts'
import type { OptionTuple } from '../contract/read-model.ts'

/** One object for all votes that are not split: they are the largest part of a commit. */
const WHOLE: ReadonlyMap<string, readonly OptionTuple[]> = new Map(
  ['yes', 'abstain', 'no', 'no_with_veto'].map((option) => [
    option,
    [{ option, weight: WHOLE_WEIGHT }],
  ]),
)

export const optionTuples = (options: readonly OptionTuple[]): readonly OptionTuple[] =>
  WHOLE.get(findWholeOption(options) ?? '') ??
  options.map(({ option, weight }) => ({ option, weight }))
