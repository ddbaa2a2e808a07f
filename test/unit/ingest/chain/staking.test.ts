// Tests pools, delegations and the bonded total at a height.
import { describe, expect, it } from 'vitest'
import { bondedTokensAt, delegationsAt, poolsAt } from '../../../../ingest/chain/staking.ts'
import { createMemoryChain } from '../../../support/chain/memory-chain.ts'
import { account, operator } from '../../../support/simulator/addresses.ts'

const chainWith = () => {
  const chain = createMemoryChain()
  chain.add({}, (state) => {
    state.pools.set('four', { tokens: 7n, status: 1, jailed: true })
  })
  return chain
}

describe('staking at a height', () => {
  it('returns the pools of all pages, by operator address, with their accounts', async () => {
    const answer = await poolsAt(chainWith(), 1)
    const pools = 'value' in answer ? answer.value : []
    expect(pools.map((pool) => pool.operatorAddress)).toEqual(
      ['one', 'two', 'three', 'four'].map(operator).sort(),
    )
    expect(pools.find((pool) => pool.operatorAddress === operator('four'))).toEqual({
      operatorAddress: operator('four'),
      accountAddress: account('four'),
      moniker: 'Pool four',
      tokens: '7',
      delegatorShares: '7.000000000000000000',
      status: 'unbonded',
      jailed: true,
      profile: { website: '', details: '', identity: '', commission: null },
    })
  })

  it('returns the delegations of a voter from all pages, in shares of 18 places', async () => {
    const answer = await delegationsAt(chainWith(), account('alice'), 1)
    const delegations = 'value' in answer ? answer.value : []
    expect(delegations).toHaveLength(3)
    expect(delegations.find((each) => each.operatorAddress === operator('two'))?.shares).toBe(
      '20.000000000000000000',
    )
  })

  it('shows none for an account that delegates nothing', async () => {
    expect(await delegationsAt(chainWith(), account('idle'), 1)).toEqual({ value: [] })
  })

  it('returns the bonded total', async () => {
    expect(await bondedTokensAt(chainWith(), 1)).toEqual({ value: '1000' })
  })
})
