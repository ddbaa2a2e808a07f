// The JSON in the columns `context` and `changes` of a proposal: types only.

/** What the chain's state answers to one query, at the height of the event that has it. */
export type ContextObservation = {
  /** The gRPC method, such as `/cosmos.gov.v1.Query/Params`. */
  query: string
  request: Readonly<Record<string, unknown>>
  /** As the node's REST has it; null where the node cannot answer. */
  response: Readonly<Record<string, unknown>> | null
  /** Why `response` is null; null where it is not. */
  reason: string | null
  height: number
}

export type ProposalContext = {
  /** One for each query and request. */
  observations: readonly ContextObservation[]
  /** With it a reader can estimate the block time. */
  earlierBlock: { height: number; time: string } | null
}

/** `from` and `to` are JSON values; null where there is none. */
export type ParameterChange = {
  /** Index of the proposal's message that makes the change, or has the message that makes it. */
  message: number
  /** `a.b` for nested members; `subspace/key` for a parameter of the params module. */
  path: string
  from: unknown
  to: unknown
}

export type ParameterChanges =
  | { changes: readonly ParameterChange[]; reason: null }
  | { changes: null; reason: string }
