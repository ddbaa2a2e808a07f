// What a measurement is. It measures subject and baseline in turn, A B A B, so that both run under the same conditions.
// Each pair gives a ratio; the result is the median with the spread of the pairs.
import type { Scope } from './scope.ts'

export type Spread = { median: number; min: number; max: number }

export type Figures = { subject: Spread; baseline: Spread; ratio: Spread }

export type Finding = {
  name: string
  unit: string
  /** What was measured, and against what. */
  labels: { subject: string; baseline: string }
  figures: Figures
  /** The smallest ratio that the project guarantees, or null without a guarantee. */
  target: number | null
  /** `most`: the figures are costs, and the target is the largest ratio that is guaranteed. */
  bound?: 'most'
  notes: readonly string[]
}

export type BenchContext = {
  scope: Scope
  /** How often subject and baseline are measured. */
  pairs: number
  /** Of the quiet chain, if it is not to have the usual number. */
  heights: number | undefined
  /** Progress, on standard error. */
  log(line: string): void
}

export type Measurement = {
  name: string
  question: string
  run(context: BenchContext): Promise<readonly Finding[]>
}

export const computeSpread = (values: readonly number[]): Spread => {
  if (values.length === 0) throw new RangeError('a median needs at least one figure')
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle]!
  const median = sorted.length % 2 === 1 ? upper : (sorted[middle - 1]! + upper) / 2
  return { median, min: sorted[0]!, max: sorted.at(-1)! }
}

/** The smallest value that at least `share` of all values do not exceed. */
export const computePercentile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const found = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]
  if (found === undefined) throw new RangeError('a percentile needs at least one figure')
  return found
}

/** The figures of each pair. */
export const compareFigures = (
  subject: readonly number[],
  baseline: readonly number[],
): Figures => ({
  subject: computeSpread(subject),
  baseline: computeSpread(baseline),
  ratio: computeSpread(subject.map((value, index) => value / baseline[index]!)),
})

/** Both sides return a figure in the same unit. */
export const measurePairs = async (
  sides: { subject: () => Promise<number>; baseline: () => Promise<number> },
  { pairs, log }: Pick<BenchContext, 'pairs' | 'log'>,
): Promise<Figures> => {
  const subject: number[] = []
  const baseline: number[] = []
  for (let pair = 1; pair <= pairs; pair++) {
    const a = await sides.subject()
    const b = await sides.baseline()
    subject.push(a)
    baseline.push(b)
    log(`pair ${pair}: ${Math.round(a)} against ${Math.round(b)}, ${(a / b).toFixed(3)}`)
  }
  return compareFigures(subject, baseline)
}

export const isMet = ({ figures: { ratio }, target, bound }: Finding): boolean | null => {
  if (target === null) return null
  return bound === 'most' ? ratio.median <= target : ratio.median >= target
}
