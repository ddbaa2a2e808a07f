// One block from one endpoint, decoded, and checked against what is known of it.
import { AppError } from '../../infra/runtime/errors.ts'
import type { Block } from './block.ts'
import { isBefore } from './block-time.ts'
import { decodeBlock, garbage } from './decode.ts'
import type { Endpoint } from './endpoint.ts'
import type { BlockOptions } from './node.ts'
import type { HeaderVerifier } from './verify-headers.ts'
import type { RpcBlock, RpcBlockResults } from './wire.ts'

/** Why this block is not the one that was asked for. */
export const misfitOf = (
  { height, previousHash, time, validatorsHash }: Block,
  asked: BlockOptions,
): AppError | undefined => {
  if (asked.previousHash !== undefined && previousHash !== asked.previousHash) {
    const message = `block ${height} follows ${previousHash}, not ${asked.previousHash}`
    return new AppError('CHAIN_FORKED', message)
  }
  if (asked.validatorsHash !== undefined && validatorsHash !== asked.validatorsHash) {
    return garbage(
      `block ${height} is signed by the validators ${validatorsHash}, not by those that the block before it names, ${asked.validatorsHash}`,
    )
  }
  return asked.notBefore !== undefined && isBefore(time, asked.notBefore)
    ? garbage(`block ${height} is of ${time}, before ${asked.notBefore} of the block before it`)
    : undefined
}

export type BlockFetcher = (
  endpoint: Endpoint,
  asked: BlockOptions & { height: number },
) => Promise<Block>

export const createBlockFetcher =
  (chainId: string, verifier: HeaderVerifier | undefined): BlockFetcher =>
  async (endpoint, asked) => {
    const { height } = asked
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
    const misfit = misfitOf(verified, asked)
    if (misfit) throw misfit
    return verified
  }
