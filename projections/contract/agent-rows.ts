// The rows of the agents' tables, as in projections/migrations. They come from a separate log.
import type { Digits, Timestamp } from './read-model.ts'

/** The claim of a registration, or its latest attempt, without the secrets of the attempt and their hashes. */
export type ClaimRow = {
  registration_id: string
  attempt_id: string
  state: 'started' | 'denied' | 'completed'
  client_name: string | null
  /** Chain and key algorithm of the wallet. The wallet itself is only in the log. */
  chain_id: string | null
  algorithm: string | null
  registered_at: Timestamp
  started_at: Timestamp
  expires: Timestamp
  decided_at: Timestamp | null
  event_id: string
  version: Digits
}

export type RevocationRow = {
  token_id: string
  kind: string
  subject: string
  revoked_at: Timestamp
  expires: Timestamp
  event_id: string
  version: Digits
}
