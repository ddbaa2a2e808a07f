// The reason why a proof is refused: a code for programs, and a sentence with the problem and its position.

export type ProofErrorCode =
  | 'malformed'
  | 'wrong_key'
  | 'wrong_store'
  | 'wrong_value'
  | 'wrong_height'
  | 'wrong_chain'
  | 'wrong_app_hash'
  | 'wrong_header'
  | 'wrong_validators'
  | 'wrong_signature'
  | 'duplicate_signature'
  | 'not_enough_power'
  | 'trusted_later'
  | 'trusted_unknown'
  | 'not_trusted'
  /** There is nothing to verify: the source has no proof, or did not return it. */
  | 'unavailable'

export class ProofError extends Error {
  readonly code: ProofErrorCode

  constructor(code: ProofErrorCode, message: string) {
    super(message)
    this.name = 'ProofError'
    this.code = code
  }
}

/** Throws a `ProofError` unless `condition` is true. */
export function ensure(
  condition: boolean,
  code: ProofErrorCode,
  message: string,
): asserts condition {
  if (!condition) throw new ProofError(code, message)
}
