// The JSON in the columns `context` and `changes` of a proposal: types only.

/** The response of the chain's state to one query, at the height of its event. */
export type ContextObservation = {
  /** The gRPC method, such as `/cosmos.gov.v1.Query/Params`. */
  query: string
  request: Readonly<Record<string, unknown>>
  /** In the JSON of the node's REST API; null if the node cannot answer. */
  response: Readonly<Record<string, unknown>> | null
  /** Why `response` is null; null if it is not null. */
  reason: string | null
  height: number
}

export type ProposalContext = {
  /** One per query and request. */
  observations: readonly ContextObservation[]
}

/** `from` and `to` are JSON values; null if absent. */
export type ParameterChange = {
  /** Index of the proposal's message that makes the change, or that contains the message that makes it. */
  message: number
  /** `a.b` for nested members; `subspace/key` for a parameter of the params module. */
  path: string
  from: unknown
  to: unknown
}

export type ParameterChanges =
  | { changes: readonly ParameterChange[]; reason: null }
  | { changes: null; reason: string }
