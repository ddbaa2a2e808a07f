// Decimals as facts spell them: up to 18 places, held as integers of 1e-18 ("atto"). Never a float.

/** One whole unit in atto. */
export const ATTO = 10n ** 18n

const PLACES = 18
const DECIMAL = /^-?[0-9]+(?:\.[0-9]{1,18})?$/

/** A text that should be a decimal and is not. */
export class InvalidDecimal extends RangeError {
  constructor(text: string) {
    super(`not a decimal of up to ${PLACES} places: ${text}`)
    this.name = 'InvalidDecimal'
  }
}

/** `"0.334"` → 334000000000000000n. Throws `InvalidDecimal` on anything but a decimal of ≤ 18 places. */
export const parseDecimal = (text: string): bigint => {
  if (!DECIMAL.test(text)) throw new InvalidDecimal(text)
  const point = text.indexOf('.')
  if (point < 0) return BigInt(text) * ATTO
  const digits = text.slice(0, point) + text.slice(point + 1)
  return BigInt(digits.padEnd(point + PLACES, '0'))
}

const ZERO = '0'.charCodeAt(0)

/** `"334000000000000000"` → `"0.334"`: atto as digits, spelled without a detour over numbers. */
export const formatAtto = (digits: string): string => {
  const sign = digits.startsWith('-') ? '-' : ''
  const magnitude = digits.slice(sign.length).padStart(PLACES + 1, '0')
  const point = magnitude.length - PLACES
  let end = magnitude.length
  while (end > point && magnitude.charCodeAt(end - 1) === ZERO) end--
  const whole = sign + magnitude.slice(0, point)
  return end === point ? whole : `${whole}.${magnitude.slice(point, end)}`
}

/** 334000000000000000n → `"0.334"`: up to 18 places, trailing zeros dropped. */
export const formatDecimal = (atto: bigint): string => formatAtto(atto.toString())
