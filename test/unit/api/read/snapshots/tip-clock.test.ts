// Tests of the waiting time of the oldest unserved height, for any movement of the tip.
import { describe, expect, it } from 'vitest'
import { createTipClock } from '../../../../../api/read/snapshots/tip-clock.ts'

const setup = () => {
  const clock = { nowMs: 0 }
  const tipClock = createTipClock(() => clock.nowMs)
  const readSnapshot = (atMs: number, height: number, tip: number) => {
    clock.nowMs = atMs
    tipClock.observe({ height, tip })
    return tipClock.read()
  }
  return { clock, tipClock, readSnapshot }
}

describe('the tip clock', () => {
  it('is zero while the tip is served', () => {
    const { readSnapshot } = setup()
    readSnapshot(0, 10, 10)
    expect(readSnapshot(5_000, 11, 11).waitedMs).toBe(0)
  })

  it('counts from the first report of the oldest unserved height', () => {
    const { readSnapshot } = setup()
    readSnapshot(0, 10, 12)
    readSnapshot(1_000, 10, 20)
    expect(readSnapshot(4_000, 11, 30).waitedMs).toBe(4_000)
    expect(readSnapshot(5_000, 12, 30).waitedMs).toBe(4_000)
    expect(readSnapshot(6_000, 30, 30).waitedMs).toBe(0)
  })

  it('reports whether heights advance', () => {
    const { readSnapshot } = setup()
    expect(readSnapshot(0, 10, 100).isMoving).toBe(true)
    expect(readSnapshot(29_000, 10, 100).isMoving).toBe(true)
    expect(readSnapshot(31_000, 10, 100).isMoving).toBe(false)
    expect(readSnapshot(32_000, 11, 100).isMoving).toBe(true)
  })

  it('reports the longer time if it received more tips than it keeps', () => {
    const { readSnapshot } = setup()
    for (let n = 1; n <= 1_000; n++) readSnapshot(n, 0, n)
    expect(readSnapshot(2_000, 500, 1_000).waitedMs).toBeGreaterThanOrEqual(1_500)
  })
})
