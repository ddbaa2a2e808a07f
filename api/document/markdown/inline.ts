// Shared parts of lines in Markdown: options, amounts and their unit.
import type { Coin } from '../../../ingest/contract/facts.ts'
import { convertToUnit, NOT_KNOWN, percent } from '../../display-unit.ts'
import type { PageContext } from '../context.ts'
import type { Choice } from '../line.ts'
import { inline } from './text.ts'

/** `yes`, or each option with its weight for a split vote. */
export const choicesText = (options: readonly Choice[]): string => {
  const [only, ...others] = options
  const optionName = (option: string) => inline(option.replaceAll('_', ' '))
  if (only && others.length === 0) return optionName(only.option)
  return options.map(({ option, weight }) => `${optionName(option)} ${percent(weight)}`).join(', ')
}

/** The exact amount, in the display unit of the chain if it has one. */
export const amountText = (base: string | null, { unit }: Pick<PageContext, 'unit'>): string => {
  if (base === null) return NOT_KNOWN
  const shown = unit && convertToUnit(base, unit)
  return unit && shown !== undefined ? `${shown} ${inline(unit.name)}` : inline(base)
}

/** An amount with its denom. Only the denom of the display unit is converted to it. */
const coinText = ({ denom, amount }: Coin, at: PageContext): string =>
  at.unit?.denom === denom ? amountText(amount, at) : `${inline(amount)} ${inline(denom)}`

export const coinsText = (coins: readonly Coin[], at: PageContext): string =>
  coins.map((coin) => coinText(coin, at)).join(', ') || 'none'

export const describeUnit = ({ unit }: Pick<PageContext, 'unit'>): string => {
  if (!unit) return 'Amounts are in the smallest unit of the chain.'
  const [name, denom] = [inline(unit.name), inline(unit.denom)]
  const inBase = `1 ${name} = ${10n ** BigInt(unit.decimals)} ${denom}`
  return `Amounts are exact, in ${name}; the JSON has ${denom} (${inBase}).`
}
