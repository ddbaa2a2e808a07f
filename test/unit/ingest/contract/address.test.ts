// Tests the forms of an address: one account has one canonical form, and the key of its bytes.
import { toBech32 } from '@cosmjs/encoding'
import { describe, expect, it } from 'vitest'
import { account, operator } from '../../../../infra/app/chain/addresses.ts'
import { addressKey, canonicalAddress, isAddressLike } from '../../../../ingest/contract/address.ts'
import { decodeEvent, encodeEvent } from '../../../../ingest/contract/codec.ts'
import { snapshot, stakeChanged, vote } from '../../../support/log/governance-events.ts'

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

describe('a text that looks like an address', () => {
  it('is no coin and no word', () => {
    expect(isAddressLike('1000000000000000000000000000000000000000stake')).toBe(false)
    expect(isAddressLike('/cosmos.staking.v1beta1.MsgDelegate')).toBe(false)
  })
})

describe('an event of an earlier log with capital letters', () => {
  const alice = account('alice')
  const capitals = alice.toUpperCase()
  it.each([
    ['a vote', vote('7', capitals)],
    ['a change of stake', stakeChanged(capitals, [])],
    [
      'a snapshot',
      snapshot({
        votes: [
          {
            proposalId: '7',
            voter: capitals,
            options: [],
            delegations: [],
            delegationsReason: null,
          },
        ],
      }),
    ],
  ])('is decoded with the canonical address: %s', (_, build) => {
    const decoded = decodeEvent(encodeEvent(build(4, 1)))
    const data = decoded.ok ? JSON.stringify(decoded.event.data) : decoded.reason
    expect(data).toContain(alice)
    expect(data).not.toContain(capitals)
  })
})
