// What shows that a chain lacks a module: no endpoint knows its queries, and the same node serves another query of the height.
import { AppError } from '../../infra/base/runtime/errors.ts'
import { isUnknownQuery } from '../comet/abci-answer.ts'
import type { AbciAnswer, AbciRequest, ChainNode } from '../comet/node.ts'

export type PresenceNode = Pick<ChainNode, 'abciQuery' | 'refuse'>

/** `unknown`: nothing proves either, such as a refusal or a pruned state. */
export type ModulePresence = 'present' | 'absent' | 'unknown'

/** Every chain of SDK 0.40 and later answers it: the control that the node serves queries of this height. */
const CONTROL_PATH = '/cosmos.auth.v1beta1.Query/Params'
/** Number of endpoints that are compared. */
const MAX_ENDPOINTS = 8

export const answersControl = async (node: PresenceNode, height: number): Promise<boolean> => {
  const answer = await node.abciQuery({ path: CONTROL_PATH, data: new Uint8Array(), height })
  return answer.kind === 'value'
}

const isUnreachable = (error: unknown): boolean =>
  error instanceof AppError && error.code !== 'ABORTED'

/** Whether every endpoint that responds lacks the query. */
export const allLack = async (node: PresenceNode, request: AbciRequest): Promise<boolean> => {
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

/** An outage shows nothing. */
export const unknownIfUnreachable = async (
  found: Promise<ModulePresence>,
): Promise<ModulePresence> => {
  try {
    return await found
  } catch (error) {
    if (isUnreachable(error)) return 'unknown'
    throw error
  }
}
