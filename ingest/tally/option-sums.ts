// Four sums, one per option of x/gov; power on unknown options counts only in totals.

import { ATTO, mul, parseDecimal } from '../contract/decimal.ts'
import type { WeightedOption } from '../contract/facts.ts'
import type { OptionSums } from '../contract/option-sums.ts'

const KEY_OF: ReadonlyMap<string, keyof OptionSums> = new Map([
  ['yes', 'yes'],
  ['abstain', 'abstain'],
  ['no', 'no'],
  ['no_with_veto', 'noWithVeto'],
])

export const zeroSums = (): OptionSums => ({ yes: 0n, abstain: 0n, no: 0n, noWithVeto: 0n })

/** The weight of a vote for one option: nearly all votes. */
export const WHOLE_WEIGHT = '1.000000000000000000'

/** The option of a vote for one option. */
export const findWholeOption = (options: readonly WeightedOption[]): string | undefined =>
  options.length === 1 && options[0]?.weight === WHOLE_WEIGHT ? options[0].option : undefined

/** Options with their weights in atto, parsed once per ballot. */
export type Weights = readonly { key: keyof OptionSums | undefined; weight: bigint }[]

/** One object for all votes for one option. */
const WHOLE_WEIGHTS: ReadonlyMap<string, Weights> = new Map(
  [...KEY_OF].map(([option, key]) => [option, [{ key, weight: ATTO }]]),
)

export const toWeights = (options: readonly WeightedOption[]): Weights =>
  WHOLE_WEIGHTS.get(findWholeOption(options) ?? '') ??
  options.map(({ option, weight }) => ({ key: KEY_OF.get(option), weight: parseDecimal(weight) }))

/** Adds `amountOf(weight)` to the sum of each option. */
export const addWeighted = (
  sums: OptionSums,
  weights: Weights,
  amountOf: (weight: bigint) => bigint,
): void => {
  for (const { key, weight } of weights) if (key) sums[key] += amountOf(weight)
}

export const mapSums = (sums: OptionSums, change: (value: bigint) => bigint): OptionSums => ({
  yes: change(sums.yes),
  abstain: change(sums.abstain),
  no: change(sums.no),
  noWithVeto: change(sums.noWithVeto),
})

export const plus = (one: OptionSums, other: OptionSums): OptionSums => ({
  yes: one.yes + other.yes,
  abstain: one.abstain + other.abstain,
  no: one.no + other.no,
  noWithVeto: one.noWithVeto + other.noWithVeto,
})

/**
 * What options have more if the sum of the parts is rounded, not each part: AtomOne adds up the power of a governor first.
 * Zero unless the vote is split.
 */
export const findRoundingRest = (parts: readonly bigint[], weights: Weights): OptionSums => {
  const rest = zeroSums()
  const whole = parts.reduce((sum, part) => sum + part, 0n)
  addWeighted(rest, weights, (weight) =>
    parts.reduce((left, part) => left - mul(part, weight), mul(whole, weight)),
  )
  return rest
}
