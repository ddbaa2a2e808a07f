// A block in one format for all CometBFT versions, and the time in its header.

/** Keys may repeat within one event (nested authz does so): keep the list, do not use a map. */
export type AbciAttribute = { key: string; value: string }

/**
 * `ordinal` counts every ABCI event of the block from 1, in execution order: begin, txs, end. Events without a reader are
 * counted, but may be absent.
 */
export type AbciEvent = {
  ordinal: number
  type: string
  attributes: readonly AbciAttribute[]
  phase: 'begin' | 'tx' | 'end'
  /** Index into `Block.txs`; null outside the tx phase. */
  txIndex: number | null
}

/** `hash` is upper-case hex SHA-256 of `bytes`; `code` 0 is success. Few transactions are read: both are computed when they are. */
export type Tx = {
  readonly hash: string
  readonly bytes: Uint8Array
  readonly size: number
  readonly code: number
}

export type Block = {
  chainId: string
  height: number
  /** RFC 3339 with nanoseconds, as in the header. */
  time: string
  /** Upper-case hex; `previousHash` is empty at the chain's first block. */
  hash: string
  previousHash: string
  /** Only of a block with governance. */
  txs: readonly Tx[]
  /** Those with a reader: begin, txs in index order, end. Includes events of failed txs: check the tx's `code`. */
  events: readonly AbciEvent[]
  /** Only of a block of the past without governance: its events that move stake, if any, were not read. */
  lacksMovedStake?: true
  /** Upper-case hex; present only if the header was verified. */
  validatorsHash?: string
  nextValidatorsHash?: string
  /** Only if the header was verified, on a chain whose header does not cover the transactions. */
  hasUnverifiedTxs?: true
}

export type HeightRange = { from: number; to: number }

/** Memory of an event, an attribute or a transaction in addition to its text, as measured in V8. */
const OBJECT_BYTES = 96

export const bytesOfEvent = ({ attributes }: Pick<AbciEvent, 'attributes'>): number => {
  let bytes = OBJECT_BYTES
  for (const { key, value } of attributes) bytes += key.length + value.length + OBJECT_BYTES
  return bytes
}

/** Estimated memory of a block. */
export const bytesOfBlock = (block: Block): number => {
  let bytes = OBJECT_BYTES
  for (const tx of block.txs) bytes += tx.size + OBJECT_BYTES
  for (const event of block.events) bytes += bytesOfEvent(event)
  return bytes
}

const RFC3339 =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:Z|([+-])(\d{2}):(\d{2}))$/

/** The range of `DateTime64(9)` in ClickHouse; no chain is older. */
const FIRST_YEAR = 1970
const LAST_YEAR = 2261

type Instant = { ms: number; nanos: number }

/**
 * RFC 3339 as Go writes it, up to nanoseconds. Undefined for an invalid day or hour, a leap second (no
 * chain's clock has them), or a year that cannot be stored.
 */
export const parseInstant = (text: string): Instant | undefined => {
  const match = RFC3339.exec(text)
  if (!match) return undefined
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number)
  const local = Date.UTC(year!, month! - 1, day!, hour!, minute!, second!)
  const [, , , , , , , fraction = '', sign, offsetHours = '0', offsetMinutes = '0'] = match
  // `Date` changes 31 February to 3 March and 25:00 to the next day: then the text is not a valid time.
  const exact = Number.isNaN(local) ? '' : new Date(local).toISOString().slice(0, 19)
  if (exact !== text.slice(0, 19) || Number(offsetHours) > 23 || Number(offsetMinutes) > 59) {
    return undefined
  }
  const offsetMs = (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000
  const ms = sign === '-' ? local + offsetMs : local - offsetMs
  const utcYear = new Date(ms).getUTCFullYear()
  if (utcYear < FIRST_YEAR || utcYear > LAST_YEAR) return undefined
  return { ms, nanos: Number(fraction.padEnd(9, '0')) }
}

/** False if either text is not a valid time. */
export const isBefore = (one: string, other: string): boolean => {
  const [left, right] = [parseInstant(one), parseInstant(other)]
  if (!left || !right) return false
  return left.ms === right.ms ? left.nanos < right.nanos : left.ms < right.ms
}
