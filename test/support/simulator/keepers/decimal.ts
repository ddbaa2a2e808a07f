// The SDK's LegacyDec on integers of 1e-18, implemented from its rules without code of the product.

/** 1.0 */
export const ONE = 10n ** 18n

/** Both are at least zero; ties round to even. */
const divideHalfEven = (numerator: bigint, divisor: bigint): bigint => {
  const quotient = numerator / divisor
  const twice = 2n * (numerator % divisor)
  if (twice < divisor) return quotient
  if (twice > divisor) return quotient + 1n
  return quotient % 2n === 0n ? quotient : quotient + 1n
}

export const multiply = (left: bigint, right: bigint): bigint => divideHalfEven(left * right, ONE)

/** The SDK truncates at 1e-36 before it rounds at 1e-18. */
export const divide = (left: bigint, right: bigint): bigint =>
  divideHalfEven((left * ONE * ONE) / right, ONE)

/** `"0.25"` → 25e16. */
export const parseAtto = (text: string): bigint => {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole) * ONE + BigInt(fraction.padEnd(18, '0'))
}
