// Finds whether a chain has x/gov. An endpoint that refuses queries, or an old SDK, is not a chain without it.
import { AppError } from '../../infra/runtime/errors.ts'
import { findMeaning } from '../comet/meanings.ts'
import type { AbciAnswer, AbciRequest, ChainNode } from '../comet/node.ts'
import { isKnown } from './answer.ts'
import { askEitherEra } from './gov.ts'
import { reportsFork } from './gov-package.ts'
import { hasGovStore } from './gov-store.ts'
import * as v1 from './gov-v1.ts'
import * as v1beta1 from './gov-v1beta1.ts'
import { ask, isUnknownMethod } from './query.ts'

type Node = Pick<ChainNode, 'abciQuery' | 'refuse'>

/** `unknown`: nothing proves either, such as a refusal or a pruned state. */
export type GovPresence = 'present' | 'absent' | 'unknown'

/** Every chain of SDK 0.40 and later answers it: the control that the node serves queries of this height. */
const CONTROL_PATH = '/cosmos.auth.v1beta1.Query/Params'
const PATHS = [v1.paramsMethod.path, v1beta1.paramsMethod.path]
/** Number of endpoints that are compared. */
const MAX_ENDPOINTS = 8

const answersControl = async (node: Node, height: number): Promise<boolean> => {
  const answer = await node.abciQuery({ path: CONTROL_PATH, data: new Uint8Array(), height })
  return answer.kind === 'value'
}

const isUnreachable = (error: unknown): boolean =>
  error instanceof AppError && error.code !== 'ABORTED'

const isUnknown = (answer: AbciAnswer): boolean =>
  answer.kind === 'refused' && findMeaning(answer.log) === 'unsupported'

/** Whether every endpoint that responds lacks the query. */
const allLack = async (node: Node, request: AbciRequest): Promise<boolean> => {
  const avoid: AbciAnswer[] = []
  for (;;) {
    // The others are down: the response of one endpoint is the result.
    const answer = await node.abciQuery(request, { avoid }).catch((error: unknown) => {
      if (avoid.length === 0 || !isUnreachable(error)) throw error
      return undefined
    })
    if (!answer) return true
    if (!isUnknown(answer)) return false
    avoid.push(answer)
    const hasOther = node.refuse?.(avoid, null) ?? false
    if (!hasOther || avoid.length >= MAX_ENDPOINTS) return true
  }
}

const examine = async (node: Node, height: number): Promise<GovPresence> => {
  const request = { height, paramsType: 'tallying' }
  const params = await askEitherEra<unknown>(
    () => ask(node, v1.paramsMethod, request),
    () => ask(node, v1beta1.paramsMethod, request),
  )
  if (isKnown(params)) return 'present'
  if (!isUnknownMethod(params) || !(await answersControl(node, height))) return 'unknown'
  if ((await hasGovStore(node, height)) || (await reportsFork(node))) return 'unknown'
  for (const path of PATHS) {
    if (!(await allLack(node, { path, data: new Uint8Array(), height }))) return 'unknown'
  }
  return 'absent'
}

/**
 * Absent only if the queries of both versions are unknown, in every package and at every endpoint that responds.
 * The chain must serve another query of the height, and no store of x/gov. `node`: without unlimited retries.
 */
export const findGov = async (node: Node, height: number): Promise<GovPresence> => {
  try {
    return await examine(node, height)
  } catch (error) {
    if (isUnreachable(error)) return 'unknown'
    throw error
  }
}
