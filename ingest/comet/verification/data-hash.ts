// Compares the transactions of a block with the `data_hash` of its signed header. Chains with data squares, such as Celestia,
// sign the root of the square instead: then nothing that a node serves verifies the transactions.
import { hash } from 'node:crypto'
import { equalBytes } from '@noble/curves/utils.js'
import {
  type Header,
  headerHash,
  merkleRoot,
  readHeader,
} from '../../../infra/base/proof/header.ts'
import { readJson } from '../../../infra/base/proof/json-reader.ts'
import { hashText } from '../../../infra/base/proof/light-block.ts'
import { ensure } from '../../../infra/base/proof/proof-error.ts'
import { AppError, hasCode } from '../../../infra/base/runtime/errors.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { list, type RpcBlock } from '../transport/wire.ts'

/** `unknown`: no block has shown it yet. */
type Rule = 'unknown' | 'transactions' | 'data_square'

type Asked = Pick<Endpoint, 'host' | 'call'>

export type DataHashOptions = {
  /** All that may be asked. */
  endpoints: readonly Asked[]
  /** True if the log says that its blocks have data squares. */
  hasDataSquares?: boolean | undefined
}

type TxHash = { hash: string }

/** Of a block without transactions. */
const NO_TXS = merkleRoot([])

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

/**
 * Reads blocks back from a verified header, each linked to the next one by its hash. A chain with data squares has no block whose
 * transactions match its header.
 */
const readRule = async (endpoint: Asked, verified: Header): Promise<Rule> => {
  let expected = headerHash(verified)
  let compared = 0
  for (let at = Number(verified.height); at > 0 && compared < COMPARED_BLOCKS; at--) {
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
    const isOfTxs = equalBytes(dataHash(hashTxs(response)), header.dataHash)
    if (isOfTxs || equalBytes(NO_TXS, header.dataHash)) return 'transactions'
    compared += 1
    expected = header.lastBlockId.hash
  }
  return compared >= MIN_COMPARED_BLOCKS ? 'data_square' : 'unknown'
}

/** Neither endpoint is at fault: not a failure of the one that shows the squares. */
const waiting = (reasons: readonly string[]): AppError => {
  const why = reasons.length === 0 ? '' : ` (${reasons.join('; ')})`
  const message = `the headers do not cover the transactions of its blocks, as with data squares: waiting for a second endpoint that shows it${why}`
  return new AppError('RPC_REFUSED', message, { retryable: true })
}

/**
 * Accepts data squares only if no block has matched its header, and two hosts show them: they are asked for their blocks alone. A
 * host that is alone decides alone.
 */
export function createDataHashes({ endpoints, hasDataSquares = false }: DataHashOptions) {
  let rule: Rule = hasDataSquares ? 'data_square' : 'unknown'
  const needed = Math.min(MIN_HOSTS, new Set(endpoints.map(({ host }) => host)).size)
  const agreed = new Set<string>()
  const reads = new Map<string, Promise<Rule>>()

  const read = (endpoint: Asked, header: Header): Promise<Rule> => {
    const { host } = endpoint
    const found = reads.get(host) ?? readRule(endpoint, header).finally(() => reads.delete(host))
    reads.set(host, found)
    return found
  }
  /** Asks the endpoint of the block, then one of each other host, until the rule is known. */
  const findRule = async (asked: Asked, header: Header): Promise<void> => {
    const reasons: string[] = []
    for (const each of [asked, ...endpoints]) {
      if (rule !== 'unknown' || agreed.has(each.host)) continue
      try {
        const found = await read(each, header)
        if (found === 'data_square') agreed.add(each.host)
        if (found === 'transactions' || agreed.size >= needed) rule = found
        if (found === 'unknown' && each === asked) return
      } catch (error) {
        if (each === asked || hasCode(error, 'ABORTED')) throw error
        reasons.push(`${each.host}: ${error instanceof Error ? error.message : error}`)
      }
    }
    if (rule === 'unknown') throw waiting(reasons)
  }
  return {
    /** False if the transactions cannot be verified. Throws a `ProofError` if they are not those of the header. */
    verify: async (endpoint: Asked, txs: readonly TxHash[], header: Header): Promise<boolean> => {
      if (equalBytes(dataHash(txs), header.dataHash)) {
        if (rule === 'unknown') rule = 'transactions'
        return true
      }
      if (rule === 'unknown') await findRule(endpoint, header)
      ensure(
        rule === 'data_square',
        'wrong_value',
        'Its transactions do not have the hash that the header names.',
      )
      return false
    },
  }
}
