// Shares of one whole, which add up.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { computeShares } from '../../../../api/words/shares.ts'

describe('shares of one whole', () => {
  it('add up to 1, each with an error of less than 0.0001', () => {
    const amounts = fc.array(fc.bigInt({ min: 0n, max: 10n ** 30n }), {
      minLength: 1,
      maxLength: 6,
    })
    fc.assert(
      fc.property(
        amounts.filter((values) => values.some((value) => value > 0n)),
        (values) => {
          const whole = values.reduce((sum, value) => sum + value)
          const units = computeShares(values).map((part) => BigInt(part.replace('.', '')))
          expect(units.reduce((sum, unit) => sum + unit)).toBe(10_000n)
          for (const [n, unit] of units.entries()) {
            const error = unit * whole - values[n]! * 10_000n
            expect(error < whole && -error < whole).toBe(true)
          }
        },
      ),
    )
  })
})
