// Tests of the shares of clients: each client and its site have a limit, and what is given back is free again.
import { describe, expect, it } from 'vitest'
import {
  createClientShares,
  type ShareLimits,
} from '../../../../../../infra/base/http/limits/client-shares.ts'

/** Takes as often as possible from `networks` networks of one /48. */
const takeAll = (limits: ShareLimits, networks: number) => {
  const shares = createClientShares(limits)
  const taken: string[] = []
  for (let n = 0; n < networks; n++) {
    const address = `2001:db8:1:${n.toString(16)}::1`
    while (shares.take(address) >= 0) taken.push(address)
  }
  return { shares, taken }
}

describe('the shares of clients', () => {
  it.each([
    [{ perClient: 50, total: 5_000 }, 200],
    [{ perClient: 4, total: 32 }, 8],
    [{ perClient: 10, clientsPerSite: 16 }, 160],
    [{ perClient: 10, clientsPerSite: 16, total: 100 }, 25],
    [{ perClient: 3, total: 8 }, 2],
    [{ perClient: 3, total: 2 }, 1],
  ])('of a site with very many networks are bounded, with limits %o', (limits, expected) => {
    const { shares, taken } = takeAll(limits, 300)
    expect(taken).toHaveLength(expected)
    expect(shares.used).toBe(expected)
    expect(shares.left('2001:db8:1:ffff::1')).toBe(0)
    expect(shares.take('2001:db8:2::1')).toBeGreaterThanOrEqual(0)
    expect(shares.take('192.0.2.1')).toBe(limits.perClient - 1)
  })

  it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', ''])(
    'are those of one client, not of a site, for a proxy or an operator on this machine (%j)',
    (address) => {
      const shares = createClientShares({ perClient: 3, total: 4 })
      for (let n = 0; n < 3; n++) expect(shares.take(address)).toBe(2 - n)
      expect(shares.take(address)).toBeLessThan(0)
    },
  )

  it('are free again once they are given back, for the client and for its site', () => {
    const { shares, taken } = takeAll({ perClient: 2, total: 100 }, 20)
    for (const address of taken) shares.give(address)
    expect(shares.used).toBe(0)
    expect(shares.left('2001:db8:1:0::9')).toBe(2)
    expect(shares.left('2001:db8:1:13::9')).toBe(2)
  })

  it('count nothing for a request that they refuse', () => {
    const shares = createClientShares({ perClient: 1 })
    const address = '2001:db8:1:1::1'
    shares.take(address)
    for (let n = 0; n < 10; n++) expect(shares.take(address)).toBeLessThan(0)
    expect(shares.take('2001:db8:1:2::1')).toBe(0)
    shares.give(address)
    expect(shares.take(address)).toBe(0)
  })

  it('can be smaller for a time, as under load', () => {
    const shares = createClientShares({ perClient: 8, total: 1_000 })
    for (let n = 0; n < 4; n++) shares.take('192.0.2.1')
    expect(shares.take('192.0.2.1', 4)).toBeLessThan(0)
    expect(shares.take('192.0.2.1')).toBeGreaterThanOrEqual(0)
  })
})
