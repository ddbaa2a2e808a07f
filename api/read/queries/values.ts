// Formats times, amounts and powers of the read model for responses, exactly and without floats.
import { ATTO, formatDecimal, parseDecimal, quo } from '../../../ingest/contract/decimal.ts'
import type { VoteReason } from '../../schemas/vote.ts'
import { formatShare } from '../../words/shares.ts'

/** Milliseconds → `2026-11-21T08:00:00.000Z`. */
export const formatTime = (timeMs: number): string => new Date(timeMs).toISOString()

/** `2026-11-21 08:00:00.123456789` → `2026-11-21T08:00:00.123Z`. */
export function formatTimestamp(timestamp: string): string
export function formatTimestamp(timestamp: string | null): string | null
export function formatTimestamp(timestamp: string | null): string | null {
  return timestamp === null ? null : `${timestamp.slice(0, 10)}T${timestamp.slice(11, 23)}Z`
}

/** The words beside a vote. */
export const toReason = (metadata: string | null, memo: string | null): VoteReason | null =>
  metadata === null && memo === null ? null : { metadata, memo }

export const formatAmount = (amount: bigint | null): string | null =>
  amount === null ? null : `${amount}`

/** 1e-18 units → a decimal of up to 18 places without trailing zeros. */
export const formatPower = (atto: bigint | null): string | null =>
  atto === null ? null : formatDecimal(atto)

/** `"0.400000000000000000"` → `"0.4"`. */
export const formatRate = (decimal: string | null): string | null =>
  decimal === null ? null : formatDecimal(parseDecimal(decimal))

/**
 * The turnout that the chain compares with the quorum. The exact sum in atto is divided like `LegacyDec` and truncated
 * to four places.
 */
export const computeTurnoutShare = (votedAtto: bigint, bondedTokens: bigint): string =>
  formatShare(quo(votedAtto, bondedTokens * ATTO), ATTO)

/** The largest first; unknown numbers last. */
export function compareLargest(one: bigint | null, other: bigint | null): number {
  const [a, b] = [one ?? -1n, other ?? -1n]
  return a === b ? 0 : a > b ? -1 : 1
}
