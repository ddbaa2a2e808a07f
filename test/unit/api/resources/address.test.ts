// Tests of addresses that users enter: the redirect of the look-up, and the forms of the same bytes.
import { toBech32 } from '@cosmjs/encoding'
import { describe, expect, it } from 'vitest'
import { lookUpAddress, parseAddress } from '../../../../api/resources/address.ts'
import { account, operator } from '../../../support/simulator/addresses.ts'

const COSMOS = { account: 'cosmos', operator: 'cosmosvaloper' }
const IRIS = { account: 'iaa', operator: 'iva' }
const BYTES = new Uint8Array(20).fill(0xab)
const CONTRACT = new Uint8Array(32).fill(0xcd)

const toHex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`

/** As users copy it: small letters, capital letters, both as in EIP-55, and with spaces. */
const createForms = (bytes: Uint8Array): string[] => {
  const hex = toHex(bytes)
  const mixed = hex.replace(/[a-f]/g, (digit, at) => (at % 2 ? digit.toUpperCase() : digit))
  return [hex, hex.toUpperCase(), `0x${hex.slice(2).toUpperCase()}`, mixed, ` ${hex}\n`]
}

it('an account leads to its voter page, an operator address to its pool, with or without extra spaces', () => {
  const voter = account('alice')
  expect(lookUpAddress(voter, null)).toEqual({ path: `/voters/${voter}` })
  expect(lookUpAddress(`  ${voter.toUpperCase()}\n`, COSMOS)).toEqual({ path: `/voters/${voter}` })
  expect(lookUpAddress(operator('alice'), null)).toEqual({ path: `/pools/${operator('alice')}` })
})

it.each(['lava@', 'c4e', 'iaa'])(
  'an account with the prefix %s leads to its voter page',
  (prefix) => {
    const address = toBech32(prefix, BYTES)
    const found = { path: `/voters/${encodeURIComponent(address)}` }
    for (const prefixes of [null, COSMOS, { account: prefix, operator: prefix }]) {
      expect(lookUpAddress(address, prefixes)).toEqual(found)
      expect(lookUpAddress(address.toUpperCase(), prefixes)).toEqual(found)
    }
    expect(parseAddress(address.toUpperCase(), 'address')).toBe(address)
  },
)

it.each([
  ['iva', IRIS],
  ['crocncl', { account: 'cro', operator: 'crocncl' }],
  ['lava@valoper', { account: 'lava@', operator: 'lava@valoper' }],
])('an operator with the prefix %s leads to its pool', (prefix, prefixes) => {
  const address = toBech32(prefix, BYTES)
  const found = { path: `/pools/${encodeURIComponent(address)}` }
  expect(lookUpAddress(address, prefixes)).toEqual(found)
  expect(lookUpAddress(address.toUpperCase(), prefixes)).toEqual(found)
  expect(lookUpAddress(toBech32(prefixes.account, BYTES), prefixes)).toEqual({
    path: `/voters/${encodeURIComponent(toBech32(prefixes.account, BYTES))}`,
  })
})

describe('an address in hex', () => {
  it.each([
    ['an account', COSMOS, BYTES],
    ['an account of another prefix', IRIS, BYTES],
    ['a contract', COSMOS, CONTRACT],
  ])('of %s leads to the page of its bech32 form', (_name, prefixes, bytes) => {
    const found = { path: `/voters/${toBech32(prefixes.account, bytes)}` }
    for (const form of createForms(bytes)) expect(lookUpAddress(form, prefixes)).toEqual(found)
  })

  it('leads to a page while the prefix is not known, and keeps the letters of its checksum', () => {
    expect(lookUpAddress(toHex(BYTES), null)).toEqual({ path: `/voters/${toHex(BYTES)}` })
    for (const form of createForms(CONTRACT).map((text) => text.trim())) {
      expect(parseAddress(form, 'operatorAddress')).toBe(form)
    }
  })
})

it.each([
  'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
])('a Bitcoin address leads to its voter page: %s', (address) => {
  expect(lookUpAddress(address.toUpperCase(), COSMOS)).toEqual({ path: `/voters/${address}` })
  expect(parseAddress(address, 'address')).toBe(address)
  expect(() => parseAddress(`${address.slice(0, -1)}q`, 'address')).toThrow('valid checksum')
})

it('an empty text leads nowhere, and a mistyped address is reported', () => {
  expect(lookUpAddress(' ', COSMOS)).toEqual({ address: '', problem: null })
  const slip = `${account('alice').slice(0, -1)}b`
  const hex = toHex(BYTES)
  const mistyped = [slip, '../api', '<script>', 'x'.repeat(1_000)]
  for (const given of [...mistyped, hex.slice(2), hex.slice(0, -1), `${hex}00`, `${hex}g`, '0x']) {
    expect(lookUpAddress(given, COSMOS)).toEqual({
      address: given,
      problem: expect.stringMatching(/^must be .* or 0x with 40 or 64 hex digits$/),
    })
  }
})
