// Stake that moves during the votes of the demo.
import { delegate } from '../scenario/prepare.ts'
import { chance, ROLL } from '../scenario/scene.ts'
import { redelegate, undelegate } from '../scenario/side-stories.ts'
import type { Electorate } from './ballots.ts'
import type { Stage } from './story.ts'

/** Delegations, redelegations and undelegations of a few thousand ROLL. */
export function moveStake(stage: Stage, { delegators, pools }: Electorate, turn: number) {
  const pick = <Item>(items: readonly Item[], word: string): Item => {
    const item = items[Math.floor(chance('move', turn, word) * items.length)]
    if (item === undefined) throw new Error('there is nothing to choose from')
    return item
  }
  const from = pick(delegators, 'delegator')
  const own = pools[Number(/ (\d+)\./.exec(from.name)?.[1])]
  if (!own) throw new Error(`${from.name} has no pool`)
  const other = pick(pools, 'pool')
  const amount =
    10n * ROLL + BigInt(Math.floor(chance('move', turn, 'amount') ** 3 * 4_000_000_000))
  const kinds = [
    () => delegate(from, other.account, amount),
    () => delegate(from, own.account, amount),
    // The smallest delegations have a few ROLL.
    () => undelegate(from, own.account, ROLL),
    () => redelegate(from, [own.account, other.account], ROLL),
  ]
  const kind = own === other ? kinds[0] : kinds[turn % kinds.length]
  if (!kind) throw new Error('no such move')
  return stage.chain.send(from, [kind()], { gas: 2_000_000 })
}
