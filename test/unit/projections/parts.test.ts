// Tests small parts of the projections: times, the order of addresses, waiting time.
import { describe, expect, it } from 'vitest'
import { createWaiting } from '../../../infra/base/runtime/waiting.ts'
import { toTimestamp } from '../../../projections/contract/timestamps.ts'
import { addressSortKey, sortedByAddress } from '../../../projections/fold/address-order.ts'

describe('times', () => {
  it.each([
    ['2026-11-21T08:00:00Z', '2026-11-21 08:00:00.000000000'],
    ['2026-11-21T08:00:00.123456789Z', '2026-11-21 08:00:00.123456789'],
    ['2026-11-21T08:00:00.5+02:00', '2026-11-21 06:00:00.500000000'],
    ['0001-01-01T00:00:00Z', null],
    ['9999-12-31T23:59:59Z', null],
    ['yesterday', null],
    [null, null],
  ])('%s is stored as %s', (time, stored) => {
    expect(toTimestamp(time)).toBe(stored)
  })
})

describe('addresses', () => {
  it('are ordered by their bytes, and a prefix comes before the longer one', () => {
    // Bytes 00…, 00…01, ff… of 20 bytes, and 00… of 32, with invented checksums.
    const zero = `cosmos1${'q'.repeat(32)}222222`
    const one = `cosmos1${'q'.repeat(31)}p000000`
    const last = `cosmos1${'l'.repeat(32)}qqqqqq`
    const long = `cosmos1${'q'.repeat(52)}qqqqqq`
    expect(sortedByAddress([last, long, one, zero], (address) => address)).toEqual([
      zero,
      long,
      one,
      last,
    ])
  })

  it('that are not bech32 are ordered by their text', () => {
    expect(addressSortKey('not an address')).toBe('not an address')
    expect(sortedByAddress(['b', 'a', 'a'], (address) => address)).toEqual(['a', 'a', 'b'])
  })
})

describe('waiting', () => {
  it('counts from the first notice of the oldest record that is not projected', () => {
    const waiting = createWaiting(10n)
    waiting.notice(10n, 1)
    expect(waiting.sinceMs()).toBeUndefined()
    waiting.notice(12n, 100)
    waiting.notice(12n, 150)
    waiting.notice(15n, 200)
    expect(waiting.sinceMs()).toBe(100)
    waiting.release(12n)
    expect(waiting.sinceMs()).toBe(200)
    waiting.release(15n)
    expect(waiting.sinceMs()).toBeUndefined()
  })

  it('keeps a bounded list, and reports the longer time beyond it', () => {
    const waiting = createWaiting(0n)
    for (let at = 1; at <= 1_000; at++) waiting.notice(BigInt(at), at)
    waiting.release(999n)
    expect(waiting.sinceMs()).toBe(256)
    waiting.release(1_000n)
    expect(waiting.sinceMs()).toBeUndefined()
  })
})
