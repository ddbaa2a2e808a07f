// Finds the observed response to a query.
import { isDeepStrictEqual } from 'node:util'
import type { ContextObservation } from '../../projections/contract/proposal-json.ts'
import { plainReason } from '../in-words.ts'

export type ObservationLookup = (
  query: string,
  request?: Readonly<Record<string, unknown>>,
) => ContextObservation | undefined

/** Undefined if this query was not sent. There is one observation for each query and request. */
export const createObservationLookup =
  (observations: readonly ContextObservation[]): ObservationLookup =>
  (query, request = {}) =>
    observations.find((each) => each.query === query && isDeepStrictEqual(each.request, request))

/** The reason for a missing response. */
export const missingReason = (found: ContextObservation | undefined): string =>
  plainReason(found?.reason ?? 'the state of the chain was not read')
