// The limiter: counts per address and window, and never more addresses than it may.
import { describe, expect, it } from 'vitest'
import { addressKey, createRateLimiter } from '../../../../infra/runtime/rate-limit.ts'

const setup = (perMinute: number) => {
  const clock = { nowMs: 1_000_000 }
  return { clock, limiter: createRateLimiter(perMinute, () => clock.nowMs) }
}

describe('the limiter', () => {
  it('lets the quota through and no more, each address on its own', () => {
    const { limiter } = setup(2)
    const exceeded = ['a', 'a', 'a', 'b'].map((address) => limiter.take(address).isExceeded)
    expect(exceeded).toEqual([false, false, true, false])
  })

  it('says what remains and when it is renewed, and renews it', () => {
    const { limiter, clock } = setup(2)
    expect(limiter.take('a')).toMatchObject({
      policy: '"default";q=2;w=60',
      limit: '"default";r=1;t=60',
    })
    clock.nowMs += 59_500
    expect(limiter.take('a').limit).toBe('"default";r=0;t=1')
    clock.nowMs += 500
    expect(limiter.take('a')).toMatchObject({ isExceeded: false, limit: '"default";r=1;t=60' })
  })

  it('starts a new window where the clock was set back', () => {
    const { limiter, clock } = setup(1)
    limiter.take('a')
    clock.nowMs -= 3_600_000
    expect(limiter.take('a')).toMatchObject({ isExceeded: false, resetSeconds: 60 })
  })

  it('tells whether a quota is used up, and counts nothing for that', () => {
    const { limiter, clock } = setup(1)
    expect([limiter.isSpent('a'), limiter.isSpent('a')]).toEqual([false, false])
    limiter.take('a')
    expect([limiter.isSpent('a'), limiter.isSpent('b')]).toEqual([true, false])
    clock.nowMs += 60_000
    expect(limiter.isSpent('a')).toBe(false)
  })

  it('counts addresses beyond what it may hold as one', () => {
    const { limiter } = setup(2)
    for (let n = 0; n < 200_000; n++) limiter.take(`10.${n}`)
    const exceeded = ['x', 'y', 'z'].map((address) => limiter.take(address).isExceeded)
    expect(exceeded).toEqual([false, false, true])
    expect(limiter.take('10.1').isExceeded).toBe(false)
  })
})

describe('an address', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::9', '2001:db8:1:2'],
    ['2001:db8::9', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
  ])('%s counts as %s', (address, key) => {
    expect(addressKey(address)).toBe(key)
  })
})
