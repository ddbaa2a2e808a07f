// Finds whether a chain has x/gov and x/staking. It lacks a module if no endpoint knows its queries, and the same node serves another
// query of the height. An endpoint that refuses queries, or an old SDK, is not a chain without the module.
import { AppError } from '../../infra/base/runtime/errors.ts'
import type { ChainNode } from '../comet/endpoints/node.ts'
import { type Answer, isKnown } from './answer.ts'
import { hasGovStore } from './gov.ts'
import { reportsFork } from './gov-package.ts'
import { askParams } from './gov-params.ts'
import { ask, isUnknownMethod } from './query.ts'
import { poolMethod } from './staking.ts'

/** Asks each endpoint for a query that one of them does not know. */
export type PresenceNode = Pick<ChainNode, 'abciQuery'>

/** `unknown`: nothing proves either, such as a refusal or a pruned state. */
export type ModulePresence = 'present' | 'absent' | 'unknown'

/** Every chain of SDK 0.40 and later answers it: the control that the node serves queries of this height. */
const CONTROL_PATH = '/cosmos.auth.v1beta1.Query/Params'

const answersControl = async (node: PresenceNode, height: number): Promise<boolean> => {
  const answer = await node.abciQuery({ path: CONTROL_PATH, data: new Uint8Array(), height })
  return answer.kind === 'value'
}

const isUnreachable = (error: unknown): boolean =>
  error instanceof AppError && error.code !== 'ABORTED'

type Module = {
  ask(node: PresenceNode, height: number): Promise<Answer<unknown>>
  /** Whether something else shows that the chain has it, perhaps in a package of its own. */
  isHidden?(node: PresenceNode, height: number): Promise<boolean>
}

const examine = async (
  { ask: askModule, isHidden }: Module,
  node: PresenceNode,
  height: number,
): Promise<ModulePresence> => {
  const answer = await askModule(node, height)
  if (isKnown(answer)) return 'present'
  if (!isUnknownMethod(answer) || !(await answersControl(node, height))) return 'unknown'
  return (await isHidden?.(node, height)) ? 'unknown' : 'absent'
}

/** An outage shows nothing. */
async function find(module: Module, node: PresenceNode, height: number): Promise<ModulePresence> {
  try {
    return await examine(module, node, height)
  } catch (error) {
    if (isUnreachable(error)) return 'unknown'
    throw error
  }
}

/** Absent only without a store of x/gov, and without its queries in every version and package. `node`: without unlimited retries. */
export function findGov(node: PresenceNode, height: number): Promise<ModulePresence> {
  const isHidden: Module['isHidden'] = async (...at) =>
    (await hasGovStore(...at)) || (await reportsFork(node))
  return find({ ask: askParams, isHidden }, node, height)
}

/** Some chains have a staking module of their own, or a fixed set of validators. `node`: without unlimited retries. */
export function findStaking(node: PresenceNode, height: number): Promise<ModulePresence> {
  const askPool: Module['ask'] = () => ask(node, poolMethod, { height })
  return find({ ask: askPool }, node, height)
}

/** Whether the node serves queries of the height, also of a chain without x/staking or x/gov. */
export const hasStateAt = async (node: PresenceNode, height: number): Promise<boolean> => {
  const params = await askParams(node, height)
  if (isKnown(params)) return true
  return isUnknownMethod(params) && (await answersControl(node, height))
}
