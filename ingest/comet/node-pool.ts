// Implements `ChainNode` over several endpoints: tries the healthiest first, fails over, never mixes chains.
import { linkedAbort } from '../../infra/runtime/abort.ts'
import { type Clock, systemClock } from '../../infra/runtime/clock.ts'
import { AppError, hasCode } from '../../infra/runtime/errors.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import type { Metrics } from '../../infra/runtime/metrics.ts'
import { policies } from '../../infra/runtime/policies.ts'
import { retry } from '../../infra/runtime/retry.ts'
import { askAllForStatus, askInTurn, isTimeout } from './ask-endpoints.ts'
import type { Block } from './block.ts'
import { createCrossCheck, type Fingerprint } from './cross-check.ts'
import { createEndpoint, type Endpoint } from './endpoint.ts'
import { endpointNames } from './endpoint-names.ts'
import type { EventSelection } from './event-collector.ts'
import { createBlockFetcher, findMismatch } from './fetch-block.ts'
import { createLargeReads, type LargeReads } from './large-reads.ts'
import { createLightBlocks } from './light-block.ts'
import { createMemoryBudget } from './memory-budget.ts'
import type { BlockOptions, ChainNode } from './node.ts'
import { createNodeHealth, type NodeHealth } from './node-health.ts'
import { createNodeMetrics, type NodeMetrics } from './node-metrics.ts'
import { type NodePoolSettings, nodePoolDefaults } from './pool-settings.ts'
import { createRpcClient } from './rpc.ts'
import { createStateQueries } from './state-queries.ts'
import { createHeaderVerifier } from './verify-headers.ts'

export type NodePoolOptions = {
  urls: readonly string[]
  /** If absent, the first endpoint that answers sets the chain. */
  chainId?: string
  /** Blocks with a non-empty result are compared between two hosts; if absent, no block is. */
  fingerprint?: Fingerprint
  /** The events of a block to keep; if absent, all. */
  selection?: EventSelection
  /** Notes the endpoints that send large responses. */
  largeReads?: LargeReads
  /** Accepts only blocks with the signatures of their validators. */
  verifyHeaders?: boolean
  /** Whether the log says that the headers do not cover the transactions. */
  hasDataSquares?: boolean
  /** Receives the health of the endpoints; if absent, no readiness check uses it. */
  health?: NodeHealth
  settings?: Partial<NodePoolSettings>
  logger: Logger
  metrics: Metrics
  clock?: Clock
  /** Aborts connecting; `close` ends the connected node. */
  signal?: AbortSignal
}

/** Reads the chain of the first endpoint that answers. */
const askForChain = (endpoints: readonly Endpoint[]): Promise<string> =>
  askInTurn(
    endpoints,
    { kept: 'block', height: 0 },
    async (endpoint) => (await endpoint.refresh()).chainId,
  )

type Pool = {
  options: NodePoolOptions
  settings: NodePoolSettings
  clock: Clock
  metrics: NodeMetrics
  health: NodeHealth
  signal: AbortSignal
  endpoints: readonly Endpoint[]
}

const createEndpoints = (
  { options, settings, ...shared }: Omit<Pool, 'endpoints'>,
  expectedChainId: () => string | undefined,
): Endpoint[] => {
  const names = endpointNames(options.urls)
  const budget = createMemoryBudget(settings.maxBytesInFlight)
  const largeReads = options.largeReads ?? createLargeReads()
  return options.urls.map((url, index) => {
    const name = names[index]!
    const onLarge = (method: string, { height = '' }: Record<string, unknown>) =>
      largeReads.begin(name, `${method} ${height}`.trim())
    return createEndpoint({
      ...settings,
      ...shared,
      name,
      host: new URL(url).host,
      rpc: createRpcClient({ ...settings, url, budget, onLarge }),
      interrupted: largeReads.interrupted.get(name),
      expectedChainId,
      logger: options.logger,
    })
  })
}

/** Retries over all endpoints until the budget is spent, and only errors for which `when` is true. */
type Within = <T>(round: () => Promise<T>, when?: (error: AppError) => boolean) => Promise<T>

const withinBudget =
  ({ settings, signal, clock }: Pool): Within =>
  (round, when = ({ retryable }) => retryable) =>
    retry(round, { ...policies.chainRequest(settings.retryBudgetMs), signal, clock, when })

const cannotRead = (height: number, error: unknown): string =>
  `height ${height} cannot be read: ${error instanceof Error ? error.message : error}`

const createBlocks = (
  pool: Pool,
  chainId: string,
  within: Within,
): Pick<ChainNode, 'block' | 'nextValidatorsHash' | 'trustedBlock'> => {
  const { endpoints, options, settings, clock, metrics, health, signal } = pool
  const servedBy = new WeakMap<Block, Endpoint>()
  const verifier = options.verifyHeaders
    ? createHeaderVerifier({ endpoints, chainId, hasDataSquares: options.hasDataSquares })
    : undefined
  const fetchBlock = createBlockFetcher({ chainId, verifier, selection: options.selection })
  const crossCheck = createCrossCheck({
    endpoints,
    clock,
    logger: options.logger,
    metrics,
    health,
    signal,
    fingerprint: options.fingerprint ?? (() => ''),
    fetch: fetchBlock,
    graceMs: settings.crossCheckGraceMs,
    toleranceBlocks: settings.lagToleranceBlocks,
  })
  const read = async <T>(
    height: number,
    ask: (endpoint: Endpoint) => Promise<T>,
    memory?: BlockOptions['memory'],
  ): Promise<T> => {
    const round = () => askInTurn(endpoints, { kept: 'block', height }, ask)
    try {
      return await within(round, (error) => error.retryable && !(memory && isTimeout(error)))
    } catch (error) {
      if (!hasCode(error, 'ABORTED')) health.setWaiting(height, cannotRead(height, error))
      throw error
    }
  }
  const block: ChainNode['block'] = async (height, request = {}) => {
    const { instead } = request
    const mismatch = instead && findMismatch(instead, request)
    if (mismatch) servedBy.get(instead)?.note(mismatch)
    const { memory } = request
    const ask = async (endpoint: Endpoint) => {
      // What an endpoint sent before it failed.
      memory?.settle(0)
      return { endpoint, block: await fetchBlock(endpoint, { ...request, height }) }
    }
    const report = await read(height, ask, memory)
    const { block, endpoint } = await crossCheck(report, request)
    health.setWaiting(height, null)
    servedBy.set(block, endpoint)
    return block
  }
  if (!verifier) return { block }
  const nextValidatorsHash = async (height: number, hash: string): Promise<string | null> => {
    const known = { chainId, height, hash }
    const found = await read(height, (each) => verifier.readNextValidators(each, known)).catch(
      (error: unknown) => {
        if (hasCode(error, 'HEIGHT_UNAVAILABLE')) return null
        throw error
      },
    )
    health.setWaiting(height, null)
    return found
  }
  const trustedBlock: ChainNode['trustedBlock'] = async (trusted, height) => {
    const from = Number(trusted.height)
    if (from > height) {
      const message = `TRUSTED_HEADER: height ${from} is after the first height, ${height}; expected an earlier header`
      throw new AppError('CONFIG_INVALID', message, { expose: true })
    }
    const found = await read(from, (each) =>
      verifier.readTrusted(each, { chainId, trusted, height }),
    ).catch((error: unknown) => {
      if (!hasCode(error, 'HEIGHT_UNAVAILABLE')) throw error
      const message = `TRUSTED_HEADER: no endpoint has the block of height ${from} any more; expected a later header`
      throw new AppError('CONFIG_INVALID', message, { expose: true, cause: error })
    })
    health.setWaiting(from, null)
    return found
  }
  return { block, nextValidatorsHash, trustedBlock }
}

/** Resolves once the chain is known. Throws `RPC_UNAVAILABLE` if no endpoint reports it. */
export const createChainNode = async (options: NodePoolOptions): Promise<ChainNode> => {
  const settings = { ...nodePoolDefaults, ...options.settings }
  const closing = linkedAbort(options.signal)
  let chainId = options.chainId
  const shared = {
    options,
    settings,
    signal: closing.signal,
    clock: options.clock ?? systemClock,
    metrics: createNodeMetrics(options.metrics),
    health: options.health ?? createNodeHealth(),
  }
  const endpoints = createEndpoints(shared, () => chainId)
  const pool: Pool = { ...shared, endpoints }
  const within = withinBudget(pool)
  const close = async () => {
    closing.abort()
    for (const endpoint of endpoints) endpoint.close()
  }
  try {
    chainId ??= await within(() => askForChain(endpoints))
  } catch (error) {
    await close()
    throw error
  } finally {
    closing.unlink()
  }
  const status = {
    graceMs: settings.statusGraceMs,
    toleranceBlocks: settings.lagToleranceBlocks,
    clock: shared.clock,
  }
  return {
    chainId,
    status: () => within(() => askAllForStatus(endpoints, status)),
    ...createBlocks(pool, chainId, within),
    ...createStateQueries(pool, within),
    lightBlock: createLightBlocks(pool, chainId),
    close,
  }
}
