// The JSON types of CometBFT's RPC, limited to the members in use, and the checks of their members. An empty Go slice is `null` and an
// empty field may be absent, so every member allows for that.
import { AppError } from '../../../infra/base/runtime/errors.ts'
import type { NodeStatus } from '../endpoints/node.ts'

export type Maybe<T> = T | null | undefined

/** Base64 strings up to 0.34 (`bytes` in Go), plain strings from 0.37 on. */
type RpcEventAttribute = { key?: Maybe<string>; value?: Maybe<string> }

/** dYdX has events without a type, with empty attribute keys. */
export type RpcEvent = { type?: Maybe<string>; attributes?: Maybe<Maybe<RpcEventAttribute>[]> }

/** Some forks omit `code` if it is 0. */
export type RpcTxResult = { code?: Maybe<number>; events?: Maybe<RpcEvent[]> }

/** `begin_block_events` and `end_block_events` up to 0.37, `finalize_block_events` from 0.38 on. */
export type RpcBlockResults = {
  height?: Maybe<string | number>
  txs_results?: Maybe<RpcTxResult[]>
  begin_block_events?: Maybe<RpcEvent[]>
  end_block_events?: Maybe<RpcEvent[]>
  finalize_block_events?: Maybe<RpcEvent[]>
  /** Consensus keys with changed power; null if there are none. */
  validator_updates?: Maybe<unknown[]>
}

type RpcBlockId = { hash?: Maybe<string> }

export type RpcHeader = {
  chain_id?: Maybe<string>
  height?: Maybe<string | number>
  time?: Maybe<string>
  /** Null or with an empty hash in the chain's first block. */
  last_block_id?: Maybe<RpcBlockId>
}

/** Transactions are base64 in every version. */
export type RpcBlock = {
  block_id?: Maybe<RpcBlockId>
  block?: Maybe<{ header?: Maybe<RpcHeader>; data?: Maybe<{ txs?: Maybe<Maybe<string>[]> }> }>
}

/** Newest first. */
export type RpcBlockchain = {
  last_height?: Maybe<string | number>
  block_metas?: Maybe<Maybe<{ block_id?: Maybe<RpcBlockId>; header?: Maybe<RpcHeader> }>[]>
}

export type RpcStatus = {
  node_info?: Maybe<{ network?: Maybe<string>; version?: Maybe<string> }>
  sync_info?: Maybe<{
    latest_block_height?: Maybe<string | number>
    latest_block_time?: Maybe<string>
    earliest_block_height?: Maybe<string | number>
    catching_up?: Maybe<boolean>
  }>
}

/** Checked by `infra/base/proof`, member by member. */
export type RpcCommit = {
  signed_header?: Maybe<{ header?: unknown; commit?: unknown }>
  /** False for the latest height: its commit may still grow. */
  canonical?: Maybe<boolean>
}

export type RpcValidators = { validators?: Maybe<unknown[]>; total?: Maybe<string | number> }

type RpcProofOp = { type?: Maybe<string>; key?: Maybe<string>; data?: Maybe<string> }

/** Absent members of the response are 0 or empty. Bytes are base64. */
export type RpcAbciQuery = {
  response?: Maybe<{
    code?: Maybe<number>
    codespace?: Maybe<string>
    log?: Maybe<string>
    height?: Maybe<string | number>
    value?: Maybe<string>
    proofOps?: Maybe<{
      ops?: Maybe<readonly Maybe<RpcProofOp>[]>
    }>
  }>
}

/** Only the members that say where a transaction is. */
export type RpcTxSearch = {
  txs?: Maybe<{ hash?: Maybe<string>; height?: Maybe<string | number> }[]>
  total_count?: Maybe<string | number>
}

export type RpcError = { code?: Maybe<number>; message?: Maybe<string>; data?: Maybe<unknown> }

export type RpcResponse = { id?: Maybe<string | number>; result?: unknown; error?: Maybe<RpcError> }

/** The messages of a `tm.event='NewBlockHeader'` subscription, the first (empty) response included. */
export type RpcHeaderNotice = { data?: Maybe<{ value?: Maybe<{ header?: Maybe<RpcHeader> }> }> }

export const invalidResponse = (message: string, cause?: unknown): AppError =>
  new AppError('RPC_INVALID_RESPONSE', message, { retryable: true, cause })

export const text = (value: unknown, what: string): string => {
  if (typeof value !== 'string' || value === '') throw invalidResponse(`${what} is missing`)
  return value
}

/** Absent is empty. */
export const optionalText = (value: unknown, what: string): string => {
  const read = value ?? ''
  if (typeof read !== 'string') throw invalidResponse(`${what} is not a text`)
  return read
}

/** Heights are decimal strings in JSON; some forks send numbers. */
export const readHeight = (value: unknown, what: string): number => {
  const height = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  if (typeof height !== 'number' || !Number.isSafeInteger(height) || height < 0) {
    throw invalidResponse(`${what} is not a height`)
  }
  return height
}

/** A Go slice: null and absent mean empty; any other value must be a list. */
export const list = <T>(value: Maybe<readonly T[]>, what: string): readonly T[] => {
  if (value === null || value === undefined) return []
  if (!Array.isArray(value)) throw invalidResponse(`${what} is not a list`)
  return value
}

export const decodeStatus = (status: RpcStatus): NodeStatus & { version: string } => ({
  chainId: text(status.node_info?.network, 'node_info.network'),
  latestHeight: readHeight(status.sync_info?.latest_block_height, 'latest_block_height'),
  latestTime: status.sync_info?.latest_block_time ?? '',
  earliestHeight: readHeight(status.sync_info?.earliest_block_height ?? 0, 'earliest_block_height'),
  catchingUp: status.sync_info?.catching_up === true,
  version: status.node_info?.version ?? '',
})

/** The height of a new block's header of this chain, else undefined. Never throws. */
export const decodeHeaderNotice = (header: RpcHeader, chainId: string): number | undefined => {
  const height = typeof header.height === 'object' ? Number.NaN : Number(header.height)
  return header.chain_id === chainId && Number.isSafeInteger(height) && height > 0
    ? height
    : undefined
}
