// Tests the forms of an address: one account has one canonical form, and the key of its bytes.
import { toBech32 } from '@cosmjs/encoding'
import { describe, expect, it } from 'vitest'
import {
  addressKey,
  canonicalAddress,
  decodeAddress,
  isAddressLike,
} from '../../../../ingest/contract/address.ts'
import { account, operator } from '../../../support/simulator/addresses.ts'

const bytes = new Uint8Array(20).fill(7)

describe('the canonical form of an address', () => {
  it.each([
    ['an account', account('alice')],
    ['an operator', operator('one')],
    ['a contract of 32 bytes', toBech32('wasm', new Uint8Array(32), 256)],
    ['a prefix with an at sign', toBech32('lava@', bytes)],
    ['a prefix with digits', toBech32('c4e1x', bytes)],
  ])('has small letters, also from capital letters: %s', (_, address) => {
    expect(canonicalAddress(address)).toBe(address)
    expect(canonicalAddress(address.toUpperCase())).toBe(address)
    expect(isAddressLike(address)).toBe(true)
  })

  it('leaves mixed letters, a wrong checksum and any other text as they are', () => {
    const mixed = `C${account('alice').slice(1)}`
    const wrong = `${account('alice').slice(0, -1)}b`.toUpperCase()
    for (const text of [mixed, wrong, 'Alice', '']) expect(canonicalAddress(text)).toBe(text)
  })
})

describe('the key of an address', () => {
  it('is the same for an account and its operator, whatever their prefixes', () => {
    expect(addressKey(operator('one'))).toBe(addressKey(account('one')))
    expect(addressKey(toBech32('iva', bytes))).toBe(addressKey(toBech32('lava@', bytes)))
    expect(addressKey(account('two'))).not.toBe(addressKey(account('one')))
  })
})

/** BIP 173 and BIP 350. */
const SEGWIT = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const TAPROOT = 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'
const PROGRAM = '79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'

describe('the key of an account with several texts', () => {
  it.each([
    ['20 bytes', bytes],
    ['32 bytes', new Uint8Array(32).fill(9)],
  ])('is that of its bytes in hex, and of each prefix, in any letters: %s', (_, account) => {
    const hex = Buffer.from(account).toString('hex')
    const texts = [`0x${hex}`, `0X${hex.toUpperCase()}`, toBech32('osmo', account)]
    const key = addressKey(toBech32('cosmos', account))
    for (const text of [...texts, toBech32('osmo', account).toUpperCase()]) {
      expect([text, addressKey(text)]).toEqual([text, key])
    }
  })

  it('is that of its 32 bytes for a taproot address', () => {
    const key = addressKey(`0x${PROGRAM}`)
    const program = Buffer.from(PROGRAM, 'hex')
    for (const text of [TAPROOT, TAPROOT.toUpperCase(), toBech32('side', program)]) {
      expect([text, addressKey(text)]).toEqual([text, key])
    }
    expect(decodeAddress(TAPROOT)).toEqual({ prefix: 'bc', bytes: new Uint8Array(program) })
  })

  it('is that of its five-bit values for a segwit address, and not that of its public key', () => {
    const { bytes: values = bytes } = decodeAddress(SEGWIT) ?? {}
    expect([values.length, values[0]]).toEqual([33, 0])
    expect(addressKey(SEGWIT)).toBe(addressKey(toBech32('side', values)))
    expect(addressKey(SEGWIT.toUpperCase())).toBe(addressKey(SEGWIT))
    expect(addressKey(SEGWIT)).not.toBe(addressKey(`0x751e76e8199196d454941c45d1b3a323f1433bd6`))
  })

  it('is the text itself without a valid checksum, or with the checksum of another encoding', () => {
    const wrong = [`${TAPROOT.slice(0, -1)}q`, `${SEGWIT.slice(0, -1)}q`, '0xab', 'Alice', '']
    for (const text of wrong) expect(addressKey(text)).toBe(text)
    const bech32 = toBech32('bc', new Uint8Array([8, ...new Uint8Array(32)]))
    expect(bech32).toMatch(/^bc1p/)
    expect(addressKey(bech32)).not.toBe(addressKey(`0x${'00'.repeat(32)}`))
  })
})

it('the canonical form of a Bitcoin address has small letters', () => {
  for (const text of [SEGWIT, TAPROOT]) expect(canonicalAddress(text.toUpperCase())).toBe(text)
})

describe('a text that looks like an address', () => {
  it('is no coin and no word', () => {
    expect(isAddressLike('1000000000000000000000000000000000000000stake')).toBe(false)
    expect(isAddressLike('/cosmos.staking.v1beta1.MsgDelegate')).toBe(false)
  })
})
