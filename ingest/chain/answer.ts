// What a read of the chain's state comes back with: the value, or why there is none. Never throws for state that is gone.
import type { AbciAnswer } from '../comet/node.ts'

export type QueryFailure = Exclude<AbciAnswer, { kind: 'value' }>

/** `failure`: the node's own answer, for a caller that asks in another way where the node refuses one. */
export type Answer<Value> = { value: Value } | { unavailable: string; failure?: QueryFailure }

export const known = <Value>(value: Value): { value: Value } => ({ value })
export const unavailable = (reason: string): { unavailable: string } => ({ unavailable: reason })

/** What events are made of: the reason alone. */
export const withoutFailure = <Value>(answer: Answer<Value>): Answer<Value> =>
  isKnown(answer) ? answer : unavailable(answer.unavailable)

export const isKnown = <Value>(answer: Answer<Value>): answer is { value: Value } =>
  'value' in answer

/** For the pairs `x` and `xReason` that events carry: one of them is null. */
export const valueOrNull = <Value>(answer: Answer<Value>): Value | null =>
  isKnown(answer) ? answer.value : null
export const reasonOrNull = (answer: Answer<unknown>): string | null =>
  isKnown(answer) ? null : answer.unavailable

export const mapAnswer = <From, To>(answer: Answer<From>, map: (value: From) => To): Answer<To> =>
  isKnown(answer) ? known(map(answer.value)) : answer
