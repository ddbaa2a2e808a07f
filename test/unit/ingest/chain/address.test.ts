// Operators and their accounts.
import { toBech32 } from '@cosmjs/encoding'
import { describe, expect, it } from 'vitest'
import { isAddressLike, toAccountAddress } from '../../../../ingest/chain/address.ts'
import { account, operator } from '../../../support/chain/addresses.ts'

describe('an operator’s account', () => {
  it('is the same bytes under the account prefix, on any chain', () => {
    const bytes = new Uint8Array(20).fill(7)
    expect(toAccountAddress(operator('one'))).toBe(account('one'))
    expect(toAccountAddress(toBech32('evmosvaloper', bytes))).toBe(toBech32('evmos', bytes))
  })

  it('is not made of anything else', () => {
    expect(toAccountAddress(account('one'))).toBeUndefined()
    expect(toAccountAddress('cosmosvaloper1nonsense')).toBeUndefined()
    expect(toAccountAddress('')).toBeUndefined()
  })
})

describe('what looks like an address', () => {
  it('is an account, a contract of 32 bytes, no coin and no word', () => {
    expect(isAddressLike(account('alice'))).toBe(true)
    expect(isAddressLike(toBech32('wasm', new Uint8Array(32), 256))).toBe(true)
    expect(isAddressLike('1000000000000000000000000000000000000000stake')).toBe(false)
    expect(isAddressLike('/cosmos.staking.v1beta1.MsgDelegate')).toBe(false)
  })
})
