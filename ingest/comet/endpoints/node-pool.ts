// Implements `ChainNode` over several endpoints: tries the healthiest first, fails over, never mixes chains.
import { linkedAbort } from '../../../infra/base/runtime/abort.ts'
import { systemClock } from '../../../infra/base/runtime/clock.ts'
import { AppError, hasCode } from '../../../infra/base/runtime/errors.ts'
import type { Block } from '../blocks/block.ts'
import { type BlockFetcher, createBlockFetcher, findMismatch } from '../blocks/fetch-block.ts'
import { readHeader } from '../blocks/headers.ts'
import { createTxSearch } from '../blocks/tx-search.ts'
import { CrossCheck } from '../verification/cross-check.ts'
import { createLightBlocks } from '../verification/light-block.ts'
import { createHeaderVerifier } from '../verification/verify-headers.ts'
import { askAllForStatus, askInTurn, askOne, candidatesFor } from './ask-endpoints.ts'
import { inBackground } from './background.ts'
import type { Endpoint } from './endpoint.ts'
import type { BackgroundReader, ChainNode } from './node.ts'
import { createNodeHealth } from './node-health.ts'
import { createNodeMetrics } from './node-metrics.ts'
import {
  createEndpoints,
  type NodePoolOptions,
  nodePoolDefaults,
  type Pool,
  untilBelieved,
  type Within,
  withinBudget,
} from './pool.ts'
import { repeatRead } from './repeat-read.ts'
import { createStateQueries } from './state-queries.ts'

/** Reads the chain of the first endpoint that answers. */
const askForChain = (endpoints: readonly Endpoint[]): Promise<string> =>
  askInTurn(
    endpoints,
    { kept: 'block', height: 0 },
    async (endpoint) => (await endpoint.refresh()).chainId,
  )

/** Reports heights that cannot be read: at once if no repeat helps, else after the time of an outage. */
const createWaiting = ({ health, clock, settings }: Pool) => {
  const failedSinceMs = new Map<number, number>()
  return {
    failed: (height: number, error: unknown) => {
      if (hasCode(error, 'ABORTED')) return
      const sinceMs = failedSinceMs.get(height) ?? clock.now()
      failedSinceMs.set(height, sinceMs)
      const mayPass = error instanceof AppError && error.retryable
      if (mayPass && clock.now() - sinceMs < settings.outageAfterMs) return
      const reason = error instanceof Error ? error.message : error
      health.setWaiting(height, `height ${height} cannot be read: ${reason}`)
    },
    ended: (height: number) => {
      failedSinceMs.delete(height)
      health.setWaiting(height, null)
    },
  }
}

const createBlockRange =
  (
    { endpoints }: Pool,
    parts: {
      fetch: BlockFetcher
      crossCheck: CrossCheck
      servedBy: WeakMap<Block, Endpoint>
    },
  ): NonNullable<ChainNode['blockRange']> =>
  async ({ from, to }, ofRange) => {
    const { fetch, crossCheck, servedBy } = parts
    const need = { kept: 'block', height: to } as const
    const endpoint = candidatesFor(endpoints, need).find(
      ({ windows }) => !windows.block.lacks(from),
    )
    if (!endpoint)
      throw new AppError('RPC_UNAVAILABLE', `no endpoint has height ${from}`, { retryable: true })
    const ask = (each: Endpoint) => fetch.range(each, { from, to, ...ofRange })
    const first = { endpoint, blocks: askOne(endpoint, need, ask) }
    const reports = await crossCheck.checkRange(first, { from, to, ...ofRange })
    for (const { block, endpoint: by } of reports) servedBy.set(block, by)
    return reports.map(({ block }) => block)
  }

const createBlocks = (
  pool: Pool,
  chainId: string,
  within: Within,
): Pick<ChainNode, 'block' | 'blockRange' | 'nextValidatorsHash' | 'trustedBlock'> => {
  const { endpoints, options, settings, clock, metrics, health, signal } = pool
  const servedBy = new WeakMap<Block, Endpoint>()
  const verifier = options.verifyHeaders
    ? createHeaderVerifier({ endpoints, chainId, hasDataSquares: options.hasDataSquares })
    : undefined
  const { selection } = options
  const fetch = createBlockFetcher({ clock, signal, chainId, verifier, selection })
  const crossCheck = new CrossCheck({
    endpoints,
    clock,
    logger: options.logger,
    metrics,
    health,
    signal,
    fingerprint: options.fingerprint ?? (() => ''),
    fetch,
    graceMs: settings.crossCheckGraceMs,
    toleranceBlocks: settings.lagToleranceBlocks,
  })
  const waiting = createWaiting(pool)
  const read = async <T>(height: number, ask: (endpoint: Endpoint) => Promise<T>): Promise<T> => {
    const need = { kept: 'block', height } as const
    const round = () => untilBelieved(pool, need)(() => askInTurn(endpoints, need, ask))
    try {
      return await within(`block ${height}`, round)
    } catch (error) {
      waiting.failed(height, error)
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
      return { endpoint, block: await fetch.one(endpoint, { ...request, height }) }
    }
    const report = await read(height, ask)
    const { block, endpoint } = await crossCheck.check(report, request)
    waiting.ended(height)
    servedBy.set(block, endpoint)
    return block
  }
  const blockRange = createBlockRange(pool, { fetch, crossCheck, servedBy })
  if (!verifier) return { block, blockRange }
  const nextValidatorsHash = async (height: number, hash: string): Promise<string | null> => {
    const known = { chainId, height, hash }
    const found = await read(height, (each) => verifier.readNextValidators(each, known)).catch(
      (error: unknown) => {
        if (hasCode(error, 'HEIGHT_UNAVAILABLE')) return null
        throw error
      },
    )
    waiting.ended(height)
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
    waiting.ended(from)
    return found
  }
  return { block, blockRange, nextValidatorsHash, trustedBlock }
}

const createHeaders =
  (pool: Pool, chainId: string, within: Within): ChainNode['header'] =>
  (height) => {
    const need = { kept: 'block', height } as const
    const ask = (endpoint: Endpoint) => readHeader(endpoint, { chainId, height })
    const round = () => untilBelieved(pool, need)(() => askInTurn(pool.endpoints, need, ask))
    return within(`header ${height}`, round)
  }

/** All reads but the status. */
const createReads = (pool: Pool, chainId: string, within: Within) => ({
  ...createBlocks(pool, chainId, within),
  header: createHeaders(pool, chainId, within),
  searchTxs: createTxSearch(pool, within),
  ...createStateQueries(pool, within),
})

/** One reader for each endpoint: without a comparison, and without blame. */
const createBackgroundReaders = (pool: Pool, chainId: string): BackgroundReader[] =>
  pool.endpoints.map((endpoint) => {
    const options = { ...pool.options, verifyHeaders: false }
    const alone = {
      ...pool,
      options,
      health: createNodeHealth(),
      endpoints: [inBackground(endpoint)],
    }
    const within = withinBudget(alone)
    const status = { graceMs: 0, toleranceBlocks: Number.POSITIVE_INFINITY, clock: pool.clock }
    return {
      name: endpoint.name,
      node: {
        chainId,
        status: () => within('status', () => askAllForStatus(alone.endpoints, status)),
        ...createReads(alone, chainId, within),
      },
    }
  })

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
    chainId ??= await repeatRead('connect', () => askForChain(endpoints), {
      ...pool,
      logger: options.logger,
      budgetMs: settings.connectBudgetMs ?? settings.retryBudgetMs,
      // The fault of each endpoint is reported, and again each minute.
      onOutage: () => {},
    })
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
    status: () => within('status', () => askAllForStatus(endpoints, status)),
    ...createReads(pool, chainId, within),
    lightBlock: createLightBlocks(pool, chainId),
    background: createBackgroundReaders(pool, chainId),
    close,
  }
}
