// What a node serves: the blocks of a chain up to its tip, and answers from the state after each. Without wire and time.
import type { AbciRequest, AbciResponse } from '../../../../infra/app/chain/query.ts'

export type ChainEvent = {
  /** Absent on chains whose responses have no such member, like dYdX. */
  type?: string
  attributes: readonly (readonly [key: string, value: string])[]
}

/** `code` 0, the default, is success. */
export type ChainTx = { bytes: Uint8Array; code?: number; events?: readonly ChainEvent[] }

export type ServedBlock = {
  /** RFC 3339. */
  time: string
  /** Upper-case hex; `previousHash` is empty at the first block. */
  hash: string
  previousHash: string
  txs?: readonly ChainTx[]
  begin?: readonly ChainEvent[]
  end?: readonly ChainEvent[]
  /** Whether the block has validator updates. */
  changesValidators?: boolean
}

/** In the JSON of the RPC. */
export type SignedParts = {
  header: Record<string, unknown>
  commit: Record<string, unknown>
  /** The whole set. */
  validators: readonly Record<string, unknown>[]
}

/** Heights are given within `firstHeight` and `tip`, except in `query`. */
export type ServedChain = {
  readonly chainId: string
  readonly firstHeight: number
  /** The newest height; it only grows. */
  readonly tip: number
  block(height: number): ServedBlock
  query(request: AbciRequest): AbciResponse | Promise<AbciResponse>
  /** Absent: the headers have no signatures. */
  signed?(height: number): SignedParts
}
