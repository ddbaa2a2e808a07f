// Values as answers spell them: exact, and never rounded up.
import { describe, expect, it } from 'vitest'
import {
  powerOf,
  rateOf,
  shareOf,
  timeOf,
  turnoutShare,
} from '../../../../../api/read/queries/values.ts'

describe('a value', () => {
  it('is a power with up to 18 places and no idle zeros', () => {
    expect(powerOf('0')).toBe('0')
    expect(powerOf('1')).toBe('0.000000000000000001')
    expect(powerOf('1500000000000000000')).toBe('1.5')
    expect(powerOf(`${2n ** 250n}000000000000000000`)).toBe(`${2n ** 250n}`)
    expect(powerOf(null)).toBeNull()
  })

  it('is a rate without idle zeros', () => {
    expect(rateOf('0.334000000000000000')).toBe('0.334')
    expect(rateOf('1.000000000000000000')).toBe('1')
    expect(rateOf(null)).toBeNull()
  })

  it('is a share of four places that never shows more than there was', () => {
    expect(shareOf(4_312n, 10_000n)).toBe('0.4312')
    expect(shareOf(399_999n, 1_000_000n)).toBe('0.3999')
    expect(shareOf(0n, 7n)).toBe('0.0000')
    expect(shareOf(7n, 7n)).toBe('1.0000')
  })

  it('is a time in UTC with milliseconds', () => {
    expect(timeOf('2026-11-21 08:00:00.123456789')).toBe('2026-11-21T08:00:00.123Z')
    expect(timeOf(null)).toBeNull()
  })
})

describe('the turnout', () => {
  const ATTO = 10n ** 18n

  it('is 1 where all bonded tokens voted, although every delegation was rounded at its last place', () => {
    expect(turnoutShare(7n * ATTO - 3n, 7n)).toBe('1.0000')
  })

  it('is cut and not rounded: it never shows a quorum that was missed', () => {
    expect(turnoutShare(334n * ATTO - 1_000_000n, 1_000n)).toBe('0.3339')
    expect(turnoutShare(334n * ATTO, 1_000n)).toBe('0.3340')
  })
})
