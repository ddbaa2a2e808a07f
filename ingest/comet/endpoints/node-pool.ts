// Implements `ChainNode` over several endpoints: tries the healthiest first, fails over, never mixes chains.
import { linkedAbort } from '../../../infra/base/runtime/abort.ts'
import { systemClock } from '../../../infra/base/runtime/clock.ts'
import { AppError, hasCode } from '../../../infra/base/runtime/errors.ts'
import type { Block } from '../blocks/block.ts'
import { type BlockFetcher, createBlockFetcher, findMismatch } from '../blocks/fetch-block.ts'
import { CrossCheck } from '../verification/cross-check.ts'
import { createLightBlocks } from '../verification/light-block.ts'
import { createHeaderVerifier } from '../verification/verify-headers.ts'
import { askAllForStatus, askOne, candidatesFor, RANGE } from './ask-endpoints.ts'
import { type Endpoint, inBackground } from './endpoint.ts'
import { createNodeHealth, createNodeMetrics } from './endpoint-health.ts'
import type { BackgroundReader, ChainNode } from './node.ts'
import { createEndpoints, type NodePoolOptions, nodePoolDefaults, type Pool } from './pool.ts'
import { createRing, type Ring } from './ring.ts'
import { createStateQueries, createTxSearch } from './state-queries.ts'

/** Any endpoint answers it. */
const CHAIN = { kept: 'block', height: 0 } as const

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

/** One attempt at one endpoint. */
const createBlockRange =
  ({ endpoints, repeat }: Pool, parts: BlockParts): NonNullable<ChainNode['blockRange']> =>
  ({ from, to }, { signal: readerSignal, ...ofRange }) => {
    const { fetch, crossCheck, servedBy } = parts
    const isAlone = endpoints.length === 1
    const read = { ...RANGE, height: to, budgetMs: 0, isOnce: true, isSilent: true }
    return repeat({ ...read, signal: readerSignal }, async (need) => {
      const endpoint = candidatesFor(endpoints, need).find(
        ({ known, windows }) => !(known.discardsResults || windows.block.lacks(from)),
      )
      if (!endpoint)
        throw new AppError('RPC_UNAVAILABLE', `no endpoint has height ${from}`, { retryable: true })
      const ending = linkedAbort(need.signal)
      const { signal } = ending
      const range = { from, to, ...ofRange }
      const limits = isAlone ? { isPatient: true } : { withinMs: RANGE_MS }
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
  const { endpoints, options, settings, clock, metrics, signal, read } = pool
  const servedBy = new WeakMap<Block, Endpoint>()
  const verifier = options.verifyHeaders
    ? createHeaderVerifier({ endpoints, hasDataSquares: options.hasDataSquares })
    : undefined
  const { selection } = options
  const fetch = createBlockFetcher({ clock, signal, chainId, verifier, selection })
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

const createReads = (pool: Pool, chainId: string) => ({
  ...createBlocks(pool, chainId),
  searchTxs: createTxSearch(pool),
  ...createStateQueries(pool),
})

/** `isAlone`: no other endpoint is waited for. */
const createStatus =
  ({ endpoints, settings, clock, repeat }: Pool, isAlone = false): ChainNode['status'] =>
  (patience = {}) => {
    const status = {
      graceMs: isAlone ? 0 : settings.statusGraceMs,
      toleranceBlocks: isAlone ? Number.POSITIVE_INFINITY : settings.lagToleranceBlocks,
      clock,
    }
    return repeat({ ...patience, ...CHAIN, what: 'status', isSilent: true }, ({ order, signal }) =>
      askAllForStatus(endpoints, { ...status, order, signal }),
    )
  }

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
