// Decimals of up to 18 places as integers of 1e-18 ("atto"), in the formats and with the rounding of the SDK. Never a float.

/** One whole unit in atto. */
export const ATTO = 10n ** 18n

const PLACES = 18
const DECIMAL = /^-?[0-9]+(?:\.[0-9]{1,18})?$/

/** A text that should be a decimal but is not. */
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
const WHOLE = '0'.repeat(PLACES)

/** `"334000000000000000"` → `"0.334"`: formats digits of atto as text, without a conversion to a number. */
export const formatAtto = (digits: string): string => {
  // Most amounts are zero or whole, and a page has thousands of them.
  if (digits === '0') return digits
  if (digits.length > PLACES && digits.endsWith(WHOLE)) return digits.slice(0, -PLACES)
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

const CHAIN_DECIMAL = /^(\d*)(?:\.(\d{0,18}))?$/

/** Integers of 1e-18, as `LegacyDec` is encoded in protobuf: `"500000000000000000"` → `"0.500…"`. */
export const toDecimal = (atto: string): string | undefined => {
  if (!/^\d+$/.test(atto)) return undefined
  const digits = atto.padStart(PLACES + 1, '0').replace(/^0+(?=\d{19})/, '')
  return `${digits.slice(0, -PLACES)}.${digits.slice(-PLACES)}`
}

/** 5n → `"5.000000000000000000"`. */
export const toWholeDecimal = (units: bigint): string => `${units}.${'0'.repeat(PLACES)}`

/** Also accepts `".5"` and `"1."` of the chain. Undefined if it is not a plain decimal of at most 18 places. */
export const toAtto = (text: string): bigint | undefined => {
  const match = CHAIN_DECIMAL.exec(text)
  if (!match || text === '' || text === '.') return undefined
  const [, whole = '', fraction = ''] = match
  return BigInt(whole || '0') * ATTO + BigInt(fraction.padEnd(PLACES, '0'))
}

/** Always 18 places: `"0.5"` → `"0.500000000000000000"`. */
export const normalizeDecimal = (text: string): string | undefined => {
  const atto = toAtto(text)
  return atto === undefined ? undefined : toDecimal(atto.toString())
}

/** Integer quotient, rounded half to even ("bankers"). Throws a RangeError on a zero divisor. */
export const divideHalfEven = (numerator: bigint, denominator: bigint): bigint => {
  const negative = numerator < 0n !== denominator < 0n
  const dividend = numerator < 0n ? -numerator : numerator
  const divisor = denominator < 0n ? -denominator : denominator
  const quotient = dividend / divisor
  const twice = (dividend % divisor) * 2n
  const up = twice > divisor || (twice === divisor && quotient % 2n === 1n)
  const rounded = up ? quotient + 1n : quotient
  return negative ? -rounded : rounded
}

/** LegacyDec.Mul: the exact product, rounded half-even at 1e-18. */
export const mul = (left: bigint, right: bigint): bigint => divideHalfEven(left * right, ATTO)

/**
 * LegacyDec.Quo, in its two steps: truncated at 1e-36, then rounded half-even at 1e-18. A single rounding of
 * the exact quotient would differ if the truncated digits decide a tie.
 */
export const quo = (left: bigint, right: bigint): bigint =>
  divideHalfEven((left * ATTO * ATTO) / right, ATTO)

/** Whole units, truncated towards zero: the tally does this once per option, at the end. */
export const truncate = (atto: bigint): bigint => atto / ATTO
