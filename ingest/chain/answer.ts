// The result of a read of chain state: the value, or the reason why there is none. Missing state is not an error.
import type { AbciAnswer } from '../comet/endpoints/node.ts'

export type QueryFailure = Exclude<AbciAnswer, { kind: 'value' }>

/** What other endpoints say of an entry that one endpoint does not have. `unconfirmed`: none of them answered. */
export type Absence = 'confirmed' | 'unconfirmed' | 'contradicted'

/** `failure` is the node's own response, for a caller that retries with another query. */
export type Answer<Value> =
  | { value: Value }
  | { unavailable: string; failure?: QueryFailure; absence?: Absence }

export const known = <Value>(value: Value): { value: Value } => ({ value })
export const unavailable = (reason: string): { unavailable: string } => ({ unavailable: reason })

/** The same without `failure`: events contain only the reason. */
export const withoutFailure = <Value>(answer: Answer<Value>): Answer<Value> =>
  isKnown(answer) ? answer : unavailable(answer.unavailable)

export const isKnown = <Value>(answer: Answer<Value>): answer is { value: Value } =>
  'value' in answer

/** Whether the node has the state, and the requested entry is not in it. Not if another endpoint has the entry. */
export const isAbsent = (answer: Answer<unknown>): boolean =>
  !isKnown(answer) && answer.failure?.kind === 'not_found' && answer.absence !== 'contradicted'

/** For the pairs `x` and `xReason` of events: one of them is null. */
export const valueOrNull = <Value>(answer: Answer<Value>): Value | null =>
  isKnown(answer) ? answer.value : null
export const reasonOrNull = (answer: Answer<unknown>): string | null =>
  isKnown(answer) ? null : answer.unavailable
