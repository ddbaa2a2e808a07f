// The rows of proofs of proposals, as in projections/migrations.
import type { Digits, Timestamp } from './read-model.ts'

/** One chunk of a proposal in the store of the chain, with the complete proof. */
export type ProposalProofRow = {
  proposal_id: Digits
  /** The round that ended at `state_height`; 0 for the submission. */
  round: number
  state_height: Digits
  chunk: number
  chunks: number
  store: string
  /** Hex. */
  key: string
  /** Base64. Null with a `reason`. */
  value: string | null
  /** JSON of a list of `ProofOp`. Null if `value` is null. */
  proof_ops: string | null
  reason: string | null
  /** Block time and position of the event. */
  time: Timestamp
  version: Digits
}

/** A header with its commit. */
export type LightBlockRow = {
  height: Digits
  hash: string
  header_time: Timestamp | null
  /** JSON. Null with a `reason`, like the other members. */
  header: string | null
  commit: string | null
  validators_hash: string | null
  reason: string | null
  /** Block time and position of the event. */
  time: Timestamp
  version: Digits
}

export type ValidatorSetRow = {
  hash: string
  /** JSON of a list of `ConsensusValidator`. */
  validators: string
  version: Digits
}

/** Rows by table. */
export type ProofRows = {
  proposal_proofs: ProposalProofRow[]
  light_blocks: LightBlockRow[]
  validator_sets: ValidatorSetRow[]
}
