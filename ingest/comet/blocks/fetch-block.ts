// Fetches one block from one endpoint, decodes it, and checks it against the known values.
import type { Clock } from '../../../infra/base/runtime/clock.ts'
import { AppError } from '../../../infra/base/runtime/errors.ts'
import { policies } from '../../../infra/base/runtime/policies.ts'
import { retry } from '../../../infra/base/runtime/retry.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import type { BlockOptions } from '../endpoints/node.ts'
import { invalidResponse } from '../transport/decode.ts'
import { createJsonListReader, type ListPaths, type TakenItems } from '../transport/json-lists.ts'
import type { PartReader } from '../transport/response-body.ts'
import { isNotYet } from '../transport/rpc.ts'
import type { RpcBlock, RpcBlockResults, RpcTxResult } from '../transport/wire.ts'
import type { HeaderVerifier } from '../verification/verify-headers.ts'
import type { Block } from './block.ts'
import { isBefore } from './block-time.ts'
import { decodeBlock } from './decode-block.ts'
import { EventCollector, type EventList, type EventSelection } from './event-collector.ts'

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

const isMissing = (error: unknown): error is AppError =>
  error instanceof AppError && isNotYet(error)

/** So far below the tip no results are still to come. */
const LATE_RESULTS = 100

const refuseLate =
  (endpoint: Endpoint, block: Promise<unknown>, height: number) =>
  async (error: unknown): Promise<never> => {
    if (!isMissing(error) || height >= endpoint.known.tip - LATE_RESULTS) throw error
    await block
    const message = `has the block of height ${height}, but discarded its results: ${error.message}`
    throw new AppError('HEIGHT_UNAVAILABLE', message, { cause: error })
  }

/**
 * Asks again for a part that is not there yet, if the endpoint has the other part. A node has a block before its
 * results, and the nodes behind one URL are not equally far.
 */
const createPartRepeat =
  (
    { lag }: Endpoint,
    { height, ...waiting }: { height: number; clock: Clock; signal: AbortSignal },
  ) =>
  <T>(ask: () => Promise<T>, other: Promise<unknown>) =>
  async (error: unknown): Promise<T> => {
    if (!isMissing(error)) throw error
    await other
    lag.missed(height)
    const askLater = async () => {
      await lag.untilLikely(height)
      return await ask()
    }
    const onRetry = () => lag.missed(height)
    return await retry(askLater, { ...policies.blockPart, ...waiting, when: isNotYet, onRetry })
  }

export type BlockFetcher = (
  endpoint: Endpoint,
  request: BlockOptions & { height: number },
) => Promise<Block>

const BLOCK_RESULTS_LISTS: ListPaths = {
  result: {
    begin_block_events: true,
    finalize_block_events: true,
    end_block_events: true,
    txs_results: { events: true },
  },
}

/** Reads large `block_results` in parts: only what is kept of their events stays in memory. */
export const createResultsReader = (selection: EventSelection | undefined) => {
  let collector: EventCollector | undefined
  const take = ({ name, items, parent }: TakenItems): void => {
    if (name === 'events') collector?.add('txs_results', items, parent)
    else if (name === 'txs_results') for (const each of items) collector?.addTx(each as RpcTxResult)
    else collector?.add(name as EventList, items, null)
  }
  return {
    /** Undefined if the response was not large. */
    collector: () => collector,
    createPartReader: (): PartReader => {
      const kept = new EventCollector(selection)
      collector = kept
      const reader = createJsonListReader(BLOCK_RESULTS_LISTS, take)
      return {
        write: (chunk) => reader.write(chunk),
        end: () => reader.end(),
        get pendingBytes() {
          return reader.pendingBytes
        },
        get keptBytes() {
          return kept.bytes
        },
      }
    },
  }
}

type BlockFetching = {
  clock: Clock
  signal: AbortSignal
  chainId: string
  verifier: HeaderVerifier | undefined
  /** The events to keep; by default all. */
  selection: EventSelection | undefined
}

export const createBlockFetcher =
  ({ chainId, verifier, selection, ...waiting }: BlockFetching): BlockFetcher =>
  async (endpoint, request) => {
    const { height, memory } = request
    const params = { height: String(height) }
    const { collector, createPartReader } = createResultsReader(selection)
    const askForBlock = () => endpoint.call<RpcBlock>('block', params, { memory })
    const askForResults = () =>
      endpoint.call<RpcBlockResults>('block_results', params, { memory, createPartReader })
    const askForCommit = verifier && (() => verifier.readCommit(endpoint, height))
    const orAgain = createPartRepeat(endpoint, { height, ...waiting })
    const [firstBlock, firstResults] = [askForBlock(), askForResults()]
    const [block, results, commit] = await Promise.all([
      firstBlock.catch(orAgain(askForBlock, firstResults)),
      firstResults
        .catch(refuseLate(endpoint, firstBlock, height))
        .catch(orAgain(askForResults, firstBlock)),
      askForCommit?.().catch(orAgain(askForCommit, firstBlock)),
    ])
    const context = {
      chainId,
      height,
      nodeVersion: endpoint.known.version,
      collector: collector() ?? new EventCollector(selection),
    }
    const decoded = decodeBlock(block, results, context)
    const verified =
      verifier && commit ? await verifier.verify(endpoint, { block, commit, decoded }) : decoded
    const mismatch = findMismatch(verified, request)
    if (mismatch) throw mismatch
    return verified
  }
