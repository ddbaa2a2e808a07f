// Decodes RPC responses of every CometBFT version; pure, and reads only the members that it needs. Responses that contradict each
// other or the request are `RPC_INVALID_RESPONSE`; they are never repaired.
import { hash } from 'node:crypto'
import { AppError } from '../../infra/runtime/errors.ts'
import { type AttributeEncoding, detectEncoding } from './attribute-encoding.ts'
import type { AbciAttribute, AbciEvent, Block, Tx } from './block.ts'
import { splitPhases } from './block-phases.ts'
import { parseInstant } from './block-time.ts'
import type { NodeStatus } from './node.ts'
import type { Maybe, RpcBlock, RpcBlockResults, RpcEvent, RpcHeader, RpcStatus } from './wire.ts'

export const invalidResponse = (message: string, cause?: unknown): AppError =>
  new AppError('RPC_INVALID_RESPONSE', message, { retryable: true, cause })

const text = (value: unknown, what: string): string => {
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
const list = <T>(value: Maybe<T[]>, what: string): readonly T[] => {
  if (value === null || value === undefined) return []
  if (!Array.isArray(value)) throw invalidResponse(`${what} is not a list`)
  return value
}

const decodeHash = (value: Maybe<string>): string => {
  const digits = (value ?? '').toUpperCase()
  if (!/^([0-9A-F]{64})?$/.test(digits))
    throw invalidResponse('a block hash is not 32 bytes of hex')
  return digits
}

/** The text is kept unchanged; an invalid time would stay in the log permanently. */
const decodeTime = (value: Maybe<string>): string => {
  const time = text(value, 'header.time')
  if (!parseInstant(time))
    throw invalidResponse(`header.time is not a valid time: ${time.slice(0, 64)}`)
  return time
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

const decodeBytes = (value: Maybe<string>, encoding: AttributeEncoding): string => {
  if (typeof value !== 'string') return ''
  return encoding === 'base64' ? Buffer.from(value, 'base64').toString('utf8') : value
}

const decodeAttributes = (event: RpcEvent, encoding: AttributeEncoding): AbciAttribute[] => {
  const attributes: AbciAttribute[] = []
  for (const attribute of list(event.attributes, 'attributes')) {
    attributes.push({
      key: decodeBytes(attribute?.key, encoding),
      value: decodeBytes(attribute?.value, encoding),
    })
  }
  return attributes
}

type TypedEvent = Pick<AbciEvent, 'type' | 'attributes'>

/** The lists of events as a response has them. */
type EventLists = {
  begin: readonly RpcEvent[]
  finalized: readonly RpcEvent[]
  txs: readonly (readonly RpcEvent[])[]
  end: readonly RpcEvent[]
}

const eventList = (events: Maybe<RpcEvent[]>, what: string): readonly RpcEvent[] => {
  const items = list(events, what)
  for (const event of items) {
    if (typeof event !== 'object' || event === null)
      throw invalidResponse('an event is not an object')
  }
  return items
}

const readEventLists = (results: RpcBlockResults): EventLists => ({
  begin: eventList(results.begin_block_events, 'begin_block_events'),
  finalized: eventList(results.finalize_block_events, 'finalize_block_events'),
  txs: list(results.txs_results, 'txs_results').map((tx) => eventList(tx?.events, 'events')),
  end: eventList(results.end_block_events, 'end_block_events'),
})

function* iterateEvents({ begin, finalized, txs, end }: EventLists): Iterable<RpcEvent> {
  yield* begin
  yield* finalized
  for (const events of txs) yield* events
  yield* end
}

/**
 * CometBFT 0.38 before 0.38.10 reads the results of heights before its upgrade in the wrong format: a
 * transaction becomes an event without type. Events without type are valid only beside others (dYdX).
 */
const assertTyped = (lists: EventLists): void => {
  let events = 0
  for (const { type } of iterateEvents(lists)) {
    if (typeof type === 'string' && type !== '') return
    events += 1
  }
  if (events > 0) throw invalidResponse(`none of its ${events} events has a type`)
}

/** All events of a block in execution order. */
const decodeEvents = (results: RpcBlockResults, nodeVersion: string): AbciEvent[] => {
  const lists = readEventLists(results)
  assertTyped(lists)
  const finalizes = results.finalize_block_events !== undefined
  const encoding = detectEncoding(iterateEvents(lists), { finalizes, nodeVersion })
  const decode = (event: RpcEvent): TypedEvent => ({
    type: typeof event.type === 'string' ? event.type : '',
    attributes: decodeAttributes(event, encoding),
  })
  const ordered: AbciEvent[] = []
  const add = (
    { type, attributes }: TypedEvent,
    phase: AbciEvent['phase'],
    txIndex: number | null = null,
  ) => {
    ordered.push({ ordinal: ordered.length + 1, type, attributes, phase, txIndex })
  }
  const finalized = splitPhases(lists.finalized.map(decode))
  for (const event of lists.begin) add(decode(event), 'begin')
  for (const event of finalized.begin) add(event, 'begin')
  for (const [txIndex, events] of lists.txs.entries()) {
    for (const event of events) add(decode(event), 'tx', txIndex)
  }
  for (const event of finalized.end) add(event, 'end')
  for (const event of lists.end) add(decode(event), 'end')
  return ordered
}

const decodeTxs = (block: RpcBlock, results: RpcBlockResults): Tx[] => {
  const txs = list(block.block?.data?.txs, 'data.txs')
  const outcomes = list(results.txs_results, 'txs_results')
  if (txs.length !== outcomes.length) {
    throw invalidResponse(`the block has ${txs.length} txs, its results have ${outcomes.length}`)
  }
  return txs.map((encoded, index) => {
    // A proposer may include an empty tx: Go encodes it as an empty string or as null.
    if (typeof (encoded ?? '') !== 'string') throw invalidResponse('a tx is not base64 text')
    const bytes = Buffer.from(encoded ?? '', 'base64')
    const code = outcomes[index]?.code ?? 0
    if (typeof code !== 'number') throw invalidResponse('the code of a tx is not a number')
    return { hash: hash('sha256', bytes, 'hex').toUpperCase(), bytes, code }
  })
}

/** `nodeVersion` is the version in the node's `status`; used only if the format is ambiguous. */
export type DecodeContext = { chainId: string; height: number; nodeVersion: string }

/** Decodes one height from `block` and `block_results`, and checks both against each other and the request. */
export const decodeBlock = (
  block: RpcBlock,
  results: RpcBlockResults,
  context: DecodeContext,
): Block => {
  const header = block.block?.header ?? {}
  const height = readHeight(header.height, 'header.height')
  const resultsHeight = readHeight(results.height, 'block_results.height')
  if (height !== context.height)
    throw invalidResponse(`asked for ${context.height}, got block ${height}`)
  if (resultsHeight !== height)
    throw invalidResponse(`block ${height} came with results ${resultsHeight}`)
  const chainId = text(header.chain_id, 'header.chain_id')
  if (chainId !== context.chainId) {
    throw new AppError('CHAIN_MISMATCH', `serves ${chainId} instead of ${context.chainId}`)
  }
  return {
    chainId,
    height,
    time: decodeTime(header.time),
    hash: decodeHash(text(block.block_id?.hash, 'block_id.hash')),
    previousHash: decodeHash(header.last_block_id?.hash),
    txs: decodeTxs(block, results),
    events: decodeEvents(results, context.nodeVersion),
    changesValidators: list(results.validator_updates, 'validator_updates').length > 0,
  }
}
