// Votes that other modules change: by hooks, by stake that moves after the tally, and by a limit of bonded pools.
import type { EncodeObject } from '@cosmjs/proto-signing'
import { QueryParamsRequest, QueryParamsResponse } from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { MsgUpdateParams } from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import { delegate } from '../scenario/prepare.ts'
import { ROLL } from '../scenario/scene.ts'
import { undelegate } from '../scenario/side-stories.ts'
import { putOff } from './messages.ts'
import { STEWARD, VOTING_SECONDS } from './rules-chain.ts'
import type { Stage } from './stage.ts'

/** A message that changes how many pools are bonded. */
export const createLimitChange = async (
  { chain, scene }: Stage,
  limit: number,
): Promise<EncodeObject> => {
  const request = QueryParamsRequest.encode({}).finish()
  const bytes = await chain.rpc.query('/cosmos.staking.v1beta1.Query/Params', request, 0)
  const { params } = QueryParamsResponse.decode(bytes)
  const value = MsgUpdateParams.fromPartial({
    authority: scene.governance,
    params: { ...params, maxValidators: limit },
  })
  return { typeUrl: '/cosmos.staking.v1beta1.MsgUpdateParams', value }
}

/** One pool fewer is walked by the second tally of the end block: only of that smaller sum is its quorum reached. */
export async function playShrink(stage: Stage): Promise<void> {
  const { operator, whale } = stage
  await stage.vote('shrink', [[operator(0), 'yes']])
  await stage.vote('afterShrink', [
    [whale('north'), 'yes'],
    [whale('south'), 'yes'],
    [whale('grain'), 'yes'],
    [operator(1), 'yes'],
    [operator(2), 'yes'],
  ])
}

/** The steward's hook vetoes one vote and prolongs another, which only the votes after its first end decide. */
export async function playSteward(stage: Stage): Promise<void> {
  const { scene, operator, whale } = stage
  const steward = scene.person(STEWARD)
  const begin = scene.seconds()
  await stage.vote('vetoed', [[whale('north'), 'yes']])
  await stage.vote('prolonged', [
    [operator(0), 'abstain'],
    [whale('north'), 'no'],
  ])
  await scene.at(begin + 4)
  await stage.send(steward, [stage.voteWith('vetoed', steward, 'veto')])
  await stage.send(steward, [stage.voteWith('prolonged', steward, 'prolong')])
  if (stage.proposals.has('endedEarly')) {
    await stage.vote('endedEarly', [[operator(0), 'yes']])
    await stage.send(steward, [stage.voteWith('endedEarly', steward, 'end')])
  }
  await scene.at(begin + VOTING_SECONDS + 3)
  await stage.vote('prolonged', [
    [whale('south'), 'yes'],
    [whale('reed'), 'yes'],
  ])
}

/** Stake that moves after the tally of the closing block would turn the result. */
export async function playEpoch(stage: Stage): Promise<void> {
  const { scene, operator, whale } = stage
  await stage.propose({ epoch: [] })
  const end = scene.seconds() + VOTING_SECONDS
  await stage.vote('epoch', [
    [operator(0), 'abstain'],
    [whale('reed'), 'yes'],
    [whale('west'), 'no'],
  ])
  await scene.at(end - 5)
  const leaving = undelegate(whale('reed'), operator(1), 2_000_000n * ROLL)
  const coming = delegate(whale('west'), operator(2), 5_000_000n * ROLL)
  await stage.send(whale('reed'), [putOff(leaving)])
  await stage.send(whale('west'), [putOff(coming)])
  await scene.at(end + 2)
}
