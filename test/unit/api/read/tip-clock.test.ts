// Tests of the waiting time of the oldest unserved height, for any movement of the tip.
import { describe, expect, it } from 'vitest'
import { createTipClock } from '../../../../api/read/freshness.ts'

const setup = () => {
  const clock = { nowMs: 0 }
  const tipClock = createTipClock(() => clock.nowMs)
  const readSnapshot = (atMs: number, height: number, tip: number, timeMs = atMs) => {
    clock.nowMs = atMs
    tipClock.observe({ height, tip, timeMs })
    return tipClock.read()
  }
  return { clock, tipClock, readSnapshot }
}

describe('the tip clock', () => {
  it('counts from the first report of the oldest unserved height', () => {
    const { readSnapshot } = setup()
    readSnapshot(0, 10, 12)
    readSnapshot(1_000, 10, 20)
    expect(readSnapshot(4_000, 11, 30).waitedMs).toBe(4_000)
    expect(readSnapshot(5_000, 12, 30).waitedMs).toBe(4_000)
    expect(readSnapshot(6_000, 30, 30).waitedMs).toBe(0)
  })

  it.each([
    [1_000, 10_000],
    [6_000, 18_000],
    [90_000, 120_000],
  ])(
    'with a block every %i ms knows the tip for %i ms after the last height',
    (blockMs, knownMs) => {
      const { clock, tipClock, readSnapshot } = setup()
      for (let height = 1; height <= 60; height++) readSnapshot(height * blockMs, height, height)
      const lastMs = 60 * blockMs
      clock.nowMs = lastMs + knownMs
      expect(tipClock.read().isTipKnown).toBe(true)
      clock.nowMs++
      expect(tipClock.read().isTipKnown).toBe(false)
      expect(readSnapshot(lastMs + 600_000, 61, 61).isTipKnown).toBe(true)
    },
  )

  it('does not take an old height that it finds at its start for the tip', () => {
    const { readSnapshot } = setup()
    expect(readSnapshot(500_000, 10, 10, 379_999).isTipKnown).toBe(false)
    expect(readSnapshot(501_000, 11, 11, 380_000).isTipKnown).toBe(true)
    expect(setup().readSnapshot(500_000, 10, 10, 380_000).isTipKnown).toBe(true)
    expect(setup().readSnapshot(500_000, 10, 467, 1).isTipKnown).toBe(true)
    // The clock of the chain may be ahead.
    expect(setup().readSnapshot(500_000, 10, 10, 600_000).isTipKnown).toBe(true)
  })
})
