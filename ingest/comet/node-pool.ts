// Implements `ChainNode` over several endpoints: tries the healthiest first, fails over, never mixes chains.
import { linkedAbort } from '../../infra/runtime/abort.ts'
import { systemClock } from '../../infra/runtime/clock.ts'
import { AppError, hasCode } from '../../infra/runtime/errors.ts'
import { askAllForStatus, askInTurn, isTimeout } from './ask-endpoints.ts'
import type { Block } from './block.ts'
import { createCrossCheck } from './cross-check.ts'
import type { Endpoint } from './endpoint.ts'
import { createBlockFetcher, findMismatch } from './fetch-block.ts'
import { createLightBlocks } from './light-block.ts'
import type { BlockOptions, ChainNode } from './node.ts'
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
import { createStateQueries } from './state-queries.ts'
import { createHeaderVerifier } from './verify-headers.ts'

/** Reads the chain of the first endpoint that answers. */
const askForChain = (endpoints: readonly Endpoint[]): Promise<string> =>
  askInTurn(
    endpoints,
    { kept: 'block', height: 0 },
    async (endpoint) => (await endpoint.refresh()).chainId,
  )

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
  const { selection } = options
  const fetchBlock = createBlockFetcher({ clock, signal, chainId, verifier, selection })
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
    const need = { kept: 'block', height } as const
    const round = () => untilBelieved(pool, need)(() => askInTurn(endpoints, need, ask))
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
