// Tests of the redirect for an address in the search field.
import { toBech32 } from '@cosmjs/encoding'
import { expect, it } from 'vitest'
import { lookUpAddress, parseAddress } from '../../../../api/resources/address.ts'
import { account, operator } from '../../../support/chain/addresses.ts'

it('an account leads to its voter page, an operator address to its pool, with or without extra spaces', () => {
  const voter = account('alice')
  expect(lookUpAddress(voter)).toEqual({ path: `/voters/${voter}` })
  expect(lookUpAddress(`  ${voter.toUpperCase()}\n`)).toEqual({ path: `/voters/${voter}` })
  expect(lookUpAddress(operator('alice'))).toEqual({ path: `/pools/${operator('alice')}` })
})

it.each(['lava@', 'c4e', 'iaa'])(
  'an account with the prefix %s leads to its voter page',
  (prefix) => {
    const address = toBech32(prefix, new Uint8Array(20).fill(7))
    const found = { path: `/voters/${encodeURIComponent(address)}` }
    expect(lookUpAddress(address)).toEqual(found)
    expect(lookUpAddress(address.toUpperCase())).toEqual(found)
    expect(parseAddress(address.toUpperCase(), 'address', 'cosmos1…')).toBe(address)
  },
)

it('an empty text leads nowhere, and a mistyped address is reported', () => {
  expect(lookUpAddress(' ')).toEqual({ address: '', problem: null })
  const slip = `${account('alice').slice(0, -1)}b`
  for (const given of [slip, '../api', '<script>', 'x'.repeat(1_000)]) {
    expect(lookUpAddress(given)).toEqual({
      address: given,
      problem: expect.stringMatching(/^must be/),
    })
  }
})
