// Tests of the rate limiter: counts per address and window, and a bounded number of addresses.
import { describe, expect, it } from 'vitest'
import { createRateLimiter } from '../../../../../../infra/base/http/limits/rate-limit.ts'

const A = '192.0.2.1'
const B = '192.0.2.2'

const setup = (perMinute: number) => {
  const clock = { nowMs: 1_000_000 }
  return { clock, limiter: createRateLimiter(perMinute, () => clock.nowMs) }
}

describe('the rate limiter', () => {
  it('counts work as requests, 5 ms or its share of 2 s as one: a client uses the larger of both, and nobody else does', () => {
    const { limiter, clock } = setup(10)
    for (let count = 0; count < 4; count++) limiter.take(A)
    limiter.charge(A, 800)
    expect(limiter.take(A).limit).toBe('"default";r=5;t=60')
    limiter.charge(A, 1_200)
    expect([limiter.isSpent(A), limiter.take(A).isExceeded]).toEqual([true, true])
    expect(limiter.take(B).limit).toBe('"default";r=9;t=60')
    clock.nowMs += 60_000
    expect(limiter.take(A).limit).toBe('"default";r=9;t=60')
    const large = setup(1_000).limiter
    large.charge(A, 50)
    expect(large.take(A).limit).toBe('"default";r=989;t=60')
  })

  it('starts a new window if the clock goes back', () => {
    const { limiter, clock } = setup(1)
    limiter.take(A)
    clock.nowMs -= 3_600_000
    expect(limiter.take(A)).toMatchObject({ isExceeded: false, resetSeconds: 60 })
  })
})
