// Moves stake during the campaign's votes, also in their closing blocks.
import type { EncodeObject } from '@cosmjs/proto-signing'
import type { Account } from '../accounts.ts'
import { delegate } from '../scenario/prepare.ts'
import { chance, ROLL, type Scene } from '../scenario/scene.ts'
import { nth, redelegate, undelegate } from '../scenario/side-stories.ts'

const POOLS_EACH = 3

/** Three pools for everyone, in an order that is the voter's own. */
export function choosePools(scene: Scene, voter: Account): Account[] {
  const rank = (pool: Account) => chance('campaign pools', voter.name, pool.name)
  return [...scene.operators].sort((a, b) => rank(a) - rank(b)).slice(0, POOLS_EACH + 1)
}

export function firstDelegations(scene: Scene, voter: Account): EncodeObject[] {
  return choosePools(scene, voter)
    .slice(0, POOLS_EACH)
    .map((pool) => {
      const share = chance('campaign amount', voter.name, pool.name) ** 3
      return delegate(voter, pool, 30n * ROLL + BigInt(Math.floor(share * 5_000_000_000)))
    })
}

/** By turns more stake, less of it, or the same elsewhere; in odd base units. */
export function createStakeMove(scene: Scene, voter: Account, turn: number): EncodeObject {
  const pools = choosePools(scene, voter)
  const [first, second, other] = [nth(pools, 0), nth(pools, 1), nth(pools, POOLS_EACH)]
  const amount = 7n * ROLL + BigInt(turn * 1_013 + 7)
  if (turn % 3 === 0) return delegate(voter, other, amount)
  if (turn % 3 === 1) return undelegate(voter, first, amount)
  return redelegate(voter, [second, other], amount)
}
