// Finds whether a chain has x/staking: some chains have a staking module of their own, or a fixed set of validators.
import { isKnown } from './answer.ts'
import {
  allLack,
  answersControl,
  type ModulePresence,
  type PresenceNode,
  unknownIfUnreachable,
} from './module-presence.ts'
import { ask, isUnknownMethod } from './query.ts'
import { poolMethod } from './staking.ts'

const examine = async (node: PresenceNode, height: number): Promise<ModulePresence> => {
  const pool = await ask(node, poolMethod, { height })
  if (isKnown(pool)) return 'present'
  if (!isUnknownMethod(pool) || !(await answersControl(node, height))) return 'unknown'
  const { path } = poolMethod
  return (await allLack(node, { path, data: new Uint8Array(), height })) ? 'absent' : 'unknown'
}

/**
 * Absent only if no endpoint that responds knows the query, and the chain serves another query of the height. `node`: without
 * unlimited retries.
 */
export const findStaking = (node: PresenceNode, height: number): Promise<ModulePresence> =>
  unknownIfUnreachable(examine(node, height))
