// Vote options of x/gov by number and by name. An unknown number stays a number.

import { normalizeDecimal } from '../contract/decimal.ts'
import type { WeightedOption } from '../contract/facts.ts'

const NAMES = ['option_0', 'yes', 'abstain', 'no', 'no_with_veto'] as const

const optionName = (number: number): string => NAMES[number] ?? `option_${number}`

/** Undefined if a weight is not a decimal. */
export const weightedOptions = (
  options: readonly { option: number; weight: string }[],
): WeightedOption[] | undefined => {
  const read: WeightedOption[] = []
  for (const { option, weight } of options) {
    const normalized = normalizeDecimal(weight)
    if (normalized === undefined || option < 0) return undefined
    read.push({ option: optionName(option), weight: normalized })
  }
  return read
}
