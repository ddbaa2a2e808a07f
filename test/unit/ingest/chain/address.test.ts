// Operators and their accounts.
import { toBech32 } from '@cosmjs/encoding'
import { describe, expect, it } from 'vitest'
import { accountOfOperator, looksLikeAddress } from '../../../../ingest/chain/address.ts'
import { account, operator } from '../../../support/chain/addresses.ts'

describe('an operator’s account', () => {
  it('is the same bytes under the account prefix, on any chain', () => {
    const bytes = new Uint8Array(20).fill(7)
    expect(accountOfOperator(operator('one'))).toBe(account('one'))
    expect(accountOfOperator(toBech32('evmosvaloper', bytes))).toBe(toBech32('evmos', bytes))
  })

  it('is not made of anything else', () => {
    expect(accountOfOperator(account('one'))).toBeUndefined()
    expect(accountOfOperator('cosmosvaloper1nonsense')).toBeUndefined()
    expect(accountOfOperator('')).toBeUndefined()
  })
})

describe('what looks like an address', () => {
  it('is an account, a contract of 32 bytes, no coin and no word', () => {
    expect(looksLikeAddress(account('alice'))).toBe(true)
    expect(looksLikeAddress(toBech32('wasm', new Uint8Array(32), 256))).toBe(true)
    expect(looksLikeAddress('1000000000000000000000000000000000000000stake')).toBe(false)
    expect(looksLikeAddress('/cosmos.staking.v1beta1.MsgDelegate')).toBe(false)
  })
})
