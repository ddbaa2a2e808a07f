// Reconstructs every pool as of a tally inside an end block, from the committed states before and after the block.
import { type Answer, isKnown, known } from '../chain/answer.ts'
import type { PoolState } from '../contract/facts.ts'
import type { TallyPool } from '../tally/tally.ts'
import type { ChainStates } from './height-state.ts'

/**
 * Status from before the block: staking changes it only after governance. Tokens, shares and jailing from
 * after the block. With `isPoolBefore`, tokens and shares are from before the block too.
 */
const atTally = (pool: PoolState, was: PoolState | undefined, isPoolBefore: boolean): PoolState => {
  const stake = isPoolBefore && was ? was : pool
  const entered = pool.status === 'bonded' ? 'unbonded' : pool.status
  return {
    ...pool,
    tokens: stake.tokens,
    delegatorShares: stake.delegatorShares,
    status: was?.status ?? entered,
  }
}

const byPower = (left: PoolState, right: PoolState): number => {
  const difference = BigInt(right.tokens) - BigInt(left.tokens)
  return difference > 0n ? 1 : difference < 0n ? -1 : 0
}

/** The chain walks its pools by power, without jailed ones, up to the maximum of bonded pools. */
const findBonded = (pools: readonly PoolState[], maxPools: number): ReadonlySet<string> => {
  const bonded = pools.filter(({ status, jailed }) => status === 'bonded' && !jailed)
  const met = bonded.length > maxPools ? bonded.sort(byPower).slice(0, maxPools) : bonded
  return new Set(met.map(({ operatorAddress }) => operatorAddress))
}

/**
 * `isPoolBefore`: whether the pool's stake is from the height before, because a proposal's own messages
 * changed it after its tally. `maxPoolsAt`: the height of the limit of bonded pools; a proposal that passed
 * earlier in the same end block may have changed the limit.
 */
export const poolsAtTally = async (
  { before, after }: ChainStates,
  {
    isPoolBefore,
    maxPoolsAt,
  }: { isPoolBefore: (operatorAddress: string) => boolean; maxPoolsAt: 'before' | 'after' },
): Promise<Answer<TallyPool[]>> => {
  const [pools, poolsBefore, maxPools] = await Promise.all([
    after.pools(),
    before.pools(),
    maxPoolsAt === 'before' ? before.maxPools() : after.maxPools(),
  ])
  if (!isKnown(pools)) return pools
  if (!isKnown(poolsBefore)) return poolsBefore
  const was = new Map(poolsBefore.value.map((pool) => [pool.operatorAddress, pool]))
  const states = pools.value.map((pool) => {
    const { operatorAddress } = pool
    return atTally(pool, was.get(operatorAddress), isPoolBefore(operatorAddress))
  })
  // More than the maximum are bonded only if the limit was lowered in this end block.
  const counted = findBonded(states, isKnown(maxPools) ? maxPools.value : states.length)
  return known(states.map((pool) => ({ pool, counted: counted.has(pool.operatorAddress) })))
}
