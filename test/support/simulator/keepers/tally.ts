// The tally of x/gov, implemented from the SDK without code of the product. Rollcall must serve the same numbers.

import { divide, multiply, ONE, parseAtto } from './decimal.ts'
import { bondedTokens, countedValidators, type Staking } from './staking.ts'

/** `option` as x/gov numbers it; `weight` as the voter sent it. */
export type WeightedVote = readonly { option: number; weight: string }[]

/** Per option, numbered as x/gov does, from 1. In atto. */
type Sums = [unused: bigint, yes: bigint, abstain: bigint, no: bigint, noWithVeto: bigint]

/** `voted`: whether its operator has a vote. */
export type PoolTally = {
  voted: boolean
  votingPower: bigint
  delegatorPower: bigint
  sums: Sums
}

export type Tally = {
  /** Whole units, as the chain stores them. */
  counts: { yes: string; abstain: string; no: string; noWithVeto: string }
  /** In atto. */
  votingPower: bigint
  /** Of the moment of the tally. */
  bondedTokens: string
  pools: ReadonlyMap<string, PoolTally>
}

const noSums = (): Sums => [0n, 0n, 0n, 0n, 0n]

/** Data of a pool that the iteration does not include. */
export const NOT_COUNTED: PoolTally = {
  voted: false,
  votingPower: 0n,
  delegatorPower: 0n,
  sums: noSums(),
}

/** `votes`: by voter. */
export const computeTally = (staking: Staking, votes: ReadonlyMap<string, WeightedVote>): Tally => {
  const results = noSums()
  let total = 0n
  const pools = new Map(
    countedValidators(staking).map((validator) => [
      validator.name,
      { validator, deductions: 0n, own: 0n, delegators: 0n, sums: noSums() },
    ]),
  )
  const add = (pool: { sums: Sums }, power: bigint, vote: WeightedVote) => {
    total += power
    for (const { option, weight } of vote) {
      const part = multiply(power, parseAtto(weight))
      // Options that this SDK does not support count only in the total.
      if (option < 1 || option > 4) continue
      results[option]! += part
      pool.sums[option]! += part
    }
  }
  const computePower = (
    shares: bigint,
    { tokens, shares: all }: { tokens: bigint; shares: bigint },
  ) => (all === 0n ? 0n : divide(shares * tokens, all))
  for (const [voter, vote] of votes) {
    for (const [name, shares] of staking.delegations.get(voter) ?? []) {
      const pool = pools.get(name)
      if (!pool) continue
      pool.deductions += shares
      const power = computePower(shares, pool.validator)
      if (voter === name) pool.own += power
      else pool.delegators += power
      add(pool, power, vote)
    }
  }
  const rests = new Map<string, bigint>()
  for (const [name, pool] of pools) {
    const rest = computePower(pool.validator.shares - pool.deductions, pool.validator)
    rests.set(name, rest)
    const vote = votes.get(name)
    if (vote) add(pool, rest, vote)
  }
  const [, yes, abstain, no, noWithVeto] = results.map((sum) => (sum / ONE).toString())
  return {
    counts: { yes: yes!, abstain: abstain!, no: no!, noWithVeto: noWithVeto! },
    votingPower: total,
    bondedTokens: bondedTokens(staking).toString(),
    pools: new Map(
      [...pools].map(([name, { own, delegators, sums }]) => [
        name,
        {
          voted: votes.has(name),
          votingPower: rests.get(name)! + own,
          delegatorPower: delegators,
          sums,
        },
      ]),
    ),
  }
}
