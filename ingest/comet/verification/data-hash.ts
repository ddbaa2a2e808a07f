// Compares the transactions of a block with the `data_hash` of its signed header. Chains with data squares, such as Celestia,
// sign the root of the square instead: then nothing that a node serves verifies the transactions.
import { hash } from 'node:crypto'
import { equalBytes } from '@noble/curves/utils.js'
import { type Header, headerHash, readHeader } from '../../../infra/base/proof/header.ts'
import { readJson } from '../../../infra/base/proof/json-reader.ts'
import { hashText, readSignedHeader } from '../../../infra/base/proof/light-block.ts'
import { merkleRoot } from '../../../infra/base/proof/merkle.ts'
import { ensure } from '../../../infra/base/proof/proof-error.ts'
import { AppError } from '../../../infra/base/runtime/errors.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { list } from '../transport/decode.ts'
import type { RpcBlock, RpcCommit } from '../transport/wire.ts'

/** `unknown`: no block has shown it yet. */
type Rule = 'unknown' | 'transactions' | 'data_square'

export type DataHashOptions = {
  chainId: string
  /** All that may be asked. */
  endpoints: readonly Pick<Endpoint, 'host'>[]
  /** True if the log says that its blocks have data squares. */
  hasDataSquares?: boolean | undefined
}

export type DataHashes = {
  /** False if the transactions cannot be verified. Throws a `ProofError` if they are not those of the header. */
  verify(endpoint: Endpoint, txs: readonly TxHash[], header: Header): Promise<boolean>
}

type TxHash = { hash: string }

/** Of a block without transactions: by CometBFT, and of the smallest data square. */
const NO_TXS = merkleRoot([])
const EMPTY_SQUARE = Buffer.from(
  '3D96B7D238E7E0456F6AF8E7CDF0A67BD6CF9C2089ECB559C659DCAA1F880353',
  'hex',
)

/** Blocks in a row that decide. On most chains a block without transactions is among them. */
const COMPARED_BLOCKS = 4
const MIN_COMPARED_BLOCKS = 2
/** So many hosts must agree, if there are so many. */
const MIN_HOSTS = 2

/** The leaves are the hashes of the transactions. */
const dataHash = (txs: readonly TxHash[]): Uint8Array =>
  merkleRoot(txs.map((tx) => Buffer.from(tx.hash, 'hex')))

const hashTxs = ({ block }: RpcBlock): TxHash[] =>
  list(block?.data?.txs, 'data.txs').map((encoded) => ({
    hash: hash('sha256', Buffer.from(String(encoded ?? ''), 'base64'), 'hex'),
  }))

/** The rule that the header of a block shows by itself. */
const ruleOf = (txs: readonly TxHash[], header: Header): Rule => {
  const matches = equalBytes(dataHash(txs), header.dataHash)
  if (matches || equalBytes(NO_TXS, header.dataHash)) return 'transactions'
  return equalBytes(EMPTY_SQUARE, header.dataHash) ? 'data_square' : 'unknown'
}

/**
 * Reads blocks back from `height`, each linked by its hash to the signed header. A chain with data squares has no
 * block whose transactions match its header.
 */
const readRule = async (endpoint: Endpoint, chainId: string, height: number): Promise<Rule> => {
  const { signed_header } = await endpoint.call<RpcCommit>('commit', { height: `${height}` })
  const signed = readSignedHeader(readJson(signed_header, 'signed_header'), chainId)
  let expected = signed.hash
  let compared = 0
  for (let at = height; at > 0 && compared < COMPARED_BLOCKS; at--) {
    const response = await endpoint
      .call<RpcBlock>('block', { height: `${at}` })
      .catch((error: unknown) => {
        // An earlier block may be pruned.
        if (compared > 0 && error instanceof AppError && error.code !== 'ABORTED') return undefined
        throw error
      })
    if (!response) break
    const header = readHeader(readJson(response.block?.header, 'header'))
    const found = hashText(headerHash(header))
    ensure(
      found === hashText(expected),
      'wrong_header',
      `The header of height ${at} has the hash ${found}, not ${hashText(expected)}.`,
    )
    const rule = ruleOf(hashTxs(response), header)
    if (rule !== 'unknown') return rule
    compared += 1
    expected = header.lastBlockId.hash
  }
  return compared >= MIN_COMPARED_BLOCKS ? 'data_square' : 'unknown'
}

/**
 * Accepts data squares only if no block has matched its header, and two hosts show them. A host that is alone
 * decides alone.
 */
export const createDataHashes = ({
  chainId,
  endpoints,
  hasDataSquares = false,
}: DataHashOptions): DataHashes => {
  let rule: Rule = hasDataSquares ? 'data_square' : 'unknown'
  const needed = Math.min(MIN_HOSTS, new Set(endpoints.map(({ host }) => host)).size)
  const agreed = new Set<string>()
  const reads = new Map<string, Promise<Rule>>()

  const readOnce = (endpoint: Endpoint, height: number): Promise<Rule> => {
    const { host } = endpoint
    const read = reads.get(host) ?? readRule(endpoint, chainId, height)
    reads.set(host, read)
    return read.finally(() => reads.delete(host))
  }
  const examine = async (endpoint: Endpoint, height: number): Promise<void> => {
    const found = await readOnce(endpoint, height)
    if (rule !== 'unknown' || found === 'unknown') return
    if (found === 'data_square') agreed.add(endpoint.host)
    if (found === 'transactions' || agreed.size >= needed) rule = found
  }
  return {
    verify: async (endpoint, txs, header) => {
      if (equalBytes(dataHash(txs), header.dataHash)) {
        if (rule === 'unknown') rule = 'transactions'
        return true
      }
      if (rule === 'unknown') await examine(endpoint, Number(header.height))
      ensure(
        rule === 'data_square',
        'wrong_value',
        'Its transactions do not have the hash that the header names.',
      )
      return false
    },
  }
}
