// Property tests of arithmetic in atto, compared with arithmetic on digits.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatDecimal, mul, parseDecimal, quo } from '../../ingest/contract/decimal.ts'

const UNIT = 10n ** 18n
const amounts = fc.bigInt({ min: -(10n ** 45n), max: 10n ** 45n })
const abs = (value: bigint) => (value < 0n ? -value : value)

/** Rounds the tail of a digit string without the division that is tested. */
const roundedByDigits = (scaled: bigint, places: number): bigint => {
  const digits = abs(scaled)
    .toString()
    .padStart(places + 1, '0')
  const kept = BigInt(digits.slice(0, -places))
  const tail = digits.slice(-places)
  const half = `5${'0'.repeat(places - 1)}`
  const isOdd = kept % 2n === 1n
  const rounded = tail > half || (tail === half && isOdd) ? kept + 1n : kept
  return scaled < 0n ? -rounded : rounded
}

describe('arithmetic in atto, compared with arithmetic on digits', () => {
  it('multiplies like the exact product with one rounding', () => {
    fc.assert(
      fc.property(amounts, amounts, (left, right) => {
        expect(mul(left, right)).toBe(roundedByDigits(left * right, 18))
      }),
    )
  })

  it('divides like the exact quotient, truncated at 36 places and rounded at 18', () => {
    fc.assert(
      fc.property(amounts, amounts, (left, right) => {
        fc.pre(right !== 0n)
        // The largest truncated value with |truncated · right| ≤ |left · 10^36|, for any signs.
        const target = abs(left) * UNIT * UNIT
        const cut = target / abs(right)
        expect(cut * abs(right) <= target && (cut + 1n) * abs(right) > target).toBe(true)
        const sign = left < 0n !== right < 0n ? -1n : 1n
        expect(quo(left, right)).toBe(roundedByDigits(sign * cut, 18))
      }),
    )
  })

  it('rounds every tie to even', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), (whole) => {
        const tie = mul(2n * whole + 1n, UNIT / 2n)
        expect(tie % 2n).toBe(0n)
        expect(abs(2n * tie - (2n * whole + 1n))).toBe(1n)
      }),
    )
  })

  it('parses its own output', () => {
    fc.assert(
      fc.property(amounts, (atto) => {
        expect(parseDecimal(formatDecimal(atto))).toBe(atto)
        expect(formatDecimal(atto)).not.toMatch(/\.\d*0$/)
      }),
    )
  })
})
