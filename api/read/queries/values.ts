// Formats times, amounts and powers of the read model for responses, exactly and without floats.
import { ATTO, formatDecimal, parseDecimal, quo } from '../../../ingest/contract/decimal.ts'
import type { VoteReason } from '../../schemas/vote.ts'

const SHARE_PLACES = 4
/** The units of a share. */
export const SHARE_UNITS = 10n ** BigInt(SHARE_PLACES)

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

/** `3340n` → `"0.3340"`. */
export const formatShareUnits = (units: bigint): string => {
  const digits = units.toString().padStart(SHARE_PLACES + 1, '0')
  return `${digits.slice(0, -SHARE_PLACES)}.${digits.slice(-SHARE_PLACES)}`
}

/** Truncated to four places, so that a share below the quorum never looks equal to it. */
export const formatShare = (part: bigint, whole: bigint): string =>
  formatShareUnits((part * SHARE_UNITS) / whole)

/**
 * The turnout that the chain compares with the quorum. The exact sum in atto is divided like `LegacyDec` and truncated
 * to four places.
 */
export const computeTurnoutShare = (votedAtto: bigint, bondedTokens: bigint): string =>
  formatShare(quo(votedAtto, bondedTokens * ATTO), ATTO)
