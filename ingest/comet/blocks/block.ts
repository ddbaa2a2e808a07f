// A block in one format for all CometBFT versions.

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
