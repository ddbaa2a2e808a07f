// Reconstructs every pool as of a tally inside an end block, from the committed states before and after the block.
import { type Answer, isKnown, known } from '../chain/answer.ts'
import type { PoolState } from '../contract/facts.ts'
import type { ChainStates } from '../heights/height-state.ts'
import { findCounted } from '../tally/counted-pools.ts'
import type { TallyPool } from '../tally/tally.ts'

/**
 * Status from before the block: staking changes it only after governance. Tokens, shares and jailing from
 * after the block. With `isPoolBefore`, tokens and shares are from before the block too.
 */
const atTally = (
  { counted: _, ...pool }: PoolState,
  was: PoolState | undefined,
  isPoolBefore: boolean,
): PoolState => {
  const stake = isPoolBefore && was ? was : pool
  const entered = pool.status === 'bonded' ? 'unbonded' : pool.status
  return {
    ...pool,
    tokens: stake.tokens,
    delegatorShares: stake.delegatorShares,
    status: was?.status ?? entered,
  }
}

/**
 * `isPoolBefore`: whether the pool's stake is from the height before, because the end block changed it after the
 * tally. `maxPoolsAt`: the height of the limit of bonded pools; a proposal that passed
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
  // Without a rule that limits them, more than the maximum are bonded only if the limit was lowered in this end block.
  const counted = findCounted(states, isKnown(maxPools) ? maxPools.value : states.length)
  return known(states.map((pool) => ({ pool, counted: counted.has(pool.operatorAddress) })))
}
