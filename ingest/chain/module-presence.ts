// Finds whether a chain has x/gov and x/staking. It lacks a module if no endpoint knows its queries, and the same node serves another
// query of the height. An endpoint that refuses queries, or an old SDK, is not a chain without the module.
import { AppError } from '../../infra/base/runtime/errors.ts'
import type { AbciAnswer, AbciRequest, ChainNode } from '../comet/endpoints/node.ts'
import { isUnknownQuery } from '../comet/transport/abci-answer.ts'
import { type Answer, isKnown } from './answer.ts'
import { reportsFork } from './gov-package.ts'
import { askParams, PARAMS_PATHS } from './gov-params.ts'
import { hasGovStore } from './gov-store.ts'
import { ask, isUnknownMethod } from './query.ts'
import { poolMethod } from './staking.ts'

export type PresenceNode = Pick<ChainNode, 'abciQuery' | 'refuse'>

/** `unknown`: nothing proves either, such as a refusal or a pruned state. */
export type ModulePresence = 'present' | 'absent' | 'unknown'

/** Every chain of SDK 0.40 and later answers it: the control that the node serves queries of this height. */
const CONTROL_PATH = '/cosmos.auth.v1beta1.Query/Params'
/** Number of endpoints that are compared. */
const MAX_ENDPOINTS = 8

const answersControl = async (node: PresenceNode, height: number): Promise<boolean> => {
  const answer = await node.abciQuery({ path: CONTROL_PATH, data: new Uint8Array(), height })
  return answer.kind === 'value'
}

const isUnreachable = (error: unknown): boolean =>
  error instanceof AppError && error.code !== 'ABORTED'

/** Whether every endpoint that responds lacks the query. */
const allLack = async (node: PresenceNode, request: AbciRequest): Promise<boolean> => {
  const avoid: AbciAnswer[] = []
  for (;;) {
    // The others are down: the response of one endpoint is the result.
    const answer = await node.abciQuery(request, { avoid }).catch((error: unknown) => {
      if (avoid.length === 0 || !isUnreachable(error)) throw error
      return undefined
    })
    if (!answer) return true
    if (!isUnknownQuery(answer)) return false
    avoid.push(answer)
    const hasOther = node.refuse?.(avoid, null) ?? false
    if (!hasOther || avoid.length >= MAX_ENDPOINTS) return true
  }
}

type Module = {
  ask(node: PresenceNode, height: number): Promise<Answer<unknown>>
  /** The same query in every version. */
  paths: readonly string[]
  /** Whether something else shows that the chain has it, perhaps in a package of its own. */
  isHidden(node: PresenceNode, height: number): Promise<boolean>
}

const examine = async (
  { ask: askModule, paths, isHidden }: Module,
  node: PresenceNode,
  height: number,
): Promise<ModulePresence> => {
  const answer = await askModule(node, height)
  if (isKnown(answer)) return 'present'
  if (!isUnknownMethod(answer) || !(await answersControl(node, height))) return 'unknown'
  if (await isHidden(node, height)) return 'unknown'
  for (const path of paths) {
    if (!(await allLack(node, { path, data: new Uint8Array(), height }))) return 'unknown'
  }
  return 'absent'
}

type FindModule = (node: PresenceNode, height: number) => Promise<ModulePresence>

/** An outage shows nothing. */
const createFind =
  (module: Module): FindModule =>
  async (node, height) => {
    try {
      return await examine(module, node, height)
    } catch (error) {
      if (isUnreachable(error)) return 'unknown'
      throw error
    }
  }

/**
 * Absent only if the queries of both versions are unknown, in every package and at every endpoint that responds.
 * The chain must serve another query of the height, and no store of x/gov. `node`: without unlimited retries.
 */
export const findGov = createFind({
  ask: askParams,
  paths: PARAMS_PATHS,
  isHidden: async (node, height) => (await hasGovStore(node, height)) || (await reportsFork(node)),
})

/**
 * Some chains have a staking module of their own, or a fixed set of validators. Absent only if no endpoint that responds knows
 * the query, and the chain serves another query of the height. `node`: without unlimited retries.
 */
export const findStaking = createFind({
  ask: (node, height) => ask(node, poolMethod, { height }),
  paths: [poolMethod.path],
  isHidden: async () => false,
})

/** Whether the node serves queries of the height, also of a chain without x/staking or x/gov. */
export const hasStateAt = async (node: PresenceNode, height: number): Promise<boolean> => {
  const params = await askParams(node, height)
  if (isKnown(params)) return true
  return isUnknownMethod(params) && (await answersControl(node, height))
}
