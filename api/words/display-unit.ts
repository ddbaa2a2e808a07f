// The unit of displayed amounts and the exact formats of amounts and shares, without floats.
import { formatDecimal, toAtto } from '../../ingest/contract/decimal.ts'

export type DisplayUnit = {
  /** Shown after the amount. */
  name: string
  denom: string
  /** The number of decimal places. */
  decimals: number
}

/** `ATOM=uatom/6`. */
const DISPLAY_UNIT_PATTERN =
  /^([A-Za-z][A-Za-z0-9._-]{0,15})=([A-Za-z][A-Za-z0-9/:._-]{0,127})\/([0-9]{1,2})$/
const MAX_DECIMALS = 36

export const parseDisplayUnit = (raw: string): DisplayUnit | undefined => {
  const [, name, denom, places] = DISPLAY_UNIT_PATTERN.exec(raw) ?? []
  const decimals = Number(places)
  return name !== undefined && denom !== undefined && decimals <= MAX_DECIMALS
    ? { name, denom, decimals }
    : undefined
}

const DECIMAL = /^(-?)([0-9]+)(?:\.([0-9]+))?$/

/** Groups thousands with narrow spaces; undefined for a text that is no decimal number. */
export const groupThousands = (amount: string): string | undefined => {
  const [, sign, whole, rest] = DECIMAL.exec(amount) ?? []
  if (sign === undefined || whole === undefined) return undefined
  const apart = whole.replace(/\B(?=(?:[0-9]{3})+$)/g, '\u202f')
  return `${sign}${apart}${rest === undefined ? '' : `.${rest}`}`
}

/** Exact, without trailing zeros. */
export const convertToUnit = (amount: string, { decimals }: DisplayUnit): string | undefined => {
  const [, sign, whole, rest = ''] = DECIMAL.exec(amount) ?? []
  if (sign === undefined || whole === undefined) return undefined
  const digits = whole.padStart(decimals + 1, '0')
  const at = digits.length - decimals
  const moved = digits.slice(0, at).replace(/^0+(?=[0-9])/, '')
  const fraction = `${digits.slice(at)}${rest}`.replace(/0+$/, '')
  return `${sign}${moved}${fraction === '' ? '' : `.${fraction}`}`
}

/** Amounts of the denom of the unit within a text, such as an error of the chain: `1500000uatom` → `1.5 ATOM`. */
export const convertInText = (text: string, unit: DisplayUnit): string =>
  text.replace(
    /(?<![\w.])(\d{1,78})([A-Za-z](?:[\w/:.-]*\w)?)/g,
    (found, base: string, denom: string) => {
      const shown =
        denom === unit.denom ? groupThousands(convertToUnit(base, unit) ?? '') : undefined
      return shown === undefined ? found : `${shown}\u00a0${unit.name}`
    },
  )

/** A share of 1 as a percentage: `"0.4312"` → `"43.12"`. Exact. Undefined for a text that is no decimal number. */
export const toPercent = (share: string): string | undefined => {
  const atto = toAtto(share)
  return atto === undefined ? undefined : formatDecimal(atto * 100n)
}

/** Truncates to this number of places. */
export const truncateTo = (amount: string, places: number): string => {
  const [whole = '', fraction = ''] = amount.split('.')
  const kept = fraction.slice(0, places).replace(/0+$/, '')
  return kept === '' ? whole : `${whole}.${kept}`
}

/** For a value that is null. */
export const NOT_KNOWN = 'not known'

/** A share of 1 with its sign: `43.12 %`. Exact. */
export const exactPercent = (share: string | null): string => {
  const shown = share === null ? undefined : toPercent(share)
  return shown === undefined ? NOT_KNOWN : `${shown} %`
}
