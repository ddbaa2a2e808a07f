// Decodes `block` and `block_results` of every CometBFT version; pure. Responses that contradict each other or the request are
// `RPC_INVALID_RESPONSE`; they are never repaired.
import { hash } from 'node:crypto'
import { AppError } from '../../../infra/base/runtime/errors.ts'
import {
  invalidResponse,
  list,
  type Maybe,
  type RpcBlock,
  type RpcBlockResults,
  type RpcHeader,
  readHeight,
  text,
} from '../transport/wire.ts'
import { type AbciEvent, type Block, parseInstant, type Tx } from './block.ts'
import { EventCollector } from './event-collector.ts'

export const decodeHash = (value: Maybe<string>): string => {
  const digits = (value ?? '').toUpperCase()
  if (!/^([0-9A-F]{64})?$/.test(digits))
    throw invalidResponse('a block hash is not 32 bytes of hex')
  return digits
}

/** The text is kept unchanged; an invalid time would stay in the log permanently. */
export const decodeTime = (value: Maybe<string>): string => {
  const time = text(value, 'header.time')
  if (!parseInstant(time))
    throw invalidResponse(`header.time is not a valid time: ${time.slice(0, 64)}`)
  return time
}

/** A block of which only the header is known. */
export type HeaderBlock = Block & { txs: readonly []; events: readonly [] }

/** Of the requested chain and height. */
export const decodeHeader = (
  header: Maybe<RpcHeader>,
  { hash, ...asked }: { chainId: string; height: number; hash: string },
): HeaderBlock => {
  const height = readHeight(header?.height, 'header.height')
  const chainId = text(header?.chain_id, 'header.chain_id')
  if (chainId !== asked.chainId)
    throw new AppError(
      'CHAIN_MISMATCH',
      `serves ${chainId.slice(0, 64)} instead of ${asked.chainId}`,
    )
  if (height !== asked.height)
    throw invalidResponse(`asked for ${asked.height}, got block ${height}`)
  const previousHash = decodeHash(header?.last_block_id?.hash)
  const time = decodeTime(header?.time)
  return { chainId, height, time, hash, previousHash, txs: [], events: [] }
}

class EncodedTx implements Tx {
  readonly code: number
  readonly #encoded: string
  #hash: string | undefined

  constructor(encoded: string, code: number) {
    this.#encoded = encoded
    this.code = code
  }

  get size(): number {
    return this.#encoded.length
  }

  get bytes(): Uint8Array {
    return Buffer.from(this.#encoded, 'base64')
  }

  get hash(): string {
    this.#hash ??= hash('sha256', this.bytes, 'hex').toUpperCase()
    return this.#hash
  }
}

const decodeTxs = (block: RpcBlock, codes: readonly number[]): Tx[] => {
  const txs = list(block.block?.data?.txs, 'data.txs')
  if (txs.length !== codes.length) {
    throw invalidResponse(`the block has ${txs.length} txs, its results have ${codes.length}`)
  }
  return txs.map((encoded, index) => {
    // A proposer may include an empty tx: Go encodes it as an empty string or as null.
    if (typeof (encoded ?? '') !== 'string') throw invalidResponse('a tx is not base64 text')
    return new EncodedTx(encoded ?? '', codes[index]!)
  })
}

/** The events with a reader, and the outcome of each transaction. */
export type Outcome = { events: readonly AbciEvent[]; codes: readonly number[] }

/** `collector`: has what was taken out of `results` while it was received. */
export const decodeResults = (
  results: RpcBlockResults,
  height: number,
  collector = new EventCollector(),
): Outcome => {
  const found = readHeight(results.height, 'block_results.height')
  if (found !== height) throw invalidResponse(`block ${height} came with results ${found}`)
  collector.addResults(results)
  return { events: collector.takeEvents(), codes: collector.codes }
}

/** Checks `block` against the request, and against its results. */
export const decodeBlock = (
  block: RpcBlock,
  { events, codes }: Outcome,
  asked: { chainId: string; height: number },
): Block => {
  const hash = decodeHash(text(block.block_id?.hash, 'block_id.hash'))
  const header = decodeHeader(block.block?.header, { ...asked, hash })
  return { ...header, txs: decodeTxs(block, codes), events }
}
