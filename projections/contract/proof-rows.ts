// The rows of what proves the state of proposals, as projections/migrations has them.
import type { Digits, Timestamp } from './read-model.ts'

/** One chunk of a proposal as the store of the chain has it, with the proof of the whole. */
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
  /** Base64. Null where `reason` says why. */
  value: string | null
  /** JSON of a list of `ProofOp`. Null where `value` is. */
  proof_ops: string | null
  reason: string | null
  /** Of the event. */
  time: Timestamp
  version: Digits
}

/** A header with the commit that signs it. */
export type LightBlockRow = {
  height: Digits
  hash: string
  header_time: Timestamp | null
  /** JSON. Null where `reason` says why, as are the others. */
  header: string | null
  commit: string | null
  validators_hash: string | null
  reason: string | null
  /** Of the event. */
  time: Timestamp
  version: Digits
}

export type ValidatorSetRow = {
  hash: string
  /** JSON of a list of `ConsensusValidator`. */
  validators: string
  version: Digits
}

/** By table. */
export type ProofRows = {
  proposal_proofs: ProposalProofRow[]
  light_blocks: LightBlockRow[]
  validator_sets: ValidatorSetRow[]
}
