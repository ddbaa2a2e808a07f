// The chain state observed at the submission of a proposal, which explanations use.
import { isDeepStrictEqual } from 'node:util'
import type {
  ContextObservation,
  ProposalContext,
} from '../../projections/contract/proposal-json.ts'
import { plainReason } from '../in-words.ts'

/** `text` is the column `context` of a proposal. Earlier versions left it empty. */
export const readContext = (text: string): ProposalContext =>
  text === '' ? { observations: [], earlierBlock: null } : JSON.parse(text)

export type ObservationLookup = (
  query: string,
  request?: Readonly<Record<string, unknown>>,
) => ContextObservation | undefined

/** Undefined if this query was not sent. There is one observation for each query and request. */
export const createObservationLookup =
  (observations: readonly ContextObservation[]): ObservationLookup =>
  (query, request = {}) =>
    observations.find((each) => each.query === query && isDeepStrictEqual(each.request, request))

/** The reason for a missing response, in place of what it would say. */
export const notKnown = (found: ContextObservation | undefined): string =>
  `Not known: ${plainReason(found?.reason ?? 'the state of the chain was not read')}`
