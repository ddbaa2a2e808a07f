// Tests how the limit of an endpoint is found and used.
import { expect, it } from 'vitest'
import { createRequestRate } from '../../../../../ingest/comet/transport/pace.ts'
import { createFakeClock } from '../../../../support/process/fake-clock.ts'

/** An endpoint that grants `perSecond`, with a burst of one second, and a client that always has something to ask. */
const useFully = (perSecond: number, seconds: number, maxPerSecond?: number) => {
  const clock = createFakeClock()
  const rate = createRequestRate(clock, maxPerSecond)
  let bucket = perSecond
  const counts = Array.from({ length: seconds }, () => ({ granted: 0, refused: 0 }))
  for (const count of counts) {
    for (let step = 0; step < 100; step++) {
      clock.advance(10)
      bucket = Math.min(perSecond, bucket + perSecond / 100)
      // Without a known limit, a few requests per step.
      for (let each = 0; each < 5 && rate.untilNextMs() === 0; each++) {
        rate.started()
        if (bucket >= 1) {
          bucket -= 1
          count.granted++
          rate.granted()
        } else {
          count.refused++
          rate.refused()
          break
        }
      }
    }
  }
  return { rate, counts }
}

const sum = (counts: readonly { granted: number; refused: number }[]) => ({
  granted: counts.reduce((total, { granted }) => total + granted, 0),
  refused: counts.reduce((total, { refused }) => total + refused, 0),
})

it('is unlimited until a refusal', () => {
  const { rate } = useFully(10_000, 3)
  expect(rate.perSecond()).toBeNull()
})

it.each([5, 20, 200])('finds %i requests a second, and is rarely refused then', (limit) => {
  const { counts } = useFully(limit, 180)
  const { granted, refused } = sum(counts.slice(60))
  expect(granted).toBeGreaterThan(0.7 * limit * 120)
  expect(refused / (granted + refused)).toBeLessThan(0.02)
})

it('never exceeds a limit that the operator knows', () => {
  const { counts } = useFully(1_000, 30, 12)
  expect(Math.max(...counts.map(({ granted }) => granted))).toBeLessThanOrEqual(15)
  expect(sum(counts).refused).toBe(0)
})

it('rises again after the endpoint grants more', () => {
  const clock = createFakeClock()
  const rate = createRequestRate(clock)
  for (let each = 0; each < 10; each++) rate.granted()
  rate.refused()
  expect(rate.perSecond()).toBe(5)
  for (let step = 0; step < 60_000 && rate.perSecond() !== null; step++) {
    clock.advance(10)
    while (rate.perSecond() !== null && rate.untilNextMs() === 0) {
      rate.started()
      rate.granted()
    }
  }
  expect(rate.perSecond()).toBeNull()
})

it('is soon fast at an endpoint whose limit others had used up', () => {
  const clock = createFakeClock()
  const rate = createRequestRate(clock)
  rate.refused()
  let granted = 0
  for (let step = 0; step < 1_500; step++) {
    clock.advance(10)
    if (rate.untilNextMs() > 0) continue
    rate.started()
    rate.granted()
    granted++
  }
  expect(granted).toBeGreaterThan(300)
})
