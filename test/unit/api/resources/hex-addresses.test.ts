// Tests which arguments of a request may be addresses in hex, and when the prefixes are read.
import { toBech32 } from '@cosmjs/encoding'
import { expect, it, vi } from 'vitest'
import { withoutHexAddresses } from '../../../../api/resources/hex-addresses.ts'

const BYTES = new Uint8Array(20).fill(7)
const HEX = `0x${'07'.repeat(20)}`
const IRIS = { account: 'iaa', operator: 'iva' }

it('accounts and operators get the prefix of their role, and other arguments stay as they are', async () => {
  const given = {
    params: { address: HEX, operatorAddress: HEX.toUpperCase(), hash: HEX },
    query: { proposer: HEX, q: HEX, cursor: undefined, status: ['a', HEX], toString: HEX },
  }
  expect(await withoutHexAddresses(given, async () => IRIS)).toEqual({
    params: { address: toBech32('iaa', BYTES), operatorAddress: toBech32('iva', BYTES), hash: HEX },
    query: { ...given.query, proposer: toBech32('iaa', BYTES) },
  })
})

it('an unknown prefix leaves an address as it is, so that its parser refuses it', async () => {
  const given = { params: { operatorAddress: HEX }, query: {} }
  for (const prefixes of [null, { account: 'iaa', operator: null }]) {
    expect(await withoutHexAddresses(given, async () => prefixes)).toEqual(given)
  }
})

it.each([
  { params: { address: toBech32('iaa', BYTES) }, query: {} },
  { params: { address: HEX.slice(0, -1) }, query: {} },
  { params: { hash: HEX }, query: { q: HEX, proposer: [HEX] } },
])('the prefixes are not read without an address in hex: %j', async (given) => {
  const readPrefixes = vi.fn(async () => IRIS)
  expect(await withoutHexAddresses(given, readPrefixes)).toEqual(given)
  expect(readPrefixes).not.toHaveBeenCalled()
})
