// Formats amounts in the configured display unit, or else in base units.
import { convertToUnit, type DisplayUnit, groupThousands } from '../display-unit.ts'
import type { Coin } from './members.ts'

/** Undefined if amounts are shown in base units. */
export type UnitLookup = (denom: string) => DisplayUnit | undefined

export const createUnitLookup =
  (configured: DisplayUnit | undefined): UnitLookup =>
  (denom) =>
    configured?.denom === denom ? configured : undefined

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
