// The tally of AtomOne version 4 as its own code counts it, implemented without code of the product.

import { account } from '../simulator/addresses.ts'
import { divide, multiply, ONE, parseAtto } from '../simulator/keepers/decimal.ts'
import { governorsOf, sumShares } from '../simulator/queries/governors.ts'
import type { ChainState } from '../simulator/state/chain-state.ts'

const bondedPool = ({ pools }: ChainState, name: string) => {
  const pool = pools.get(name)
  if (pool?.status !== 3) return undefined
  return { tokens: pool.tokens, shares: (pool.shares ?? pool.tokens) * ONE }
}

/** In atto, of shares in atto. */
const priceShares = (state: ChainState, name: string, shares: bigint): bigint => {
  const pool = bondedPool(state, name)
  return pool ? divide(shares * pool.tokens, pool.shares) : 0n
}

const hasOwnStake = (state: ChainState, governor: string): boolean => {
  let sum = 0n
  for (const [pool, shares] of state.delegations.get(governor) ?? []) {
    sum += priceShares(state, pool, shares * ONE) / ONE
  }
  return sum >= governorsOf(state).minSelfDelegation
}

/** Yes and no in atto, as its `Tally` counts them. */
export const countVotes = (state: ChainState, proposalId: string): { yes: bigint; no: bigint } => {
  const { governors, chosen } = governorsOf(state)
  const sums = { yes: 0n, no: 0n }
  const names = new Map([...state.delegations.keys()].map((name) => [account(name), name]))
  const deducted = new Map<string, bigint>()
  const voting = new Map<string, readonly { option: number; weight: string }[]>()
  const add = (options: readonly { option: number; weight: string }[], power: bigint) => {
    for (const { option, weight } of options) {
      const part = multiply(power, parseAtto(weight))
      if (option === 1) sums.yes += part
      if (option === 3) sums.no += part
    }
  }
  for (const { voter, options } of state.votes.get(proposalId) ?? []) {
    const name = names.get(voter) ?? ''
    const governor = chosen.get(name)
    if (governor === name) voting.set(governor, options)
    for (const [pool, whole] of state.delegations.get(name) ?? []) {
      if (!bondedPool(state, pool)) continue
      const key = `${governor} ${pool}`
      deducted.set(key, (deducted.get(key) ?? 0n) + whole * ONE)
      add(options, priceShares(state, pool, whole * ONE))
    }
  }
  for (const [governor, options] of voting) {
    if (governors.get(governor) !== 'active' || !hasOwnStake(state, governor)) continue
    let power = 0n
    for (const [pool, whole] of sumShares(state, governor)) {
      power += priceShares(state, pool, whole * ONE - (deducted.get(`${governor} ${pool}`) ?? 0n))
    }
    add(options, power)
  }
  return sums
}
