// Implements `ChainNode` over several endpoints: what they share, blocks, the tip, and readers of one endpoint. Never mixes chains.
import { linkedAbort } from '../../../infra/base/runtime/abort.ts'
import { type Clock, pause, systemClock } from '../../../infra/base/runtime/clock.ts'
import { AppError, hasCode } from '../../../infra/base/runtime/errors.ts'
import type { Logger } from '../../../infra/base/runtime/logger.ts'
import type { Metrics } from '../../../infra/base/runtime/metrics.ts'
import { getRepeatedWarnings } from '../../../infra/base/runtime/repeated-warnings.ts'
import type { Block } from '../blocks/block.ts'
import type { EventSelection } from '../blocks/event-collector.ts'
import { type BlockFetcher, createBlockFetcher, findMismatch } from '../blocks/fetch-block.ts'
import type { Headers } from '../transport/http-post.ts'
import { createMemoryBudget } from '../transport/memory-budget.ts'
import { createRpcClient, isNotYet } from '../transport/rpc.ts'
import { invalidResponse } from '../transport/wire.ts'
import { CrossCheck, type Fingerprint } from '../verification/cross-check.ts'
import { createLightBlocks } from '../verification/light-block.ts'
import { createHeaderVerifier } from '../verification/verify-headers.ts'
import { createEndpoint, type Endpoint, inBackground } from './endpoint.ts'
import {
  createNodeHealth,
  createNodeMetrics,
  endpointNames,
  type NodeHealth,
  type NodeMetrics,
} from './endpoint-health.ts'
import type { BackgroundReader, ChainNode, NodeStatus } from './node.ts'
import {
  askOne,
  candidatesFor,
  createRing,
  type EndpointFailure,
  HEDGE_MS,
  RANGE,
  type Ring,
  summarizeFailures,
} from './ring.ts'
import { createStateQueries, createTxSearch } from './state-queries.ts'

export type NodePoolSettings = {
  /** A call to one endpoint fails after this time without a byte. */
  timeoutMs: number
  /** How long a read is repeated over all endpoints before it fails, if its reader does not say it. */
  retryBudgetMs: number
  /** The same for the first read, of the chain; by default `retryBudgetMs`. */
  connectBudgetMs?: number
  /** A height that cannot be read for so long is reported. */
  outageAfterMs: number
  /** A call that takes longer, and several times as long as usual, is asked of a second endpoint as well. */
  hedgeAfterMs: number
  /** Deadline of one endpoint for a proof or a light block. */
  proofTimeoutMs: number
  /** In addition to the limits by method. */
  maxBodyBytes: number
  /** Limit of concurrent calls per endpoint; further calls wait. */
  maxConcurrentCalls: number
  /** Limit of requests per endpoint; undefined: it is found. */
  maxPerSecond: number | undefined
  coolDownMs: number
  maxCoolDownMs: number
  /** The log names an endpoint that is further behind the best one than this, and it is not asked to compare heights. */
  lagToleranceBlocks: number
  /** How long to wait for slower endpoints after the first one reported the tip. */
  statusGraceMs: number
  /** How long to wait for a second endpoint to compare governance events. */
  crossCheckGraceMs: number
  /** Memory limit of all responses from all endpoints at the same time, without those whose memory the caller has. */
  maxBytesInFlight: number
}

export const nodePoolDefaults: NodePoolSettings = {
  timeoutMs: 10_000,
  retryBudgetMs: 30_000,
  outageAfterMs: 30_000,
  hedgeAfterMs: HEDGE_MS,
  proofTimeoutMs: 3_000,
  maxBodyBytes: Number.POSITIVE_INFINITY,
  maxConcurrentCalls: 64,
  maxPerSecond: undefined,
  coolDownMs: 500,
  maxCoolDownMs: 30_000,
  lagToleranceBlocks: 10,
  statusGraceMs: 500,
  crossCheckGraceMs: 3_000,
  maxBytesInFlight: 256 * 2 ** 20,
}

export type NodePoolOptions = {
  urls: readonly string[]
  /** Sent to the endpoint with this URL. */
  headers?: ReadonlyMap<string, Headers> | undefined
  /** If absent, the first endpoint that answers sets the chain. */
  chainId?: string
  /** Blocks with a non-empty result are compared between two hosts; if absent, no block is. */
  fingerprint?: Fingerprint
  /** The events of a block to keep; if absent, all. */
  selection?: EventSelection
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

export type Pool = {
  options: NodePoolOptions
  settings: NodePoolSettings
  clock: Clock
  metrics: NodeMetrics
  health: NodeHealth
  signal: AbortSignal
  endpoints: readonly Endpoint[]
} & Ring

type Shared = Omit<Pool, 'endpoints' | keyof Ring>

const createEndpoints = (
  { options, settings, ...shared }: Shared,
  expectedChainId: () => string | undefined,
): Endpoint[] => {
  const { logger, urls, headers } = options
  const names = endpointNames(urls)
  const budget = createMemoryBudget(settings.maxBytesInFlight)
  const warnings = getRepeatedWarnings(logger)
  return urls.map((url, index) => {
    const name = names[index]!
    const rpc = createRpcClient({
      ...settings,
      url,
      headers: headers?.get(url),
      onRefused: (error) =>
        warnings.warn({
          key: `limited ${name}`,
          fields: { endpoint: name, reason: error.message },
          message: 'endpoint limits requests',
        }),
      onAnswer: (method, outcome) =>
        shared.metrics.requests.inc({ endpoint: name, method, outcome }),
      budget,
      clock: shared.clock,
    })
    shared.health.track(name, rpc.pace.pausedMs)
    const { host } = new URL(url)
    return createEndpoint({ ...settings, ...shared, name, host, rpc, expectedChainId, logger })
  })
}

const createPool = (pool: Omit<Pool, keyof Ring>): Pool => ({
  ...pool,
  ...createRing({ ...pool, logger: pool.options.logger }),
})

/** Of the next block of the log. */
const REQUIRED = ['HEIGHT_UNAVAILABLE', 'CHAIN_FORKED'] as const

type BlockParts = {
  fetch: BlockFetcher
  crossCheck: CrossCheck
  servedBy: WeakMap<Block, Endpoint>
}

/** An endpoint has this long for a range if another one may have the blocks. */
const RANGE_MS = 30_000

/** From one endpoint, which is asked again only if it limits requests. */
const createBlockRange =
  ({ endpoints, repeat }: Pool, parts: BlockParts): NonNullable<ChainNode['blockRange']> =>
  ({ from, to }, { signal: readerSignal, ...ofRange }) => {
    const { fetch, crossCheck, servedBy } = parts
    const isAlone = endpoints.length === 1
    const read = { ...RANGE, height: to, budgetMs: RANGE_MS, isOnce: true, isSilent: true }
    return repeat({ ...read, signal: readerSignal }, async (need) => {
      const endpoint = candidatesFor(endpoints, need).find(
        ({ known, windows }) => !(known.discardsResults || windows.block.lacks(from)),
      )
      if (!endpoint)
        throw new AppError('RPC_UNAVAILABLE', `no endpoint has height ${from}`, { retryable: true })
      const ending = linkedAbort(need.signal)
      const { signal } = ending
      const range = { from, to, ...ofRange }
      const limits = isAlone ? {} : { withinMs: RANGE_MS }
      // What it sent before it refused a part.
      range.memory.settle(0)
      const ask = (each: Endpoint) => fetch.range(each, range)
      try {
        const first = { endpoint, blocks: askOne(endpoint, { ...need, ...limits, signal }, ask) }
        const reports = await crossCheck.checkRange(first, { ...range, signal })
        for (const { block, endpoint: by } of reports) servedBy.set(block, by)
        return reports.map(({ block }) => block)
      } finally {
        // A witness may still be asked.
        ending.abort()
        ending.unlink()
      }
    })
  }

const createBlocks = (
  pool: Pool,
  chainId: string,
): Pick<ChainNode, 'block' | 'blockRange' | 'header' | 'nextValidatorsHash' | 'trustedBlock'> => {
  const { endpoints, options, settings, metrics, clock, signal, read } = pool
  const servedBy = new WeakMap<Block, Endpoint>()
  const verifier = options.verifyHeaders
    ? createHeaderVerifier({ endpoints, hasDataSquares: options.hasDataSquares })
    : undefined
  const { selection } = options
  const fetch = createBlockFetcher({ chainId, verifier, selection, clock, signal })
  const crossCheck = new CrossCheck({
    endpoints,
    ring: pool,
    logger: options.logger,
    metrics,
    signal,
    fingerprint: options.fingerprint ?? (() => ''),
    fetch,
    graceMs: settings.crossCheckGraceMs,
    toleranceBlocks: settings.lagToleranceBlocks,
  })
  const block: ChainNode['block'] = async (height, request = {}) => {
    const { instead, memory, budgetMs, isRequired } = request
    const mismatch = instead && findMismatch(instead, request)
    if (mismatch) servedBy.get(instead)?.note(mismatch)
    const ask = async (endpoint: Endpoint) => {
      // What an endpoint sent before it failed.
      memory?.settle(0)
      return { endpoint, block: await fetch.one(endpoint, { ...request, height }) }
    }
    const { block, endpoint } = await read(
      {
        kept: 'block',
        height,
        budgetMs,
        waitsFor: isRequired ? REQUIRED : undefined,
        signal: request.signal,
        accept: (report) => crossCheck.check(report, request),
      },
      ask,
    )
    servedBy.set(block, endpoint)
    return block
  }
  const blockRange = createBlockRange(pool, { fetch, crossCheck, servedBy })
  const ofHeader = (height: number) => ({ kept: 'block', what: 'header', height }) as const
  const header: ChainNode['header'] = (height, patience = {}) =>
    read({ ...patience, ...ofHeader(height) }, (endpoint) => fetch.header(endpoint, height))
  if (!verifier) return { block, blockRange, header }
  const unlimited = { budgetMs: Number.POSITIVE_INFINITY }
  const nextValidatorsHash: ChainNode['nextValidatorsHash'] = (height, hash) =>
    read({ ...ofHeader(height), ...unlimited, waitsFor: ['CHAIN_FORKED'] }, (each) =>
      verifier.readNextValidators(each, { chainId, height, hash }),
    ).catch((error: unknown) => {
      if (hasCode(error, 'HEIGHT_UNAVAILABLE')) return null
      throw error
    })
  const trustedBlock: ChainNode['trustedBlock'] = (trusted, height) => {
    const from = Number(trusted.height)
    if (from > height) {
      const message = `TRUSTED_HEADER: height ${from} is after the first height, ${height}; expected an earlier header`
      throw new AppError('CONFIG_INVALID', message, { expose: true })
    }
    return read({ ...ofHeader(from), ...unlimited }, (each) =>
      verifier.readTrusted(each, { chainId, trusted, height }),
    ).catch((error: unknown) => {
      if (!hasCode(error, 'HEIGHT_UNAVAILABLE')) throw error
      const message = `TRUSTED_HEADER: no endpoint has the block of height ${from} any more; expected a later header`
      throw new AppError('CONFIG_INVALID', message, { expose: true, cause: error })
    })
  }
  return { block, blockRange, header, nextValidatorsHash, trustedBlock }
}

/** Nodes behind one URL may be so far apart: a claim that they do not have is no fault. */
const TOLERATED_LEAP = 10

type Claim = { endpoint: Endpoint; status: NodeStatus }

/** Whether an endpoint has a height that it claims. One that has not is lowered, and blamed for a large leap. */
const hasHeight = async (
  { endpoint, status }: Claim,
  height: number,
  signal: AbortSignal | undefined,
): Promise<boolean> => {
  if (endpoint.known.served >= height) return true
  const need = { kept: 'block', height, what: 'commit', withinMs: HEDGE_MS, signal } as const
  try {
    await askOne(endpoint, need, (each) => each.call('commit', { height: String(height) }))
    return true
  } catch (error) {
    // Any other failure says nothing about the height.
    if (!(error instanceof AppError && isNotYet(error))) return !hasCode(error, 'ABORTED')
    endpoint.lowerTip(height - 1)
    if (status.latestHeight - height < TOLERATED_LEAP) return false
    const claim = `claims height ${status.latestHeight}, but does not have height ${height}`
    endpoint.note(invalidResponse(claim, error))
    return false
  }
}

/** The highest status. One beyond all others counts only if its endpoint has the first height beyond them. */
const findBest = async (
  claims: readonly Claim[],
  signal: AbortSignal | undefined,
): Promise<NodeStatus | undefined> => {
  const [first, second, ...others] = claims.toSorted(
    (a, b) => b.status.latestHeight - a.status.latestHeight,
  )
  if (!first || !second) return first?.status
  const next = second.status.latestHeight + 1
  if (first.status.latestHeight < next || (await hasHeight(first, next, signal)))
    return first.status
  return await findBest([second, ...others], signal)
}

/** Any endpoint answers it. */
const CHAIN = { kept: 'block', height: 0 } as const

/** Asks all endpoints at once, waits briefly for the slower ones, and returns the highest tip. `isAlone`: none is waited for. */
const createStatus =
  ({ endpoints, settings, clock, health, repeat }: Pool, isAlone = false): ChainNode['status'] =>
  (patience = {}) =>
    repeat({ ...patience, ...CHAIN, what: 'status', isSilent: true }, async (need) => {
      const { order, signal } = need
      const claims: Claim[] = []
      const failures: EndpointFailure[] = []
      const over = new AbortController()
      const rested = endpoints.filter((endpoint) => !endpoint.isCooling())
      const requests = (rested.length > 0 ? rested : endpoints).map(async (endpoint) => {
        try {
          claims.push({ endpoint, status: await endpoint.refresh(order) })
          endpoint.succeeded()
        } catch (error) {
          failures.push({ endpoint, error: endpoint.note(error) })
          throw error
        }
      })
      const grace = () => pause(isAlone ? 0 : settings.statusGraceMs, over.signal, clock)
      const all = Promise.allSettled(requests)
      await Promise.race([all, Promise.any(requests).then(grace, () => all)])
      over.abort()
      const best = await findBest([...claims], signal)
      if (!best) {
        const aborted = failures.find(({ error }) => error.code === 'ABORTED')
        throw aborted?.error ?? summarizeFailures(failures, endpoints, need)
      }
      for (const { name, known } of isAlone ? [] : endpoints) {
        const isBehind =
          known.tip > 0 && known.tip < best.latestHeight - settings.lagToleranceBlocks
        const problem = `is at height ${known.tip}, the chain at height ${best.latestHeight}`
        health.setProblem(name, 'tip', isBehind ? problem : null)
      }
      const earliest = claims.map(({ status }) => status.earliestHeight)
      return { ...best, earliestHeight: Math.min(...earliest) }
    })

const createReads = (pool: Pool, chainId: string) => ({
  ...createBlocks(pool, chainId),
  searchTxs: createTxSearch(pool),
  ...createStateQueries(pool),
})

/** One reader for each endpoint: without a comparison, and without blame. */
const createBackgroundReaders = (pool: Pool, chainId: string): BackgroundReader[] =>
  pool.endpoints.map((endpoint) => {
    const alone = createPool({
      ...pool,
      options: { ...pool.options, verifyHeaders: false },
      health: createNodeHealth(),
      endpoints: [inBackground(endpoint)],
    })
    const node = { chainId, status: createStatus(alone, true), ...createReads(alone, chainId) }
    return { name: endpoint.name, node }
  })

/** Resolves once the chain is known. Throws `RPC_UNAVAILABLE` if no endpoint reports it. */
export async function createChainNode(options: NodePoolOptions): Promise<ChainNode> {
  const settings = { ...nodePoolDefaults, ...options.settings }
  const closing = linkedAbort(options.signal)
  let chainId = options.chainId
  const clock = options.clock ?? systemClock
  const shared = {
    options,
    settings,
    signal: closing.signal,
    clock,
    metrics: createNodeMetrics(options.metrics),
    health: options.health ?? createNodeHealth(clock),
  }
  const endpoints = createEndpoints(shared, () => chainId)
  const pool = createPool({ ...shared, endpoints })
  const close = async () => {
    closing.abort()
    for (const endpoint of endpoints) endpoint.close()
  }
  try {
    const budgetMs = settings.connectBudgetMs ?? settings.retryBudgetMs
    const connect = { ...CHAIN, what: 'connect', budgetMs, isSilent: true }
    chainId ??= await pool.read(connect, async (each) => (await each.refresh()).chainId)
  } catch (error) {
    await close()
    throw error
  } finally {
    closing.unlink()
  }
  return {
    chainId,
    status: createStatus(pool),
    ...createReads(pool, chainId),
    lightBlock: createLightBlocks(pool, chainId),
    background: createBackgroundReaders(pool, chainId),
    close,
  }
}
