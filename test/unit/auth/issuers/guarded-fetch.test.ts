// Tests of the addresses that a trusted name can resolve to, and of the documents that are not fetched.
import type { lookup } from 'node:dns'
import { describe, expect, it } from 'vitest'
import { guardedFetch, isPublicAddress } from '../../../../auth/issuers/guarded-fetch.ts'

const resolvingTo = (...addresses: string[]): typeof lookup =>
  ((_name: string, _options: unknown, callback: (error: null, found: unknown) => void) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as unknown as typeof lookup

describe('a public address', () => {
  it.each(['1.1.1.1', '8.8.8.8', '172.15.0.1', '172.32.0.1', '2606:4700::1111', '2a00::1'])(
    '%s is public',
    (address) => expect(isPublicAddress(address)).toBe(true),
  )

  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '192.0.2.1',
    '198.18.0.1',
    '203.0.113.9',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fc00::1',
    'fd12::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001::1',
    '2001:db8::1',
    'example.org',
    '',
    '127.1',
    '0x7f.1',
  ])('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false))
})

describe('a document', () => {
  const guard = { allowLoopback: false, timeoutMs: 2_000 }

  it.each([
    ['http://example.org/keys', 'only https'],
    ['file:///etc/passwd', 'only https'],
    ['https://user:secret@example.org/keys', 'only https'],
    ['https://127.0.0.1/keys', 'not public'],
    ['https://[::1]/keys', 'not public'],
    ['https://[::ffff:a00:1]/keys', 'not public'],
    // Numbers that URL parses as 127.0.0.1.
    ['https://2130706433/keys', 'not public'],
    ['https://0x7f.1/keys', 'not public'],
    ['https://169.254.169.254/latest/meta-data', 'not public'],
  ])('at %s is not fetched: %s', async (url, reason) => {
    await expect(guardedFetch(url, guard)).rejects.toThrow(reason)
  })

  it('is not fetched if one of the addresses of its host is not public', async () => {
    for (const addresses of [['127.0.0.1'], ['1.1.1.1', '10.0.0.1'], ['::1'], ['fd00::1']]) {
      const options = { ...guard, lookup: resolvingTo(...addresses) }
      await expect(guardedFetch('https://idp.example/keys', options)).rejects.toThrow('not public')
    }
  })

  it('is not fetched from a public address without TLS, even if loopback is allowed', async () => {
    const options = { ...guard, allowLoopback: true, lookup: resolvingTo('1.1.1.1') }
    await expect(guardedFetch('http://idp.example/keys', options)).rejects.toThrow('not public')
  })
})
