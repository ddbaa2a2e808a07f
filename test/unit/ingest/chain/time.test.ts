// Tests times and durations of the chain, to the nanosecond.
import { describe, expect, it } from 'vitest'
import { rfc3339, toEpochMs, toSeconds } from '../../../../ingest/chain/time.ts'

describe('times of the chain', () => {
  it('keep every nanosecond, without trailing zeros', () => {
    expect(rfc3339({ seconds: 1_767_225_600n, nanos: 0 })).toBe('2026-01-01T00:00:00Z')
    expect(rfc3339({ seconds: 1_767_225_600n, nanos: 120_000_003 })).toBe(
      '2026-01-01T00:00:00.120000003Z',
    )
  })

  it('are null for unset times', () => {
    expect(rfc3339(undefined)).toBeNull()
    expect(rfc3339({ seconds: -62_135_596_800n, nanos: 0 })).toBeNull()
    expect(rfc3339({ seconds: 10n ** 15n, nanos: 0 })).toBeNull()
  })

  it('are truncated to milliseconds', () => {
    expect(toEpochMs('2026-01-01T00:00:00.999999999Z')).toBe(Date.UTC(2026, 0, 1) + 999)
    expect(toEpochMs('2026-01-01T00:00:00Z')).toBe(Date.UTC(2026, 0, 1))
  })

  it('keep the fraction of a duration', () => {
    expect(toSeconds({ seconds: 20n, nanos: 500_000_000 })).toBe(20.5)
    expect(toSeconds(undefined)).toBeNull()
  })
})
