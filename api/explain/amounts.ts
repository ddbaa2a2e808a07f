// Formats amounts in the display unit of the bank metadata, or else in the configured unit, and their share of a whole.
import { ATTO, toAtto } from '../../ingest/contract/decimal.ts'
import { isJsonObject } from '../../ingest/contract/json.ts'
import {
  convertToUnit,
  type DisplayUnit,
  formatHundredths,
  groupThousands,
} from '../display-unit.ts'
import { type Coin, getList, getMember, getText } from './members.ts'
import type { ObservationLookup } from './observations.ts'

/** Undefined if amounts are shown in base units. */
export type UnitLookup = (denom: string) => DisplayUnit | undefined

const METADATA = '/cosmos.bank.v1beta1.Query/DenomMetadata'
const MAX_EXPONENT = 36
/** The creator of a denom writes its metadata, so only plain symbols are shown. */
const NAME = /^[A-Za-z][A-Za-z0-9._-]{0,15}$/

const getExponent = (unit: unknown): number | undefined => {
  const exponent = getMember(unit, 'exponent')
  return typeof exponent === 'number' &&
    Number.isInteger(exponent) &&
    exponent >= 0 &&
    exponent <= MAX_EXPONENT
    ? exponent
    : undefined
}

/** Undefined if the metadata has no larger display unit. */
export const unitFromMetadata = (metadata: unknown, denom: string): DisplayUnit | undefined => {
  const display = getText(metadata, 'display')
  const units = getList(metadata, 'denom_units').filter(isJsonObject)
  const exponentIn = (name: string | undefined) =>
    getExponent(units.find((unit) => getMember(unit, 'denom') === name))
  const [shown, base] = [exponentIn(display), exponentIn(denom)]
  const name = [getText(metadata, 'symbol'), display].find((each) => each && NAME.test(each))
  if (shown === undefined || base === undefined || name === undefined) return undefined
  return shown > base ? { name, denom, decimals: shown - base } : undefined
}

export const createUnitLookup = (
  findObservation: ObservationLookup,
  configured: DisplayUnit | undefined,
): UnitLookup => {
  const known = new Map<string, DisplayUnit | undefined>()
  const find = (denom: string): DisplayUnit | undefined =>
    unitFromMetadata(
      getMember(findObservation(METADATA, { denom })?.response, 'metadata'),
      denom,
    ) ?? (configured?.denom === denom ? configured : undefined)
  return (denom) => {
    if (!known.has(denom)) known.set(denom, find(denom))
    return known.get(denom)
  }
}

const LONGEST_WHOLE_DENOM = 28
const KEPT_START = 14
const KEPT_END = 8

export const shortDenom = (denom: string): string =>
  denom.length <= LONGEST_WHOLE_DENOM
    ? denom
    : `${denom.slice(0, KEPT_START)}…${denom.slice(-KEPT_END)}`

/** `1 000 ATOM`. Anyone can create a denom with a slash and any symbol, so the denom is shown as well. */
export const amountText = ({ denom, amount }: Coin, findUnit: UnitLookup): string => {
  const unit = findUnit(denom)
  const shown = unit && groupThousands(convertToUnit(amount, unit) ?? '')
  if (!unit || shown === undefined)
    return `${groupThousands(amount) ?? amount} ${shortDenom(denom)}`
  return `${shown} ${unit.name}${denom.includes('/') ? ` (${shortDenom(denom)})` : ''}`
}

const MAX_COINS = 3

/** `1 000 ATOM and 5 OSMO`, for a sentence. */
export const coinsText = (coins: readonly Coin[], findUnit: UnitLookup): string => {
  const texts = coins.slice(0, MAX_COINS).map((coin) => amountText(coin, findUnit))
  const others = coins.length - texts.length
  const parts = others > 0 ? [...texts, `${others} more`] : texts
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

/** More than a 256-bit integer with 18 places needs. */
const MAX_DECIMAL = 100
const HUNDREDTHS_OF_PERCENT = 10_000n

/** Truncated to hundredths of a percent. `whole` is a decimal: the community pool of x/distribution has parts of base units. Undefined if it is not a decimal. */
export const shareText = (part: string, whole: string): string | undefined => {
  const all = whole.length > MAX_DECIMAL ? undefined : toAtto(whole)
  if (all === undefined) return undefined
  const spent = BigInt(part) * ATTO
  if (spent > all) return 'more than'
  if (all === 0n) return undefined
  const share = (spent * HUNDREDTHS_OF_PERCENT) / all
  if (share === 0n && spent > 0n) return 'less than 0.01 % of'
  return `${formatHundredths(share)} % of`
}

/** The share of a coin in a list of coins. A denom that is not in the list has the amount 0. Undefined without a list. */
export const coinShareText = ({ denom, amount }: Coin, coins: unknown): string | undefined => {
  if (!Array.isArray(coins)) return undefined
  const [whole = '0'] = coins
    .filter((coin) => getMember(coin, 'denom') === denom)
    .map((coin) => getMember(coin, 'amount'))
    .filter((found) => typeof found === 'string')
  return shareText(amount, whole)
}
