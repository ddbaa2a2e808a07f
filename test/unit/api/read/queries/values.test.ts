// Tests of values in responses: exact, and never rounded up.
import { describe, expect, it } from 'vitest'
import {
  computeTurnoutShare,
  formatPower,
  formatRate,
  formatShare,
  formatTimestamp,
} from '../../../../../api/read/queries/values.ts'

describe('a value', () => {
  it('is a power with up to 18 places and no trailing zeros', () => {
    expect(formatPower(0n)).toBe('0')
    expect(formatPower(1n)).toBe('0.000000000000000001')
    expect(formatPower(1500000000000000000n)).toBe('1.5')
    expect(formatPower(2n ** 250n * 10n ** 18n)).toBe(`${2n ** 250n}`)
    expect(formatPower(null)).toBeNull()
  })

  it('is a rate without trailing zeros', () => {
    expect(formatRate('0.334000000000000000')).toBe('0.334')
    expect(formatRate('1.000000000000000000')).toBe('1')
    expect(formatRate(null)).toBeNull()
  })

  it('is a share of four places, truncated', () => {
    expect(formatShare(4_312n, 10_000n)).toBe('0.4312')
    expect(formatShare(399_999n, 1_000_000n)).toBe('0.3999')
    expect(formatShare(0n, 7n)).toBe('0.0000')
    expect(formatShare(7n, 7n)).toBe('1.0000')
  })

  it('is a time in UTC with milliseconds', () => {
    expect(formatTimestamp('2026-11-21 08:00:00.123456789')).toBe('2026-11-21T08:00:00.123Z')
    expect(formatTimestamp(null)).toBeNull()
  })
})

describe('the turnout', () => {
  const ATTO = 10n ** 18n

  it('is 1 if all bonded tokens voted, although the last place of each delegation is rounded', () => {
    expect(computeTurnoutShare(7n * ATTO - 3n, 7n)).toBe('1.0000')
  })

  it('is truncated, and so never shows a missed quorum as reached', () => {
    expect(computeTurnoutShare(334n * ATTO - 1_000_000n, 1_000n)).toBe('0.3339')
    expect(computeTurnoutShare(334n * ATTO, 1_000n)).toBe('0.3340')
  })
})
