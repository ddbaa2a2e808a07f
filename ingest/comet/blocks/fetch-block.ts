// Fetches blocks from one endpoint: one, or up to twenty that follow each other. Results come first: of a block whose results have
// no event about governance, only the header is read.
import { setImmediate as otherWork } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../infra/base/runtime/clock.ts'
import { AppError, hasCode } from '../../../infra/base/runtime/errors.ts'
import { policies } from '../../../infra/base/runtime/policies.ts'
import { retry } from '../../../infra/base/runtime/retry.ts'
import { type Endpoint, withOptions } from '../endpoints/endpoint.ts'
import type { BlockHeader, BlockOptions } from '../endpoints/node.ts'
import { LARGE_BYTES, type ListPaths, parseInParts } from '../transport/large-json.ts'
import { findMeaning } from '../transport/meanings.ts'
import type { Reservation } from '../transport/memory-budget.ts'
import { isNotYet, type Reply } from '../transport/rpc.ts'
import {
  invalidResponse,
  type Maybe,
  type RpcBlock,
  type RpcBlockResults,
  type RpcCommit,
  type RpcHeader,
  type RpcTxResult,
  text,
} from '../transport/wire.ts'
import type { HeaderVerifier } from '../verification/verify-headers.ts'
import { type Block, type HeightRange, isBefore } from './block.ts'
import {
  decodeBlock,
  decodeHash,
  decodeHeader,
  decodeResults,
  type HeaderBlock,
  type Outcome,
} from './decode-block.ts'
import {
  EventCollector,
  type EventList,
  type EventSelection,
  findEncoding,
} from './event-collector.ts'
import { findHeaders, isQuiet, MAX_HEADERS } from './quiet.ts'

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

const BLOCK_RESULTS_LISTS: ListPaths = {
  result: {
    begin_block_events: true,
    finalize_block_events: true,
    end_block_events: true,
    txs_results: { events: true },
  },
}

/**
 * Parses a response with results in parts: only what the collector keeps of their events stays in memory, as a part of `memory`. Other
 * work comes between two parts.
 */
export async function collectInParts(
  text: Buffer,
  collector: EventCollector,
  memory?: Reservation,
): Promise<unknown> {
  const parts = parseInParts(text, BLOCK_RESULTS_LISTS)
  const kept = memory?.part()
  try {
    for (;;) {
      const { done, value } = parts.next()
      if (done) return value
      const { name, items, parent } = value
      if (name === 'events') collector.add('txs_results', items, parent)
      else if (name === 'txs_results')
        for (const each of items) collector.addTx(each as RpcTxResult)
      else collector.add(name as EventList, items, null)
      await kept?.resize(collector.bytes)
      await otherWork()
    }
  } catch (error) {
    kept?.close()
    throw error
  }
}

/** So far below the tip no results are still to come: the nodes behind one URL are not further apart. */
const LATE_RESULTS = 10

const discarded = (height: number, cause: AppError): AppError =>
  new AppError(
    'HEIGHT_UNAVAILABLE',
    `has the block of height ${height}, but discarded its results: ${cause.message}`,
    { cause },
  )

/** `isPast`: no reading of an open vote follows. */
type Asked = HeightRange & { isPast: boolean; memory?: Reservation | undefined }

export type BlockFetching = {
  chainId: string
  verifier: HeaderVerifier | undefined
  /** The events to keep; by default all. */
  selection: EventSelection | undefined
  clock: Clock
  signal: AbortSignal
}

/** `outcome`: undefined if it was not parsed. */
const withoutTxs = ({ block }: Header, outcome: Outcome | undefined, isPast: boolean): Block => {
  if (outcome) return { ...block, events: outcome.events }
  return isPast ? { ...block, lacksMovedStake: true } : block
}

const isSameBlock = (one: Block, other: Block): boolean =>
  one.hash === other.hash && one.previousHash === other.previousHash

const askEach = (
  endpoint: Endpoint,
  method: string,
  { heights, memory }: { heights: readonly number[]; memory: Reservation | undefined },
): Promise<Reply[]> =>
  Promise.all(heights.map((height) => endpoint.ask(method, { height: String(height) }, { memory })))

const listHeights = ({ from, to }: HeightRange): number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at)

const fromCommit = (commit: RpcCommit, asked: { chainId: string; height: number }): Header => {
  const signed = commit.signed_header
  const signatures = signed?.commit as Maybe<{ block_id?: Maybe<{ hash?: Maybe<string> }> }>
  const hash = decodeHash(text(signatures?.block_id?.hash, 'commit.block_id.hash'))
  const block = decodeHeader(signed?.header as Maybe<RpcHeader>, { ...asked, hash })
  return { block, commit }
}

/** `block` is not verified. */
type Header = { block: HeaderBlock; commit: RpcCommit | undefined }

/** Of all endpoints together. */
const MAX_EARLY_HEADERS = 200

export class BlockFetcher {
  readonly #options: BlockFetching
  /** Endpoints without `/blockchain`, by name. */
  readonly #withoutHeaders = new Set<string>()
  /** Headers that came with the tip of an endpoint: each is used once, so that a false one is read again. */
  readonly #early = new LRUCache<string, HeaderBlock>({ max: MAX_EARLY_HEADERS })

  constructor(options: BlockFetching) {
    this.#options = options
  }

  /** One that matches the request. */
  async one(endpoint: Endpoint, request: BlockOptions & { height: number }): Promise<Block> {
    const { height, isPast = false, memory } = request
    const asked = { from: height, to: height, isPast, memory }
    const [block] = await this.range(endpoint, asked).catch(async (error: unknown) => {
      const isLate = height < endpoint.known.tip - LATE_RESULTS
      if (!(isLate && error instanceof AppError && isNotYet(error))) throw error
      await this.#readHeaders(endpoint, asked)
      throw discarded(height, error)
    })
    const mismatch = findMismatch(block!, request)
    if (mismatch) throw mismatch
    return block!
  }

  /** The header alone, without any check of it. */
  async header(endpoint: Endpoint, height: number): Promise<BlockHeader> {
    const [header] = await this.#readHeaders(endpoint, { from: height, to: height })
    const { time, previousHash } = header!.block
    return { height, time, previousHash }
  }

  /** The latest height of the endpoint. The headers of heights that are new there come with it, in the same request. */
  async latestHeight(
    endpoint: Endpoint,
    order: number | undefined,
  ): Promise<{ latestHeight: number }> {
    // Headers that are verified come with their commit.
    if (this.#options.verifier) return await endpoint.refresh(order)
    const { known, name } = endpoint
    await endpoint.verify()
    // A node refuses a range above its latest height.
    const from = Math.max(known.tip, known.served)
    const range = { from, to: from + MAX_HEADERS - 1 }
    const found = await this.#findHeaders(withOptions(endpoint, { order }), range).catch(
      (error: unknown) => {
        // It pruned what follows the height that is known.
        if (!hasCode(error, 'HEIGHT_UNAVAILABLE')) throw error
        return undefined
      },
    )
    if (!found) return await endpoint.refresh(order)
    const fresh = found.headers.filter(({ height }) => height > from)
    for (const each of fresh) this.#early.set(`${name} ${each.height}`, each)
    endpoint.setTip(found.latestHeight, fresh.at(-1)?.height)
    return found
  }

  /** In order, without the checks against known values. */
  async range(endpoint: Endpoint, asked: Asked): Promise<Block[]> {
    const { isPast, memory } = asked
    const { chainId, verifier } = this.#options
    const heights = listHeights(asked)
    const [results, early] = await Promise.all([
      askEach(endpoint, 'block_results', { heights, memory }),
      // Most blocks of a range are quiet.
      heights.length > 1 ? this.#readHeaders(endpoint, asked) : undefined,
    ])
    const outcomes = await Promise.all(
      heights.map((height, at) =>
        this.#decodeResults(endpoint, results[at]!, { height, isPast, memory }),
      ),
    )
    const needTxs = outcomes.map((outcome) => this.#needsTxs(outcome))
    const needsHeaders = verifier !== undefined || needTxs.includes(false)
    const readBlock = (height: number) =>
      this.#untilThere(() => endpoint.ask('block', { height: `${height}` }, { memory }))
    const [headers, blocks] = await Promise.all([
      early ??
        (needsHeaders ? this.#untilThere(() => this.#readHeaders(endpoint, asked)) : undefined),
      Promise.all(heights.map((height, at) => (needTxs[at] ? readBlock(height) : undefined))),
    ])
    return await Promise.all(
      heights.map(async (height, at): Promise<Block> => {
        const header = headers?.[at]
        const block = blocks[at]?.result<RpcBlock>()
        const outcome = outcomes[at]
        const decoded =
          block && outcome
            ? decodeBlock(block, outcome, { chainId, height })
            : withoutTxs(header!, outcome, isPast)
        if (verifier) {
          if (!header?.commit) throw invalidResponse('the block has no commit')
          return await verifier.verify(endpoint, { block, commit: header.commit, decoded })
        }
        if (header && !isSameBlock(decoded, header.block))
          throw invalidResponse(`the block and the header of height ${height} differ`)
        return decoded
      }),
    )
  }

  /** The endpoint has the results: the nodes behind one URL are not equally far, so another one of them is asked. */
  #untilThere<Part>(ask: () => Promise<Part>): Promise<Part> {
    const { clock, signal } = this.#options
    return retry(ask, { ...policies.blockPart, clock, signal, when: isNotYet })
  }

  #needsTxs(outcome: Outcome | undefined): boolean {
    const { selection } = this.#options
    return outcome !== undefined && (!selection || outcome.events.some(selection.needsTxs))
  }

  /** Through `/blockchain`; through `/commit` if headers are verified, or an endpoint has no `/blockchain`. */
  async #readHeaders(
    endpoint: Endpoint,
    { memory, ...range }: HeightRange & Pick<Asked, 'memory'>,
  ): Promise<Header[]> {
    const { chainId, verifier } = this.#options
    const { from, to } = range
    const key = `${endpoint.name} ${from}`
    const early = verifier || from < to ? undefined : this.#early.get(key)
    if (early) {
      this.#early.delete(key)
      return [{ block: early, commit: undefined }]
    }
    const found = verifier ? undefined : await this.#findHeaders(endpoint, range)
    if (!found) {
      const replies = await askEach(endpoint, 'commit', { heights: listHeights(range), memory })
      return replies.map((reply, at) =>
        fromCommit(reply.result<RpcCommit>(), { chainId, height: from + at }),
      )
    }
    const { headers, latestHeight } = found
    if (headers.length === to - from + 1)
      return headers.map((block) => ({ block, commit: undefined }))
    const message = `has ${headers.length} of the headers from ${from} to ${to}, and height ${latestHeight} is its latest`
    throw new AppError('RPC_REFUSED', message, { retryable: true })
  }

  /** Undefined if the endpoint has no `/blockchain`. */
  async #findHeaders(
    endpoint: Endpoint,
    range: HeightRange,
  ): Promise<Awaited<ReturnType<typeof findHeaders>> | undefined> {
    if (this.#withoutHeaders.has(endpoint.name)) return undefined
    try {
      return await findHeaders(endpoint, range, this.#options.chainId)
    } catch (error) {
      const isRefusal =
        error instanceof AppError && error.code === 'RPC_REFUSED' && !error.retryable
      if (!isRefusal || findMeaning(error.message) !== 'unsupported') throw error
      this.#withoutHeaders.add(endpoint.name)
      return undefined
    }
  }

  /** Undefined if its bytes show that no event has a reader: nothing is parsed. */
  async #decodeResults(
    endpoint: Endpoint,
    results: Reply,
    { height, isPast, memory }: Omit<Asked, keyof HeightRange> & { height: number },
  ): Promise<Outcome | undefined> {
    const { selection } = this.#options
    const { text } = results
    if (selection && isQuiet(text, height, selection.needles[isPast ? 'past' : 'live'])) return
    const collector = new EventCollector(selection, findEncoding(text, endpoint.known.version))
    const parsed =
      text.length > LARGE_BYTES
        ? results.resultOf<RpcBlockResults>(await collectInParts(text, collector, memory))
        : results.result<RpcBlockResults>()
    return decodeResults(parsed, height, collector)
  }
}
