// Property tests that powers in responses are exact numbers of any size.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatPower } from '../../api/read/queries/values.ts'
import { formatDecimal, parseDecimal } from '../../ingest/contract/decimal.ts'

describe('a power', () => {
  it('is the exact number, in the decimal format of the contract', () => {
    const attos = fc.bigInt({ min: -(2n ** 255n), max: 2n ** 255n - 1n })
    const round = fc
      .tuple(attos, fc.integer({ min: 0, max: 30 }))
      .map(([n, z]) => (n / 10n ** BigInt(z)) * 10n ** BigInt(z))
    fc.assert(
      fc.property(fc.oneof(attos, round, fc.bigInt({ min: -1000n, max: 1000n })), (atto) => {
        const text = formatPower(atto) ?? ''
        expect(text).toBe(formatDecimal(atto))
        expect(parseDecimal(text)).toBe(atto)
      }),
    )
  })
})
