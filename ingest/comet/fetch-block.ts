// Fetches one block from one endpoint, decodes it, and checks it against the known values.
import { AppError } from '../../infra/runtime/errors.ts'
import type { Block } from './block.ts'
import { isBefore } from './block-time.ts'
import { decodeBlock, invalidResponse } from './decode.ts'
import type { Endpoint } from './endpoint.ts'
import type { BlockOptions } from './node.ts'
import type { HeaderVerifier } from './verify-headers.ts'
import type { RpcBlock, RpcBlockResults } from './wire.ts'

/** The reason why this block does not match the request. */
export const findMismatch = (
  { height, previousHash, time, validatorsHash }: Block,
  request: BlockOptions,
): AppError | undefined => {
  if (request.previousHash !== undefined && previousHash !== request.previousHash) {
    const message = `block ${height} follows ${previousHash}, not ${request.previousHash}`
    return new AppError('CHAIN_FORKED', message)
  }
  if (request.validatorsHash !== undefined && validatorsHash !== request.validatorsHash) {
    return invalidResponse(
      `block ${height} is signed by the validators ${validatorsHash}, not by the validators in the previous block, ${request.validatorsHash}`,
    )
  }
  return request.notBefore !== undefined && isBefore(time, request.notBefore)
    ? invalidResponse(
        `block ${height} has the time ${time}, before the time ${request.notBefore} of the previous block`,
      )
    : undefined
}

export type BlockFetcher = (
  endpoint: Endpoint,
  request: BlockOptions & { height: number },
) => Promise<Block>

export const createBlockFetcher =
  (chainId: string, verifier: HeaderVerifier | undefined): BlockFetcher =>
  async (endpoint, request) => {
    const { height } = request
    const params = { height: String(height) }
    const [block, results, commit] = await Promise.all([
      endpoint.call<RpcBlock>('block', params),
      endpoint.call<RpcBlockResults>('block_results', params),
      verifier?.readCommit(endpoint, height),
    ])
    const context = { chainId, height, nodeVersion: endpoint.known.version }
    const decoded = decodeBlock(block, results, context)
    const verified =
      verifier && commit ? await verifier.verify(endpoint, { block, commit, decoded }) : decoded
    const mismatch = findMismatch(verified, request)
    if (mismatch) throw mismatch
    return verified
  }
