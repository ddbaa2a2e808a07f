// `ChainNode` over several endpoints: asks the healthiest first, fails over, never mixes chains.
import { setMaxListeners } from 'node:events'
import { type Clock, systemClock } from '../../infra/runtime/clock.ts'
import { AppError, hasCode } from '../../infra/runtime/errors.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import type { Metrics } from '../../infra/runtime/metrics.ts'
import { retry } from '../../infra/runtime/retry.ts'
import { readAbciAnswer } from './abci-answer.ts'
import { askAllForStatus, askInTurn } from './ask-endpoints.ts'
import type { Block } from './block.ts'
import { decodeBlock } from './decode.ts'
import { createEndpoint, type Endpoint } from './endpoint.ts'
import { endpointNames } from './endpoint-names.ts'
import type { AbciAnswer, ChainNode } from './node.ts'
import { createNodeMetrics } from './node-metrics.ts'
import { createRpcClient } from './rpc.ts'
import type { RpcAbciQuery, RpcBlock, RpcBlockResults } from './wire.ts'

export type NodePoolSettings = {
  /** One call to one endpoint. */
  timeoutMs: number
  /** How long a request is tried again, over all endpoints, before it fails. */
  retryBudgetMs: number
  maxBodyBytes: number
  /** Per endpoint; further calls wait. */
  maxConcurrentCalls: number
  coolDownMs: number
  maxCoolDownMs: number
  /** An endpoint further behind the best one than this is named in the log. */
  lagToleranceBlocks: number
  /** How long slower endpoints are waited for once one has said where the tip is. */
  statusGraceMs: number
}

const nodePoolDefaults: NodePoolSettings = {
  timeoutMs: 10_000,
  retryBudgetMs: 30_000,
  maxBodyBytes: 256 * 2 ** 20,
  maxConcurrentCalls: 64,
  coolDownMs: 500,
  maxCoolDownMs: 30_000,
  lagToleranceBlocks: 10,
  statusGraceMs: 500,
}

export type NodePoolOptions = {
  urls: readonly string[]
  /** Where absent, the first endpoint that answers decides which chain this is. */
  chainId?: string
  settings?: Partial<NodePoolSettings>
  log: Logger
  metrics: Metrics
  clock?: Clock
  /** Ends the connecting; the node that came of it is ended by `close`. */
  signal?: AbortSignal
}

const RETRY_BASE_MS = 50
const RETRY_MAX_MS = 2_000

const forkedAt = ({ height, previousHash }: Block, expected: string): AppError =>
  new AppError('CHAIN_FORKED', `block ${height} follows ${previousHash}, not ${expected}`)

const fetchBlock = async (
  endpoint: Endpoint,
  asked: { chainId: string; height: number; previousHash: string | undefined },
): Promise<Block> => {
  const params = { height: String(asked.height) }
  const [block, results] = await Promise.all([
    endpoint.call<RpcBlock>('block', params),
    endpoint.call<RpcBlockResults>('block_results', params),
  ])
  const decoded = decodeBlock(block, results, { ...asked, nodeVersion: endpoint.known.version })
  if (asked.previousHash !== undefined && decoded.previousHash !== asked.previousHash) {
    throw forkedAt(decoded, asked.previousHash)
  }
  return decoded
}

const queryAbci = async (
  endpoint: Endpoint,
  request: { path: string; data: Uint8Array; height: number },
): Promise<AbciAnswer> => {
  const answer = await endpoint.call<RpcAbciQuery>('abci_query', {
    path: request.path,
    data: Buffer.from(request.data).toString('hex'),
    height: String(request.height),
    prove: false,
  })
  const read = readAbciAnswer(answer, request.height)
  // Another endpoint may still have that state.
  if (read.kind === 'pruned') throw new AppError('HEIGHT_UNAVAILABLE', read.log)
  return read
}

/** Which chain the first endpoint that answers is of. */
const askForChain = (endpoints: readonly Endpoint[]): Promise<string> =>
  askInTurn(endpoints, { kept: 'block', height: 0 }, async (endpoint) => {
    const { chainId } = await endpoint.refresh()
    return chainId
  })

/** Resolves once the chain is known. Throws `RPC_UNAVAILABLE` where no endpoint says which it is. */
export const createChainNode = async (options: NodePoolOptions): Promise<ChainNode> => {
  const settings = { ...nodePoolDefaults, ...options.settings }
  const clock = options.clock ?? systemClock
  const closing = new AbortController()
  // One listener for each call under way.
  setMaxListeners(0, closing.signal)
  const metrics = createNodeMetrics(options.metrics)
  const names = endpointNames(options.urls)
  let chainId = options.chainId
  const endpoints = options.urls.map((url, index) =>
    createEndpoint({
      ...settings,
      name: names[index]!,
      rpc: createRpcClient({ ...settings, url }),
      expectedChainId: () => chainId,
      clock,
      log: options.log,
      metrics,
      signal: closing.signal,
    }),
  )
  const within = <T>(round: () => Promise<T>): Promise<T> =>
    retry(round, {
      limit: Number.POSITIVE_INFINITY,
      budgetMs: settings.retryBudgetMs,
      baseDelayMs: RETRY_BASE_MS,
      maxDelayMs: RETRY_MAX_MS,
      signal: closing.signal,
      clock,
    })
  const close = async () => {
    closing.abort()
    for (const endpoint of endpoints) endpoint.close()
  }
  const onAbort = () => closing.abort()
  options.signal?.addEventListener('abort', onAbort, { once: true })
  if (options.signal?.aborted) onAbort()
  try {
    chainId ??= await within(() => askForChain(endpoints))
  } catch (error) {
    await close()
    throw error
  } finally {
    options.signal?.removeEventListener('abort', onAbort)
  }
  const served = chainId
  const servedBy = new WeakMap<Block, Endpoint>()
  return {
    chainId: served,
    status: () =>
      within(() =>
        askAllForStatus(endpoints, {
          graceMs: settings.statusGraceMs,
          toleranceBlocks: settings.lagToleranceBlocks,
          clock,
        }),
      ),
    block: (height, { previousHash, instead } = {}) => {
      const blamed = instead && servedBy.get(instead)
      if (instead && previousHash !== undefined) blamed?.note(forkedAt(instead, previousHash))
      return within(() =>
        askInTurn(endpoints, { kept: 'block', height }, async (endpoint) => {
          const block = await fetchBlock(endpoint, { chainId: served, height, previousHash })
          servedBy.set(block, endpoint)
          return block
        }),
      )
    },
    abciQuery: (request) =>
      within(() =>
        askInTurn(endpoints, { kept: 'state', height: request.height }, (endpoint) =>
          queryAbci(endpoint, request),
        ),
      ).catch((error: unknown) => {
        if (hasCode(error, 'HEIGHT_UNAVAILABLE')) return { kind: 'pruned', log: error.message }
        throw error
      }),
    close,
  }
}
