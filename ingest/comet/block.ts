// A block as the rest of ingest sees it, whatever CometBFT version it came from.

/** Keys may repeat within one event (nested authz does so): keep the list, never a map. */
export type AbciAttribute = { key: string; value: string }

/** `ordinal` counts every ABCI event of the block from 1, in execution order: begin, txs, end. */
export type AbciEvent = {
  ordinal: number
  type: string
  attributes: readonly AbciAttribute[]
  phase: 'begin' | 'tx' | 'end'
  /** Index into `Block.txs`; null outside the tx phase. */
  txIndex: number | null
}

/** `hash` is upper-case hex SHA-256 of `bytes`; `code` 0 is success. */
export type Tx = { hash: string; bytes: Uint8Array; code: number }

export type Block = {
  chainId: string
  height: number
  /** RFC 3339 with nanoseconds, as the header has it. */
  time: string
  /** Upper-case hex; `previousHash` is empty at the chain's first block. */
  hash: string
  previousHash: string
  txs: readonly Tx[]
  /** Begin, txs in index order, end. Events of failed txs are there too: check the tx's `code`. */
  events: readonly AbciEvent[]
  /** True where the block changed the power of a validator, or which validators there are. */
  changesValidators: boolean
  /** Upper-case hex; only where the header was verified. */
  validatorsHash?: string
  nextValidatorsHash?: string
}
