// Times of blocks: RFC 3339 with up to nine places ↔ seconds and nanoseconds, as the chain signs them.
import type { JsonReader } from './json-reader.ts'
import { ProofError } from './proof-error.ts'

export type Timestamp = { seconds: bigint; nanos: number }

const RFC_3339 = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?Z$/

export const readTimestamp = (reader: JsonReader): Timestamp => {
  const [, whole = '', fraction = ''] = RFC_3339.exec(reader.text()) ?? []
  const ms = Date.parse(`${whole}Z`)
  // A day that the month does not have would be read as a day of the next month.
  const isValid = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(whole)
  if (!isValid) {
    throw new ProofError(
      'malformed',
      `${reader.path} must be a time such as 2026-11-21T08:00:00.123Z.`,
    )
  }
  return { seconds: BigInt(ms / 1_000), nanos: Number(fraction.padEnd(9, '0')) }
}

/** Without the fraction of a second: `2026-11-21T08:00:00Z`. */
export const formatSeconds = ({ seconds }: Timestamp): string =>
  `${new Date(Number(seconds) * 1_000).toISOString().slice(0, 19)}Z`

export const isLater = (a: Timestamp, b: Timestamp): boolean =>
  a.seconds === b.seconds ? a.nanos > b.nanos : a.seconds > b.seconds
