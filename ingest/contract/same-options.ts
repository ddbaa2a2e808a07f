// Whether two votes are the same, for ingest and the fold.
import type { WeightedOption } from './facts.ts'

const formatOptions = (options: readonly WeightedOption[]): string =>
  options
    .map(({ option, weight }) => `${option} ${weight}`)
    .sort()
    .join(',')

/** The same options with the same weights, whatever their order. */
export const sameOptions = (
  one: readonly WeightedOption[],
  other: readonly WeightedOption[],
): boolean => formatOptions(one) === formatOptions(other)
