// The JSON in the column `changes` of a proposal: types only.

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
