// Tests addresses of operators and their accounts.
import { toBech32 } from '@cosmjs/encoding'
import { describe, expect, it } from 'vitest'
import { isAddressLike, toAccountAddress } from '../../../../ingest/chain/address.ts'
import { account, operator } from '../../../support/chain/addresses.ts'

describe('the account of an operator', () => {
  it('has the same bytes with the account prefix, on any chain', () => {
    const bytes = new Uint8Array(20).fill(7)
    expect(toAccountAddress(operator('one'))).toBe(account('one'))
    expect(toAccountAddress(toBech32('evmosvaloper', bytes))).toBe(toBech32('evmos', bytes))
  })

  it('is undefined for any other text', () => {
    expect(toAccountAddress(account('one'))).toBeUndefined()
    expect(toAccountAddress('cosmosvaloper1nonsense')).toBeUndefined()
    expect(toAccountAddress('')).toBeUndefined()
  })
})

describe('a text that looks like an address', () => {
  it('is an account or a contract of 32 bytes, and not a coin or a word', () => {
    expect(isAddressLike(account('alice'))).toBe(true)
    expect(isAddressLike(toBech32('wasm', new Uint8Array(32), 256))).toBe(true)
    expect(isAddressLike('1000000000000000000000000000000000000000stake')).toBe(false)
    expect(isAddressLike('/cosmos.staking.v1beta1.MsgDelegate')).toBe(false)
  })
})
