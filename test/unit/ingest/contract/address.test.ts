// Tests the forms of an address: one account has one canonical form, and the key of its bytes.
import { toBech32 } from '@cosmjs/encoding'
import { expect, it } from 'vitest'
import {
  addressKey,
  canonicalAddress,
  decodeAddress,
  isAddressLike,
} from '../../../../ingest/contract/address.ts'
import { account, operator } from '../../../support/simulator/addresses.ts'

const bytes = new Uint8Array(20).fill(7)

/** BIP 173 and BIP 350. */
const SEGWIT = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const TAPROOT = 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'
const PROGRAM = '79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'

it.each([
  ['a contract of 32 bytes', toBech32('wasm', new Uint8Array(32), 256)],
  ['a prefix with an at sign', toBech32('lava@', bytes)],
  ['a prefix with digits', toBech32('c4e1x', bytes)],
  ['a segwit address', SEGWIT],
  ['a taproot address', TAPROOT],
])('the canonical form has small letters, also from capital letters: %s', (_, address) => {
  expect(canonicalAddress(address)).toBe(address)
  expect(canonicalAddress(address.toUpperCase())).toBe(address)
  expect(isAddressLike(address)).toBe(true)
})

it('the canonical form of mixed letters, a wrong checksum and any other text is the text', () => {
  const mixed = `C${account('alice').slice(1)}`
  const wrong = `${account('alice').slice(0, -1)}b`.toUpperCase()
  for (const text of [mixed, wrong, 'Alice', '']) expect(canonicalAddress(text)).toBe(text)
})

it('the key is that of the bytes, with any prefix and as hex', () => {
  const key = addressKey(toBech32('cosmos', Buffer.from(PROGRAM, 'hex')))
  for (const text of [TAPROOT, `0x${PROGRAM}`, `0X${PROGRAM.toUpperCase()}`]) {
    expect([text, addressKey(text)]).toEqual([text, key])
  }
  expect(addressKey(operator('one'))).toBe(addressKey(account('one')))
})

it('the key of a segwit address is that of its five-bit values, and not that of its public key', () => {
  const { bytes: values = bytes } = decodeAddress(SEGWIT) ?? {}
  expect([values.length, values[0]]).toEqual([33, 0])
  expect(addressKey(SEGWIT)).toBe(addressKey(toBech32('side', values)))
  expect(addressKey(SEGWIT)).not.toBe(addressKey('0x751e76e8199196d454941c45d1b3a323f1433bd6'))
})

it('the key is the text itself without a valid checksum, or with the checksum of another encoding', () => {
  const wrong = [`${TAPROOT.slice(0, -1)}q`, `${SEGWIT.slice(0, -1)}q`, '0xab', 'Alice', '']
  for (const text of wrong) expect(addressKey(text)).toBe(text)
  const bech32 = toBech32('bc', new Uint8Array([8, ...new Uint8Array(32)]))
  expect(bech32).toMatch(/^bc1p/)
  expect(addressKey(bech32)).not.toBe(addressKey(`0x${'00'.repeat(32)}`))
})

it('a coin and a type of a message do not look like an address', () => {
  expect(isAddressLike('1000000000000000000000000000000000000000stake')).toBe(false)
  expect(isAddressLike('/cosmos.staking.v1beta1.MsgDelegate')).toBe(false)
})
