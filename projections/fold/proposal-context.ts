// Merges the observed parameters for the messages of an open proposal over its events, with limits.
import type { StateObservation } from '../../ingest/contract/context-events.ts'
import type { ContextObservation, ProposalContext } from '../contract/proposal-json.ts'
import { canonicalJson } from './json.ts'

export type KeptContext = {
  /** By query and request, in the order in which each was first observed. */
  observations: ReadonlyMap<string, ContextObservation>
}

export const EMPTY_CONTEXT: KeptContext = { observations: new Map() }

/** Twice the limit of one event: a later event observes the same queries again. */
const MAX_OBSERVATIONS = 128
const MAX_REQUEST_BYTES = 4 * 2 ** 10
/** A row repeats the context at every change of its proposal, and it stays in memory while the proposal is open. */
export const MAX_RESPONSE_BYTES = 256 * 2 ** 10
export const MAX_CONTEXT_BYTES = 2 ** 20

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

const toKey = ({ query, request }: Pick<StateObservation, 'query' | 'request'>): string =>
  `${query} ${canonicalJson(request)}`

export const findObservation = (
  { observations }: KeptContext,
  target: Pick<StateObservation, 'query' | 'request'>,
): ContextObservation | undefined => observations.get(toKey(target))

const withoutResponse = (observation: ContextObservation, reason: string): ContextObservation => ({
  ...observation,
  response: null,
  reason,
})

/** A response that is too long is replaced by the reason. `others`: bytes of the other responses. */
const bounded = (observation: ContextObservation, others: number): ContextObservation => {
  const bytes = bytesOf(observation.response)
  if (bytes > MAX_RESPONSE_BYTES) {
    return withoutResponse(
      observation,
      `left out: the response has ${bytes} bytes, more than ${MAX_RESPONSE_BYTES}`,
    )
  }
  if (others + bytes <= MAX_CONTEXT_BYTES) return observation
  return withoutResponse(
    observation,
    `left out: the responses for this proposal have more than ${MAX_CONTEXT_BYTES} bytes in total`,
  )
}

export const mergeContext = (
  context: KeptContext,
  { observations }: { observations: readonly StateObservation[] },
  height: number,
): KeptContext => {
  const merged = new Map(context.observations)
  let bytes = [...merged.values()].reduce((sum, { response }) => sum + bytesOf(response), 0)
  for (const { query, request, response, reason } of observations) {
    if (bytesOf(request) > MAX_REQUEST_BYTES) continue
    const key = toKey({ query, request })
    const former = merged.get(key)
    if (!former && merged.size >= MAX_OBSERVATIONS) continue
    if (former) bytes -= bytesOf(former.response)
    const kept = bounded({ query, request, response, reason, height }, bytes)
    bytes += bytesOf(kept.response)
    merged.set(key, kept)
  }
  return { observations: merged }
}

export const contextJson = ({ observations }: KeptContext): string =>
  JSON.stringify({
    observations: [...observations.values()],
  } satisfies ProposalContext)
