// Formats parameter values: shares as percent, durations in days and hours, coins in display units.
import { formatDecimal, toAtto } from '../../ingest/contract/decimal.ts'
import { groupThousands } from '../display-unit.ts'
import { pluralize, splitDuration } from '../in-words.ts'
import { boundedJson } from './cut.ts'
import { type Coin, isCoin, isDigits } from './members.ts'
import { amountText, type UnitLookup } from './units.ts'

const DECIMAL = /^[0-9]{1,2}\.[0-9]{1,18}$/
/** Names of parameters that are shares of 1. */
const SHARE =
  /quorum|threshold|ratio|rate|tax|fraction|commission|inflation|bonded|reward|percent|share|min_signed/i

/** `0.334` → `33.4 %`, exact. Undefined if it is not a decimal from 0 to 1. */
export const percentText = (decimal: unknown): string | undefined => {
  if (typeof decimal !== 'string' || !DECIMAL.test(decimal)) return undefined
  const atto = toAtto(decimal)
  return atto === undefined || atto > 10n ** 18n ? undefined : `${formatDecimal(atto * 100n)} %`
}

const DURATION = /^([0-9]{1,12})(\.[0-9]{1,9})?s$/

/** `172800s` → `2 days`, exact. Undefined if it is not a duration. */
export const durationText = (duration: unknown): string | undefined => {
  if (typeof duration !== 'string') return undefined
  const [, whole, fraction = ''] = DURATION.exec(duration) ?? []
  if (whole === undefined) return undefined
  const units = splitDuration(Number(whole)).map(({ unit, count }) =>
    unit === 'second'
      ? { unit, count: `${count}${fraction.replace(/\.?0+$/, '')}` }
      : { unit, count: `${count}` },
  )
  const shown = units.filter(({ count }) => count !== '0')
  const parts = shown.length > 0 ? shown : units.slice(-1)
  return parts.map(({ unit, count }) => pluralize(count, unit)).join(' ')
}

const readableText = (name: string, text: string): string => {
  if (text === '') return '(empty)'
  const share = SHARE.test(name) ? percentText(text) : undefined
  return share ?? durationText(text) ?? (isDigits(text) ? groupThousands(text) : undefined) ?? text
}

const isCoins = (value: unknown): value is Coin[] =>
  Array.isArray(value) && value.length > 0 && value.every(isCoin)

/** Formats a value of the parameter `name`. A value without a known format is JSON. */
export const readable = (name: string, value: unknown, findUnit: UnitLookup): string => {
  if (typeof value === 'string') return readableText(name, value)
  if (isCoin(value)) return amountText(value, findUnit)
  if (isCoins(value)) return value.map((coin) => amountText(coin, findUnit)).join(', ')
  return boundedJson(value)
}
