// The rows of the agents' tables, as projections/migrations has them. They follow a log of their own.
import type { Digits, Timestamp } from './read-model.ts'

/** Of a registration: its claim, or its latest attempt. Never the attempt's secrets, nor their hashes. */
export type ClaimRow = {
  registration_id: string
  attempt_id: string
  state: 'started' | 'denied' | 'completed'
  client_name: string | null
  /** Of the wallet, which itself is in the log alone. */
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
