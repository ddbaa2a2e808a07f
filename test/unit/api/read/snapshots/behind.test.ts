// Tests how far the served height is behind the chain, and when that is not known.
import { describe, expect, it } from 'vitest'
import {
  computeBehind,
  describeLag,
  findSilence,
  isFarBehind,
  isFollowing,
} from '../../../../../api/read/snapshots/behind.ts'

const TIME_MS = Date.parse('2026-01-01T00:00:00Z')
const served = { chainId: 'test-1', height: 23, tip: 467, timeMs: TIME_MS }
const elapsed = (seconds: number, isTipKnown = true) => ({
  nowMs: TIME_MS + seconds * 1000,
  isTipKnown,
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

  it('is not known without a height, and while the height of the chain is not known', () => {
    const unknown = { heights: null, seconds: null }
    expect(computeBehind(undefined, elapsed(1))).toEqual(unknown)
    for (const tip of [23, 467]) {
      expect(computeBehind({ ...served, tip }, elapsed(1, false))).toEqual(unknown)
    }
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

  it('has a sentence for operators, and none while the chain is followed', () => {
    const lag = (heights: number | null, silentSinceMs: number | null) =>
      describeLag(served, { behind: { heights, seconds: null }, silentSinceMs })
    expect(lag(5, null)).toEqual([])
    expect(lag(444, null)).toEqual(['served height 23: 444 heights behind the chain'])
    for (const heights of [null, 0]) {
      expect(lag(heights, TIME_MS)).toEqual([
        'served height 23: no new block since 2026-01-01T00:00:00.000Z',
      ])
    }
  })
})

describe('the silence of a chain', () => {
  it('begins with the time of its last block, also of the demo chain', () => {
    expect(findSilence(served, true)).toBeNull()
    expect(findSilence(undefined, false)).toBeNull()
    expect(findSilence(served, false)).toBe(TIME_MS)
    expect(findSilence({ ...served, chainId: 'rollcall-demo-1' }, false)).toBe(TIME_MS)
  })
})
