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
  it('allows the quota and no more, for each address separately', () => {
    const { limiter } = setup(2)
    const exceeded = [A, A, A, B].map((address) => limiter.take(address).isExceeded)
    expect(exceeded).toEqual([false, false, true, false])
  })

  it('reports the rest of the quota and the time of its renewal, and renews it', () => {
    const { limiter, clock } = setup(2)
    expect(limiter.take(A)).toMatchObject({
      policy: '"default";q=2;w=60',
      limit: '"default";r=1;t=60',
    })
    clock.nowMs += 59_500
    expect(limiter.take(A).limit).toBe('"default";r=0;t=1')
    clock.nowMs += 500
    expect(limiter.take(A)).toMatchObject({ isExceeded: false, limit: '"default";r=1;t=60' })
  })

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

  it('reports whether a quota is used up, without counting', () => {
    const { limiter, clock } = setup(1)
    expect([limiter.isSpent(A), limiter.isSpent(A)]).toEqual([false, false])
    limiter.take(A)
    expect([limiter.isSpent(A), limiter.isSpent(B)]).toEqual([true, false])
    clock.nowMs += 60_000
    expect(limiter.isSpent(A)).toBe(false)
  })
})
