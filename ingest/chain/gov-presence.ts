// Finds whether a chain has x/gov. An endpoint that refuses queries, or an old SDK, is not a chain without it.
import { isKnown } from './answer.ts'
import { reportsFork } from './gov-package.ts'
import { askParams, PARAMS_PATHS } from './gov-params.ts'
import { hasGovStore } from './gov-store.ts'
import {
  allLack,
  answersControl,
  type ModulePresence,
  type PresenceNode,
  unknownIfUnreachable,
} from './module-presence.ts'
import { isUnknownMethod } from './query.ts'

/** Whether the node serves queries of the height, also of a chain without x/staking or x/gov. */
export const hasStateAt = async (node: PresenceNode, height: number): Promise<boolean> => {
  const params = await askParams(node, height)
  if (isKnown(params)) return true
  return isUnknownMethod(params) && (await answersControl(node, height))
}

const examine = async (node: PresenceNode, height: number): Promise<ModulePresence> => {
  const params = await askParams(node, height)
  if (isKnown(params)) return 'present'
  if (!isUnknownMethod(params) || !(await answersControl(node, height))) return 'unknown'
  if ((await hasGovStore(node, height)) || (await reportsFork(node))) return 'unknown'
  for (const path of PARAMS_PATHS) {
    if (!(await allLack(node, { path, data: new Uint8Array(), height }))) return 'unknown'
  }
  return 'absent'
}

/**
 * Absent only if the queries of both versions are unknown, in every package and at every endpoint that responds.
 * The chain must serve another query of the height, and no store of x/gov. `node`: without unlimited retries.
 */
export const findGov = (node: PresenceNode, height: number): Promise<ModulePresence> =>
  unknownIfUnreachable(examine(node, height))
