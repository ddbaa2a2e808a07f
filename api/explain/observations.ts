// Finds what the chain's state said to one query about a proposal.
import { isDeepStrictEqual } from 'node:util'
import type { Observation } from './context.ts'

export type ObservationLookup = (
  query: string,
  request?: Readonly<Record<string, unknown>>,
) => Observation | undefined

/** Undefined where this was not asked. There is one observation for each query and request. */
export const createObservationLookup =
  (observations: readonly Observation[]): ObservationLookup =>
  (query, request = {}) =>
    observations.find((each) => each.query === query && isDeepStrictEqual(each.request, request))

/** Why a response is not there. */
export const missingReason = (found: Observation | undefined): string =>
  found?.reason ?? 'the state of the chain was not read'
