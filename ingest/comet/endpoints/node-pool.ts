// Implements `ChainNode` over several endpoints: what they share, blocks, the tip, and readers of one endpoint. Never mixes chains.
import { linkedAbort } from '../../../infra/base/runtime/abort.ts'
import { type Clock, pause, systemClock } from '../../../infra/base/runtime/clock.ts'
import { AppError, hasCode } from '../../../infra/base/runtime/errors.ts'
import type { Logger } from '../../../infra/base/runtime/logger.ts'
import type { Metrics } from '../../../infra/base/runtime/metrics.ts'
import { getRepeatedWarnings } from '../../../infra/base/runtime/repeated-warnings.ts'
import type { Block } from '../blocks/block.ts'
import type { EventSelection } from '../blocks/event-collector.ts'
import { BlockFetcher, findMismatch } from '../blocks/fetch-block.ts'
import type { Headers } from '../transport/http-post.ts'
import { createMemoryBudget } from '../transport/memory-budget.ts'
import { isNotYet, RpcClient } from '../transport/rpc.ts'
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
import type { BackgroundReader, ChainNode, Patience } from './node.ts'
import {
  askOne,
  candidatesFor,
  createRing,
  type EndpointFailure,
  HEDGE_MS,
  type Need,
  RANGE,
  type Ring,
  summarizeFailures,
} from './ring.ts'
import { createStateQueries, createTxSearch } from './state-queries.ts'

const nodePoolDefaults = {
  /** A call to one endpoint fails after this time without a byte. */
  timeoutMs: 10_000,
  /** How long a read is repeated over all endpoints before it fails, if its reader does not say it. */
  retryBudgetMs: 30_000,
  /** The same for the first read, of the chain; by default `retryBudgetMs`. */
  connectBudgetMs: undefined as number | undefined,
  /** A height that cannot be read for so long is reported. */
  outageAfterMs: 30_000,
  /** A call that takes longer, and several times as long as usual, is asked of a second endpoint as well. */
  hedgeAfterMs: HEDGE_MS,
  /** Limit of requests per endpoint; undefined: it is found. */
  maxPerSecond: undefined as number | undefined,
  coolDownMs: 500,
  maxCoolDownMs: 30_000,
  /** The log names an endpoint that is further behind the best one than this, and it is not asked to compare heights. */
  lagToleranceBlocks: 10,
  /** How long to wait for slower endpoints after the first one reported the tip. */
  statusGraceMs: 500,
}

export type NodePoolSettings = typeof nodePoolDefaults

/** Per endpoint; further calls wait. */
const MAX_CONCURRENT_CALLS = 64
/** Memory limit of all responses from all endpoints at the same time, without those whose memory the caller has. */
const MAX_BYTES_IN_FLIGHT = 256 * 2 ** 20

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

type Pool = Ring & {
  options: NodePoolOptions
  settings: NodePoolSettings
  clock: Clock
  metrics: NodeMetrics
  health: NodeHealth
  signal: AbortSignal
  endpoints: readonly Endpoint[]
}

const createPool = (pool: Omit<Pool, keyof Ring>): Pool => ({
  ...pool,
  ...createRing({ ...pool, logger: pool.options.logger }),
})

const createEndpoints = (
  { options, settings, ...shared }: Omit<Pool, keyof Ring | 'endpoints'>,
  expectedChainId: () => string | undefined,
): Endpoint[] => {
  const { logger, urls, headers } = options
  const { metrics, health, clock } = shared
  const names = endpointNames(urls)
  const budget = createMemoryBudget(MAX_BYTES_IN_FLIGHT)
  const warnings = getRepeatedWarnings(logger)
  return urls.map((url, at) => {
    const name = names[at]!
    const rpc = new RpcClient({
      ...settings,
      maxConcurrentCalls: MAX_CONCURRENT_CALLS,
      url,
      headers: headers?.get(url),
      onRefused: ({ message: reason }) =>
        warnings.warn({
          key: `limited ${name}`,
          fields: { endpoint: name, reason },
          message: 'endpoint limits requests',
        }),
      onAnswer: (method, outcome) => metrics.requests.inc({ endpoint: name, method, outcome }),
      budget,
      clock,
    })
    health.track(name, rpc.pace.pausedMs)
    const { host } = new URL(url)
    return createEndpoint({ ...settings, ...shared, name, host, rpc, expectedChainId, logger })
  })
}

/** Of the next block of the log. */
const REQUIRED = ['HEIGHT_UNAVAILABLE', 'CHAIN_FORKED'] as const

/** An endpoint has this long for a range if another one may have the blocks. */
const RANGE_MS = 30_000

type Blocks = Pick<
  ChainNode,
  'latestHeight' | 'block' | 'blockRange' | 'header' | 'nextValidatorsHash' | 'trustedBlock'
>

const createBlocks = (pool: Pool, chainId: string): Blocks => {
  const { endpoints, options, settings, metrics, clock, signal, read } = pool
  const { selection, logger, fingerprint = () => '' } = options
  const servedBy = new WeakMap<Block, Endpoint>()
  const verifier = options.verifyHeaders
    ? createHeaderVerifier({ endpoints, hasDataSquares: options.hasDataSquares })
    : undefined
  const fetch = new BlockFetcher({ chainId, verifier, selection, clock, signal })
  const toleranceBlocks = settings.lagToleranceBlocks
  const shared = { endpoints, ring: pool, logger, metrics, signal, toleranceBlocks }
  const crossCheck = new CrossCheck({ ...shared, fingerprint, fetch })
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
  /** From one endpoint, which is asked again only if it limits requests. */
  const blockRange: ChainNode['blockRange'] = ({ from, to }, { signal: ofReader, ...ofRange }) => {
    const once = { budgetMs: RANGE_MS, isOnce: true, isSilent: true, signal: ofReader }
    return pool.repeat({ ...RANGE, ...once, height: to }, async (need) => {
      const endpoint = candidatesFor(endpoints, need).find(
        ({ known, windows }) => !(known.discardsResults || windows.block.lacks(from)),
      )
      if (!endpoint)
        throw new AppError('RPC_UNAVAILABLE', `no endpoint has height ${from}`, { retryable: true })
      const ending = linkedAbort(need.signal)
      const range = { from, to, ...ofRange, signal: ending.signal }
      const limits = endpoints.length === 1 ? {} : { withinMs: RANGE_MS }
      // What it sent before it refused a part.
      range.memory.settle(0)
      const ask = (each: Endpoint) => fetch.range(each, range)
      const asked = { ...need, ...limits, signal: ending.signal }
      try {
        const first = { endpoint, blocks: askOne(endpoint, asked, ask) }
        const reports = await crossCheck.checkRange(first, range)
        for (const { block, endpoint: by } of reports) servedBy.set(block, by)
        return reports.map(({ block }) => block)
      } finally {
        // A witness may still be asked.
        ending.abort()
        ending.unlink()
      }
    })
  }
  const claims = createClaims(pool)
  const latestHeight: ChainNode['latestHeight'] = async (patience) => {
    const ask = (each: Endpoint, { order }: Need) => fetch.latestHeight(each, order)
    return (await claims('tip', patience, ask)).best.latestHeight
  }
  const ofHeader = (height: number) => ({ kept: 'block', what: 'header', height }) as const
  const header: ChainNode['header'] = (height, patience = {}) =>
    read({ ...patience, ...ofHeader(height) }, (endpoint) => fetch.header(endpoint, height))
  const reads = { latestHeight, block, blockRange, header }
  if (!verifier) return reads
  const unlimited = { budgetMs: Number.POSITIVE_INFINITY }
  return {
    ...reads,
    nextValidatorsHash: (height, hash) =>
      read({ ...ofHeader(height), ...unlimited, waitsFor: ['CHAIN_FORKED'] }, (each) =>
        verifier.readNextValidators(each, { chainId, height, hash }),
      ).catch((error: unknown) => {
        if (hasCode(error, 'HEIGHT_UNAVAILABLE')) return null
        throw error
      }),
    trustedBlock: async (trusted, height) => {
      const from = Number(trusted.height)
      const refuse = (what: string, cause?: unknown) =>
        new AppError('CONFIG_INVALID', `TRUSTED_HEADER: ${what}`, { expose: true, cause })
      if (from > height)
        throw refuse(
          `height ${from} is after the first height, ${height}; expected an earlier header`,
        )
      return await read({ ...ofHeader(from), ...unlimited }, (each) =>
        verifier.readTrusted(each, { chainId, trusted, height }),
      ).catch((error: unknown) => {
        if (!hasCode(error, 'HEIGHT_UNAVAILABLE')) throw error
        const what = `no endpoint has the block of height ${from} any more; expected a later header`
        throw refuse(what, error)
      })
    },
  }
}

/** Nodes behind one URL may be so far apart: a claim that they do not have is no fault. */
const TOLERATED_LEAP = 10

type Claim<Found = { latestHeight: number }> = { endpoint: Endpoint; found: Found }

/** Whether an endpoint has a height that it claims. One that has not is lowered, and blamed for a large leap. */
const hasHeight = async (
  { endpoint, found: { latestHeight } }: Claim,
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
    endpoint.setTip(height - 1)
    if (latestHeight - height < TOLERATED_LEAP) return false
    const claim = `claims height ${latestHeight}, but does not have height ${height}`
    endpoint.note(invalidResponse(claim, error))
    return false
  }
}

/** The highest claim. One beyond all others counts only if its endpoint has the first height beyond them. */
const findBest = async <Found extends { latestHeight: number }>(
  claims: readonly Claim<Found>[],
  signal: AbortSignal | undefined,
): Promise<Found | undefined> => {
  const [first, second, ...others] = claims.toSorted(
    (a, b) => b.found.latestHeight - a.found.latestHeight,
  )
  if (!first || !second) return first?.found
  const next = second.found.latestHeight + 1
  if (first.found.latestHeight < next || (await hasHeight(first, next, signal))) return first.found
  return await findBest([second, ...others], signal)
}

/** Any endpoint answers it. */
const CHAIN = { kept: 'block', height: 0 } as const

/** Asks all endpoints at once, waits briefly for the slower ones, and returns the highest claim. */
const createClaims =
  ({ endpoints, settings, clock, health, repeat }: Pool) =>
  <Found extends { latestHeight: number }>(
    what: 'status' | 'tip',
    patience: Patience | undefined,
    ask: (endpoint: Endpoint, need: Need) => Promise<Found>,
  ): Promise<{ best: Found; all: readonly Found[] }> =>
    repeat({ ...patience, ...CHAIN, what, isSilent: true }, async (need) => {
      const claims: Claim<Found>[] = []
      const failures: EndpointFailure[] = []
      const over = new AbortController()
      const rested = endpoints.filter((endpoint) => !endpoint.isCooling())
      const requests = (rested.length > 0 ? rested : endpoints).map(async (endpoint) => {
        try {
          claims.push({ endpoint, found: await ask(endpoint, need) })
          endpoint.succeeded()
        } catch (error) {
          failures.push({ endpoint, error: endpoint.note(error) })
          throw error
        }
      })
      const grace = () => pause(settings.statusGraceMs, over.signal, clock)
      const all = Promise.allSettled(requests)
      await Promise.race([all, Promise.any(requests).then(grace, () => all)])
      over.abort()
      const best = await findBest([...claims], need.signal)
      if (!best) {
        const aborted = failures.find(({ error }) => error.code === 'ABORTED')
        throw aborted?.error ?? summarizeFailures(failures, endpoints, need)
      }
      for (const { name, known } of endpoints) {
        const isBehind =
          known.tip > 0 && known.tip < best.latestHeight - settings.lagToleranceBlocks
        const problem = `is at height ${known.tip}, the chain at height ${best.latestHeight}`
        health.setProblem(name, 'tip', isBehind ? problem : null)
      }
      return { best, all: claims.map(({ found }) => found) }
    })

const createStatus = (pool: Pool): ChainNode['status'] => {
  const claims = createClaims(pool)
  return async (patience) => {
    const { best, all } = await claims('status', patience, (each, { order }) => each.refresh(order))
    return { ...best, earliestHeight: Math.min(...all.map(({ earliestHeight }) => earliestHeight)) }
  }
}

const createReads = (pool: Pool, chainId: string) => ({
  status: createStatus(pool),
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
    const node = { chainId, ...createReads(alone, chainId) }
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
    ...createReads(pool, chainId),
    lightBlock: createLightBlocks(pool, chainId),
    background: createBackgroundReaders(pool, chainId),
    close,
  }
}
