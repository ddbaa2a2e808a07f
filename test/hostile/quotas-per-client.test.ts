// Quotas apply to single clients, also if a hostile client has very many addresses.
import { describe, expect, it } from 'vitest'
import { readApiConfig } from '../../api/config.ts'
import { createRateLimiter } from '../../infra/base/http/limits/rate-limit.ts'
import { createApiRig } from '../support/api/api-rig.ts'
import { createMemoryStore } from '../support/store/memory-store.ts'

const setup = (perMinute: number) => ({ limiter: createRateLimiter(perMinute, () => 1_000_000) })

describe('the quota of a client', () => {
  it('never counts a new client together with all others, with any number of addresses', () => {
    const { limiter } = setup(1)
    for (let n = 0; n < 200_000; n++) limiter.take(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`)
    // Many more than one shared counter would allow.
    const newcomers = Array.from({ length: 200 }, (_, n) => `192.0.2.${n}`)
    const refused = newcomers.filter((address) => limiter.take(address).isExceeded)
    expect(refused.length).toBeLessThan(20)
    expect(limiter.take('192.0.2.7').isExceeded).toBe(true)
    expect(limiter.take('10.0.0.1').isExceeded).toBe(true)
  })

  it('gives one IPv6 /48 the quota of sixteen clients and does not affect others', () => {
    const { limiter } = setup(2)
    let passed = 0
    for (let n = 0; n < 300_000; n++) {
      const [low, site] = [(n & 0xffff).toString(16), (n >> 16).toString(16)]
      if (!limiter.take(`2001:db8:${site}:${low}::1`).isExceeded) passed += 1
    }
    expect(passed).toBe(5 * 32)
    const newcomers = ['192.0.2.1', '2001:db8:ffff::1', '192.0.2.1', '2001:db8:ffff::1']
    expect(newcomers.map((address) => limiter.take(address).isExceeded)).not.toContain(true)
    expect(limiter.take('192.0.2.1').isExceeded).toBe(true)
    expect(limiter.isSpent('2001:db8:0:ffff::1')).toBe(true)
  })
})

describe('X-Forwarded-For', () => {
  const setup = async (trustProxy: string) => {
    const { trustProxy: trusted } = readApiConfig({ TRUST_PROXY: trustProxy })
    const changes = { trustProxy: trusted, rateLimitPerMinute: 2 }
    const rig = await createApiRig(createMemoryStore(), changes)
    const statusFor = async (forwarded: string) => {
      const headers = { 'x-forwarded-for': forwarded }
      return (await rig.ask('/api/health', { headers })).status
    }
    return { rig, statusFor }
  }

  it('counts by the address that trusted proxies appended, with any text of the client before it', async () => {
    const { rig, statusFor } = await setup('1')
    const statuses = []
    for (let n = 0; n < 4; n++) statuses.push(await statusFor(`10.9.8.${n}, 192.0.2.1`))
    expect(statuses).toEqual([200, 200, 429, 429])
    expect(await statusFor('192.0.2.1, 192.0.2.2')).toBe(200)
    const two = await setup('2')
    for (let n = 0; n < 3; n++)
      statuses.push(await two.statusFor(`10.0.0.${n}, 192.0.2.1, 10.1.1.${n}`))
    expect(statuses.slice(4)).toEqual([200, 200, 429])
    await Promise.all([rig.close(), two.rig.close()])
  })

  it('is shared by all invented texts if every entry is trusted', async () => {
    const { rig, statusFor } = await setup('true')
    const statuses = []
    for (let n = 0; n < 4; n++)
      statuses.push(await statusFor(`${'x'.repeat(9_000)}${n}, 192.0.2.1`))
    expect(statuses).toEqual([200, 200, 429, 429])
    expect(await statusFor('192.0.2.7, 192.0.2.1')).toBe(200)
    await rig.close()
  })
})
