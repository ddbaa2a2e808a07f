// Counts, durations and sources of texts in words.
import type { ProposalSummary } from './schemas/proposal.ts'

/** `1 page`, `2 pages`. */
export const pluralize = (count: number | string, one: string, many = `${one}s`): string =>
  `${count} ${`${count}` === '1' ? one : many}`

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** The whole number of each unit, from days to seconds. */
export const splitDuration = (seconds: number) => {
  let rest = Math.floor(seconds)
  return UNITS.map(([unit, size]) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    return { unit, count }
  })
}

/** `about 3 days`: the largest unit, rounded down. */
export const durationInWords = (seconds: number): string => {
  const largest = splitDuration(seconds).find(({ count }) => count > 0)
  return largest ? `about ${pluralize(largest.count, largest.unit)}` : 'less than a second'
}

/** `title and description` if both texts of a proposal are from its metadata; empty if none is. */
export const textsFromMetadata = ({
  titleSource,
  summarySource,
}: Pick<ProposalSummary, 'titleSource' | 'summarySource'>): string =>
  [titleSource === 'metadata' && 'title', summarySource === 'metadata' && 'description']
    .filter(Boolean)
    .join(' and ')
