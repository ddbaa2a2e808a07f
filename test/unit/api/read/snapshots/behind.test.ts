// Tests how far the served height is behind the chain, and when that is not known.
import { describe, expect, it } from 'vitest'
import {
  computeBehind,
  describeBehind,
  isFarBehind,
  isFollowing,
} from '../../../../../api/read/snapshots/behind.ts'

const TIME_MS = Date.parse('2026-01-01T00:00:00Z')
const served = { chainId: 'test-1', height: 23, tip: 467, timeMs: TIME_MS }
const elapsed = (seconds: number, isMoving = true) => ({
  nowMs: TIME_MS + seconds * 1000,
  isMoving,
})

describe('the distance to the chain', () => {
  it('has heights, and seconds of block time', () => {
    expect(computeBehind(served, elapsed(2_592_000))).toEqual({ heights: 444, seconds: 2_592_000 })
    expect(computeBehind({ ...served, tip: 23 }, elapsed(6))).toEqual({ heights: 0, seconds: 0 })
  })

  it('is never negative, also with a tip below the served height or a clock that is behind', () => {
    expect(computeBehind({ ...served, tip: 20 }, elapsed(6))).toEqual({ heights: 0, seconds: 0 })
    expect(computeBehind(served, elapsed(-9))).toEqual({ heights: 444, seconds: 0 })
  })

  it('is not known without a height, or if no new height was indexed for minutes', () => {
    const unknown = { heights: null, seconds: null }
    expect(computeBehind(undefined, elapsed(1))).toEqual(unknown)
    const atTip = { ...served, tip: 23 }
    expect(computeBehind(atTip, elapsed(121, false))).toEqual(unknown)
    expect(computeBehind(atTip, elapsed(119, false))).toEqual({ heights: 0, seconds: 0 })
    expect(computeBehind(atTip, elapsed(121))).toEqual({ heights: 0, seconds: 0 })
    // A known tip ahead says more.
    expect(computeBehind(served, elapsed(121, false))).toEqual({ heights: 444, seconds: 121 })
  })

  it('of the demo chain has no seconds, because its block times are recorded', () => {
    const demo = { ...served, chainId: 'rollcall-demo-1' }
    expect(computeBehind(demo, elapsed(1e7, false))).toEqual({ heights: 444, seconds: null })
    expect(computeBehind({ ...demo, tip: 23 }, elapsed(1e7, false))).toEqual({
      heights: 0,
      seconds: 0,
    })
  })

  it.each([
    [0, true, false],
    [5, true, false],
    [6, false, true],
    [null, false, false],
  ])('%s: follows the chain %s, is far behind %s', (heights, follows, isFar) => {
    const behind = { heights, seconds: null }
    expect(isFollowing(behind)).toBe(follows)
    expect(isFarBehind(behind)).toBe(isFar)
  })

  it('has a sentence for operators', () => {
    expect(describeBehind(served, { heights: 444, seconds: 1 })).toBe(
      'served height 23: 444 heights behind the chain',
    )
    expect(describeBehind(served, { heights: null, seconds: null })).toBe(
      'served height 23: no new height was indexed for minutes',
    )
  })
})
