// The SDK's LegacyDec arithmetic on integers of 1e-18 ("atto"): exact, half-even, no floats anywhere.

/** One whole unit in atto. */
export const ATTO = 10n ** 18n

const PLACES = 18
const DECIMAL = /^(-?)([0-9]+)(?:\.([0-9]{1,18}))?$/

/** `"0.334"` → 334000000000000000n. Throws a RangeError on anything but a decimal of ≤ 18 places. */
export const parseDecimal = (text: string): bigint => {
  const match = DECIMAL.exec(text)
  if (!match) throw new RangeError(`not a decimal of up to ${PLACES} places: ${text}`)
  const [, sign, whole, fraction = ''] = match
  const atto = BigInt(whole + fraction.padEnd(PLACES, '0'))
  return sign ? -atto : atto
}

/** 334000000000000000n → `"0.334"`: up to 18 places, trailing zeros dropped. */
export const formatDecimal = (atto: bigint): string => {
  const magnitude = atto < 0n ? -atto : atto
  const whole = (magnitude / ATTO).toString()
  const fraction = (magnitude % ATTO).toString().padStart(PLACES, '0').replace(/0+$/, '')
  const text = fraction === '' ? whole : `${whole}.${fraction}`
  return atto < 0n ? `-${text}` : text
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
 * LegacyDec.Quo, in its two steps: truncated at 1e-36, then rounded half-even at 1e-18. Rounding
 * the exact quotient once would differ where the truncated digits decide a tie.
 */
export const quo = (left: bigint, right: bigint): bigint =>
  divideHalfEven((left * ATTO * ATTO) / right, ATTO)

/** Whole units, cut towards zero: what the tally does once per option, at the very end. */
export const truncate = (atto: bigint): bigint => atto / ATTO
