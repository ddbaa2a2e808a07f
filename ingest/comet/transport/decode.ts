// Checks members of RPC responses, and decodes the short responses; pure, and reads only the members that it needs.
import { AppError } from '../../../infra/base/runtime/errors.ts'
import type { NodeStatus } from '../endpoints/node.ts'
import type { Maybe, RpcHeader, RpcStatus } from './wire.ts'

export const invalidResponse = (message: string, cause?: unknown): AppError =>
  new AppError('RPC_INVALID_RESPONSE', message, { retryable: true, cause })

export const text = (value: unknown, what: string): string => {
  if (typeof value !== 'string' || value === '') throw invalidResponse(`${what} is missing`)
  return value
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
