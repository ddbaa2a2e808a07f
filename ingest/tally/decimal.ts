// The SDK's LegacyDec arithmetic on integers of 1e-18 ("atto"): exact, half-even, no floats anywhere.
import { ATTO } from '../contract/decimal.ts'

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
