// Measures subject and baseline in turn, A B A B, so that both run under the same conditions.
// Each pair gives a ratio; the result is the median with the spread of the pairs.

export type Spread = { median: number; min: number; max: number }

export type Pairs = { subject: Spread; baseline: Spread; ratio: Spread }

export type Sides = {
  /** Both return a figure in the same unit. */
  subject: () => Promise<number>
  baseline: () => Promise<number>
}

export type Side = { label: string; figure: Spread }

export type Finding = {
  name: string
  unit: string
  subject: Side
  baseline: Side
  ratio: Spread
  /** The smallest ratio that the project guarantees, or null without a guarantee. */
  target: number | null
  /** `most`: the figures are costs, and the target is the largest ratio that is guaranteed. */
  bound?: 'most'
  notes: readonly string[]
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

export const measurePairs = async (
  sides: Sides,
  options: { pairs: number; log: (line: string) => void },
): Promise<Pairs> => {
  const subject: number[] = []
  const baseline: number[] = []
  for (let pair = 1; pair <= options.pairs; pair++) {
    const a = await sides.subject()
    const b = await sides.baseline()
    subject.push(a)
    baseline.push(b)
    options.log(`pair ${pair}: ${Math.round(a)} against ${Math.round(b)}, ${(a / b).toFixed(3)}`)
  }
  return {
    subject: computeSpread(subject),
    baseline: computeSpread(baseline),
    ratio: computeSpread(subject.map((value, index) => value / baseline[index]!)),
  }
}

export const isMet = ({ ratio, target, bound }: Finding): boolean | null => {
  if (target === null) return null
  return bound === 'most' ? ratio.median <= target : ratio.median >= target
}
