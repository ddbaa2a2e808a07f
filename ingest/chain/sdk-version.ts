// Finds whether a chain has SDK 0.54 or later at a height, by the versions of its modules.
import {
  QueryModuleVersionsRequest,
  QueryModuleVersionsResponse,
} from 'cosmjs-types/cosmos/upgrade/v1beta1/query'
import type { ChainNode } from '../comet/endpoints/node.ts'
import { type Answer, isKnown, known, withoutFailure } from './answer.ts'
import { ask, isUnknownMethod } from './query.ts'

const moduleVersions = {
  path: '/cosmos.upgrade.v1beta1.Query/ModuleVersions',
  request: QueryModuleVersionsRequest,
  response: QueryModuleVersionsResponse,
}

/** Of x/auth in SDK 0.54: 5 in 0.50 to 0.53. The versions of x/gov and x/staking are the same in all of them. */
const AUTH_VERSION = 6n

/** Since SDK 0.54 the base of the quorum is the sum of the pools that the tally counts, not the balance of the bonded pool. */
export const takesCountedBaseAt = async (
  node: Pick<ChainNode, 'abciQuery'>,
  height: number,
): Promise<Answer<boolean>> => {
  const answer = await ask(node, moduleVersions, { height, moduleName: 'auth' })
  if (isUnknownMethod(answer)) return known(false)
  if (!isKnown(answer)) return withoutFailure(answer)
  const auth = answer.value.moduleVersions.find(({ name }) => name === 'auth')
  return known((auth?.version ?? 0n) >= AUTH_VERSION)
}
