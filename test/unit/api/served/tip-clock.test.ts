// How long the oldest known height has waited, whatever the tip does meanwhile.
import { describe, expect, it } from 'vitest'
import { createTipClock } from '../../../../api/served/tip-clock.ts'

const setup = () => {
  const clock = { nowMs: 0 }
  const tipClock = createTipClock(() => clock.nowMs)
  const look = (atMs: number, height: number, tip: number) => {
    clock.nowMs = atMs
    tipClock.observe({ height, tip })
    return tipClock.read()
  }
  return { clock, tipClock, look }
}

describe('the tip clock', () => {
  it('is at nought while the tip is served', () => {
    const { look } = setup()
    look(0, 10, 10)
    expect(look(5_000, 11, 11).waitedMs).toBe(0)
  })

  it('counts from when the oldest unserved height was first heard of', () => {
    const { look } = setup()
    look(0, 10, 12)
    look(1_000, 10, 20)
    expect(look(4_000, 11, 30).waitedMs).toBe(4_000)
    expect(look(5_000, 12, 30).waitedMs).toBe(4_000)
    expect(look(6_000, 30, 30).waitedMs).toBe(0)
  })

  it('says whether heights move', () => {
    const { look } = setup()
    expect(look(0, 10, 100).isMoving).toBe(true)
    expect(look(29_000, 10, 100).isMoving).toBe(true)
    expect(look(31_000, 10, 100).isMoving).toBe(false)
    expect(look(32_000, 11, 100).isMoving).toBe(true)
  })

  it('errs towards longer where it heard of more tips than it keeps', () => {
    const { look } = setup()
    for (let n = 1; n <= 1_000; n++) look(n, 0, n)
    expect(look(2_000, 500, 1_000).waitedMs).toBeGreaterThanOrEqual(1_500)
  })
})
