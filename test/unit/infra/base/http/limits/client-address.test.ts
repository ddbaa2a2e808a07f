// Tests of which client an address belongs to.
import { describe, expect, it } from 'vitest'
import { clientKeys } from '../../../../../../infra/base/http/limits/clients.ts'

describe('an address', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.1:4711', '192.0.2.1'],
    ['[2001:db8:1:2::9]:4711', '2001:db8:1:2'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0DB8:0001:2::9', '2001:db8:1:2'],
    ['2001:db8::9', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80:0:0:0:1:2:3:4%eth0.5:::6:7:8', 'fe80:0:0:0'],
    ['2001:db8:1:2:3:4:5::', '2001:db8:1:2'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
    ['[::ffff:192.0.2.1]:4711', '192.0.2.1'],
    ['64:ff9b::192.0.2.1', '192.0.2.1'],
    ['64:ff9b:1:2::192.0.2.1', '64:ff9b:1:2'],
  ])('%s counts as the client %s', (address, key) => {
    expect(clientKeys(address).client).toBe(key)
  })

  it.each(['', 'unknown', '999.0.0.1', 'x'.repeat(15_000), '__proto__', '1.2.3.4, 5.6.7.8'])(
    'that is not valid (%#) counts as the one client of all invalid addresses',
    (text) => {
      expect(clientKeys(text)).toEqual({ client: 'no address', site: undefined })
    },
  )

  it('of IPv6 belongs to the client of its /48', () => {
    expect(clientKeys('2001:db8:1:2::9').site).toBe('2001:db8:1/48')
    for (const alone of ['192.0.2.1', '::ffff:192.0.2.1', '64:ff9b::c000:201', '::1']) {
      expect(clientKeys(alone).site).toBeUndefined()
    }
  })
})
