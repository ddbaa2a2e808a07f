// A pool leaves the bonded ones during a vote, and returns.
import { MsgUnjail } from 'cosmjs-types/cosmos/slashing/v1beta1/tx'
import { delegate } from './prepare.ts'
import { ROLL, type Scene, toPoolAddress } from './scene.ts'
import { nth, undelegate } from './side-stories.ts'

/** An operator takes out its own stake: the chain jails its pool in that very block. */
export async function leave(scene: Scene, index: number): Promise<void> {
  const operator = nth(scene.operators, index)
  const { selfTokens } = nth(scene.pools, index)
  await scene.chain.send(operator, [undelegate(operator, operator, selfTokens)])
}

export async function comeBack(scene: Scene, index: number): Promise<void> {
  const operator = nth(scene.operators, index)
  const unjail = {
    typeUrl: '/cosmos.slashing.v1beta1.MsgUnjail',
    value: MsgUnjail.fromPartial({ validatorAddr: toPoolAddress(operator) }),
  }
  await scene.chain.send(operator, [delegate(operator, operator, 40_000n * ROLL), unjail])
}
