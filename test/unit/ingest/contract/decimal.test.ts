// Tests decimals of 18 places: parsing, refusals, and the rounding of the SDK.
import { describe, expect, it } from 'vitest'
import {
  ATTO,
  divideHalfEven,
  normalizeDecimal,
  parseDecimal,
  quo,
  toAtto,
  toDecimal,
} from '../../../../ingest/contract/decimal.ts'

describe('decimals of 18 places', () => {
  it.each([
    ['0', 0n],
    ['1', ATTO],
    ['0.334', 334n * 10n ** 15n],
    ['1.000000000000000000', ATTO],
    ['0.000000000000000001', 1n],
    ['-2.5', -25n * 10n ** 17n],
    ['340282366920938463463374607431768211456', (1n << 128n) * ATTO],
  ])('reads %s', (text, atto) => {
    expect(parseDecimal(text)).toBe(atto)
  })

  it.each(['', '.5', '1.', '1e3', ' 1', '0x1', '1.0000000000000000001', '1,5', '--1', '+1'])(
    'refuses %j',
    (text) => {
      expect(() => parseDecimal(text)).toThrow(RangeError)
    },
  )
})

describe('rounding half to even', () => {
  it.each([
    [15n, 10n, 2n],
    [25n, 10n, 2n],
    [26n, 10n, 3n],
    [-15n, 10n, -2n],
    [-26n, 10n, -3n],
    [15n, -10n, -2n],
  ])('%s / %s is %s', (numerator, denominator, quotient) => {
    expect(divideHalfEven(numerator, denominator)).toBe(quotient)
  })

  it('truncates a quotient at the 36th place first, as the SDK does: later digits cannot break a tie', () => {
    const nearTwo = 2n * 10n ** 40n - 1n
    expect(quo(10n ** 22n, nearTwo)).toBe(0n)
    expect(divideHalfEven(10n ** 22n * ATTO, nearTwo)).toBe(1n)
  })

  it('refuses to divide by zero', () => {
    expect(() => quo(ATTO, 0n)).toThrow(RangeError)
  })
})

describe('decimals of the chain', () => {
  it.each([
    ['1', '0.000000000000000001'],
    ['1000000000000000000', '1.000000000000000000'],
    ['123456789012345678901234567890', '123456789012.345678901234567890'],
    ['-5', undefined],
    ['0.5', undefined],
  ])('are parsed from wire integers: %s', (atto, decimal) => {
    expect(toDecimal(atto)).toBe(decimal)
  })

  it.each([
    ['1', '1.000000000000000000'],
    ['.25', '0.250000000000000000'],
    ['007.10', '7.100000000000000000'],
  ])('are normalized to 18 places: %s', (text, normalized) => {
    expect(normalizeDecimal(text)).toBe(normalized)
  })

  it.each(['', '.', '-1', '1e3', '0x1', '1.2.3', '0.1234567890123456789'])(
    'cannot be parsed from %j',
    (text) => {
      expect(toAtto(text)).toBeUndefined()
    },
  )
})
