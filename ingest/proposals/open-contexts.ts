// The parameters that open proposals would change, as in the log; they are read again when another proposal passes.
import { Value } from 'typebox/value'
import type { StateObservation } from '../contract/context-events.ts'
import type { EventOf } from '../contract/events.ts'

export type OpenContexts = {
  add(data: EventOf<'rollcall.proposal.context.v1'>['data']): void
  /** The proposal is closed. */
  release(proposalId: string): void
  /** Of each open proposal that would change parameters, by its ID. */
  parameters(): ReadonlyMap<string, readonly StateObservation[]>
  /** Responses that are new or different from the log. */
  changed(proposalId: string, observations: readonly StateObservation[]): StateObservation[]
}

/** `Query/Params`, and the equivalent of IBC: `Query/ClientParams`. */
const PARAMETERS = /\.Query\/\w*Params$/

const isSameQuestion = (a: StateObservation, b: StateObservation): boolean =>
  a.query === b.query && Value.Equal(a.request, b.request)

export const createOpenContexts = (): OpenContexts => {
  const open = new Map<string, StateObservation[]>()
  const remember = (proposalId: string, observations: readonly StateObservation[]) => {
    const parameters = observations.filter(({ query }) => PARAMETERS.test(query))
    if (parameters.length === 0) return
    const before = open.get(proposalId) ?? []
    const kept = before.filter((each) => !parameters.some((other) => isSameQuestion(each, other)))
    open.set(proposalId, [...kept, ...parameters])
  }
  return {
    add: ({ proposalId, observations }) => remember(proposalId, observations),
    release: (proposalId) => {
      open.delete(proposalId)
    },
    parameters: () => open,
    changed: (proposalId, observations) => {
      const before = open.get(proposalId) ?? []
      return observations.filter((each) => !before.some((other) => Value.Equal(other, each)))
    },
  }
}
