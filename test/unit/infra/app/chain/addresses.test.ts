// Tests that a name has one account and one pool, also if the name is an address.
import { toBech32 } from '@cosmjs/encoding'
import { expect, it } from 'vitest'
import { account, operator, toAddressBytes } from '../../../../../infra/app/chain/addresses.ts'

it('gives a name the same bytes as an account and as a pool', () => {
  expect(account('alice')).toMatch(/^cosmos1/)
  expect(operator('alice')).toMatch(/^cosmosvaloper1/)
  expect(toAddressBytes(operator('alice'))).toEqual(toAddressBytes(account('alice')))
})

it('takes an address of any chain as the name of its account and of its pool', () => {
  const bytes = Uint8Array.from({ length: 20 }, (_, at) => at)
  const [own, pool] = [toBech32('wasm', bytes), toBech32('wasmvaloper', bytes)]
  expect([account(own), account(pool)]).toEqual([own, own])
  expect([operator(own), operator(pool)]).toEqual([pool, pool])
})
