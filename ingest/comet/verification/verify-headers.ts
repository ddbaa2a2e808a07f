// Verifies a block: more than two thirds of the power of its validators signed the header, and the transactions match it. Block
// results are not covered, because no signed hash includes the events. Neither are the transactions of chains with data squares.
import { readJson } from '../../../infra/base/proof/json-reader.ts'
import {
  ensureDecided,
  hashText,
  readSignedHeader,
  type SignedHeader,
} from '../../../infra/base/proof/light-block.ts'
import { ensure, ProofError } from '../../../infra/base/proof/proof-error.ts'
import type { TrustedHeader } from '../../../infra/base/proof/trusted-header.ts'
import { middleHeight, readTrustedBlock } from '../../../infra/base/proof/verify-from-source.ts'
import { AppError } from '../../../infra/base/runtime/errors.ts'
import type { Block } from '../blocks/block.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import type { TrustedBlock } from '../endpoints/node.ts'
import { invalidResponse, type RpcBlock, type RpcCommit } from '../transport/wire.ts'
import { createDataHashes, type DataHashOptions } from './data-hash.ts'
import { readLightBlockJson } from './light-block.ts'
import { createValidatorSets, verifySignature } from './validator-sets.ts'

/** Without `block`, no transaction of it is read. */
export type Fetched = { block?: RpcBlock | undefined; commit: RpcCommit; decoded: Block }

export type HeaderVerifier = ReturnType<typeof createHeaderVerifier>

export type TrustedQuery = { chainId: string; trusted: TrustedHeader; height: number }

export type KnownBlock = { chainId: string; height: number; hash: string }

const ensureSameHeader = (decoded: Block, { hash }: SignedHeader): void =>
  ensure(
    decoded.hash === hashText(hash),
    'wrong_header',
    `Its header has the hash ${hashText(hash)}, not ${decoded.hash}.`,
  )

/** An unproved response counts as an invalid response. */
const refused = (height: number, error: unknown): unknown =>
  error instanceof ProofError
    ? invalidResponse(`block ${height} could not be verified: ${error.message}`, error)
    : error

const readNextValidators = async (endpoint: Endpoint, known: KnownBlock): Promise<string> => {
  const { chainId, height } = known
  const { signed_header } = await endpoint.call<RpcCommit>('commit', { height: `${height}` })
  try {
    const { header, hash } = readSignedHeader(readJson(signed_header, 'signed_header'), chainId)
    if (hashText(hash) === known.hash) return hashText(header.nextValidatorsHash)
    throw new AppError('CHAIN_FORKED', `block ${height} is ${hashText(hash)}, not ${known.hash}`)
  } catch (error) {
    throw refused(height, error)
  }
}

const readTrusted = async (endpoint: Endpoint, query: TrustedQuery): Promise<TrustedBlock> => {
  const { chainId, trusted, height } = query
  const source = {
    lightBlock: (each: bigint) => readLightBlockJson(endpoint, each),
    heightBetween: middleHeight,
    verifySignature,
  }
  try {
    const { header } = await readTrustedBlock(source, trusted, BigInt(height))
    ensure(
      header.chainId === chainId,
      'wrong_chain',
      `The trusted header is of the chain ${header.chainId}, not of ${chainId}.`,
    )
    return {
      previousHash: hashText(header.lastBlockId.hash),
      validatorsHash: hashText(header.validatorsHash),
    }
  } catch (error) {
    throw refused(height, error)
  }
}

export const createHeaderVerifier = (options: DataHashOptions) => {
  const sets = createValidatorSets()
  const dataHashes = createDataHashes(options)
  const check = async (endpoint: Endpoint, { block, commit, decoded }: Fetched): Promise<Block> => {
    // The decoded block comes from the same response as the header.
    const { header: ofCommit, commit: signatures } = commit.signed_header ?? {}
    const json = { header: block ? block.block?.header : ofCommit, commit: signatures }
    const signed = readSignedHeader(readJson(json, 'block'), decoded.chainId)
    ensureSameHeader(decoded, signed)
    const { header } = signed
    const validators = await sets.of(endpoint, header)
    ensureDecided(signed, validators, { verifySignature, onlyNeeded: true })
    const hasVerifiedTxs = !block || (await dataHashes.verify(endpoint, decoded.txs, header))
    return {
      ...decoded,
      ...(hasVerifiedTxs ? {} : { hasUnverifiedTxs: true }),
      validatorsHash: hashText(header.validatorsHash),
      nextValidatorsHash: hashText(header.nextValidatorsHash),
    }
  }
  return {
    /** The hash of the validators after a block with a known hash. Throws `CHAIN_FORKED` for another block. */
    readNextValidators,
    /** The block of this height, verified from the trusted header with light blocks of the endpoint. */
    readTrusted,
    /** The decoded block with the validators that its header names. Throws `RPC_INVALID_RESPONSE` with the reason. */
    verify: async (endpoint: Endpoint, fetched: Fetched): Promise<Block> => {
      try {
        return await check(endpoint, fetched)
      } catch (error) {
        throw refused(fetched.decoded.height, error)
      }
    },
  }
}
