// Ingest: follows the chain and appends every governance fact to the log. Connects the parts; contains no rules.
import type { EventLog } from '../infra/log/event-log.ts'
import { linkedAbort, onAbort } from '../infra/runtime/abort.ts'
import { type Clock, systemClock } from '../infra/runtime/clock.ts'
import { AppError, hasCode } from '../infra/runtime/errors.ts'
import type { Logger } from '../infra/runtime/logger.ts'
import type { Metrics } from '../infra/runtime/metrics.ts'
import type { Readiness } from '../infra/runtime/operators-server.ts'
import { policies } from '../infra/runtime/policies.ts'
import { handledLater, waitUntilSettled } from '../infra/runtime/promises.ts'
import { retry, withDeadline } from '../infra/runtime/retry.ts'
import { logRetry } from './chain/retried-node.ts'
import { createLargeReads } from './comet/large-reads.ts'
import type { BlockSource, ChainNode } from './comet/node.ts'
import { createNodeHealth, type NodeHealth } from './comet/node-health.ts'
import { createChainNode } from './comet/node-pool.ts'
import { createWakeUp } from './comet/wake-up.ts'
import { endpointOptions, type IngestConfig } from './config.ts'
import { readChainId } from './contract/envelope.ts'
import { eventSelection } from './derive/event-selection.ts'
import { governanceFingerprint } from './derive/fingerprint.ts'
import { createIngestMetrics } from './ingest-metrics.ts'
import { createLimitations, type Limitations } from './limitations.ts'
import { readTail, type Tail } from './log-tail.ts'
import { describeDisagreements } from './open-proposals.ts'
import { runPipeline } from './pipeline.ts'
import { createProgress, type IngestProgress } from './progress.ts'
import { createAddressCheck } from './rpc-address/address-check.ts'
import { createBlockSource } from './source/block-source.ts'

export type IngestOptions = {
  config: IngestConfig
  log: EventLog
  logger: Logger
  metrics: Metrics
  clock?: Clock
  /** Names the endpoints whose large responses are being parsed, for the next start. */
  largeReadsFile?: string
  /** Replaces the configured endpoints; the caller closes it. */
  node?: ChainNode
  source?: BlockSource
}

export type RunningIngest = {
  /** Resolves after `close`; rejects with a permanent error, for example `CHAIN_MISMATCH`. */
  done: Promise<void>
  progress(): IngestProgress
  /** May have reasons while ready: ingest works, but an operator should know them. */
  readiness(): Readiness
  close(): Promise<void>
}

/** Additional time beyond the node pool's own budget to find the chain. */
const CONNECT_SLACK_MS = 10_000

const refuseOtherChain = (found: string, expected: string | undefined, whose: string) => {
  if (expected === undefined || expected === found) return
  throw new AppError('CHAIN_MISMATCH', `${whose} belongs to chain ${expected}, not to ${found}`, {
    expose: true,
  })
}

type Running = IngestOptions & { clock: Clock; signal: AbortSignal; health: NodeHealth }

const connect = async (options: Running, limitations: Limitations): Promise<ChainNode> => {
  const { config, logger, metrics, clock, signal } = options
  const check = createAddressCheck({ ...options, urls: config.rpcUrls })
  const retryBudgetMs = config.rpcRetryBudgetSeconds * 1000
  const largeReads = createLargeReads(options.largeReadsFile)
  const create = (until: AbortSignal) =>
    createChainNode({
      ...endpointOptions(config),
      ...(config.chainId === undefined ? {} : { chainId: config.chainId }),
      fingerprint: governanceFingerprint,
      selection: eventSelection,
      largeReads,
      verifyHeaders: config.verifyHeaders,
      hasDataSquares: limitations.has('unverified_transactions'),
      logger,
      metrics,
      clock,
      health: check.health,
      signal: until,
    })
  const once = () => withDeadline(retryBudgetMs + CONNECT_SLACK_MS, signal, create)
  const node = await retry(once, {
    ...policies.chainRead,
    signal,
    clock,
    onRetry: (notice) => logRetry(logger, 'connect', notice),
  })
  check.end()
  return node
}

const createSource = (
  node: ChainNode,
  { config, logger, metrics, clock, health }: Running,
): BlockSource =>
  createBlockSource({
    node,
    wakeUp: createWakeUp({
      urls: config.rpcUrls,
      headers: config.rpcHeaders,
      chainId: node.chainId,
      logger,
      metrics,
      health,
      clock,
    }),
    prefetch: { blocks: config.prefetchBlocks, bytes: config.prefetchMebibytes * 2 ** 20 },
    pollMs: config.statusPollSeconds * 1000,
    trustedHeader: config.trustedHeader,
    logger,
    metrics,
    clock,
  })

type Progress = ReturnType<typeof createProgress>

/** The state from the log, and what is shown of it. */
type State = { tail: Tail; progress: Progress; limitations: Limitations }

const follow = async (
  options: Running,
  { node, ...state }: State & { node: ChainNode },
): Promise<void> => {
  const { config, logger, clock, signal } = options
  const { tail } = state
  refuseOtherChain(node.chainId, config.chainId, 'CHAIN_ID')
  if (tail.marker) refuseOtherChain(node.chainId, readChainId(tail.marker), 'the log')
  await runPipeline({
    log: options.log,
    logger,
    clock,
    signal,
    ...state,
    config,
    metrics: createIngestMetrics(options.metrics),
    node,
    source: options.source ?? createSource(node, options),
  })
}

const run = async (options: Running, state: State): Promise<void> => {
  const node = options.node ?? (await connect(options, state.limitations))
  let closed: Promise<void> | undefined
  const closeOwn = () => {
    if (!options.node) closed ??= handledLater(node.close())
  }
  // Aborts first, so that running calls end too.
  const unlink = onAbort(options.signal, closeOwn)
  try {
    await follow(options, { node, ...state })
  } finally {
    unlink()
    closeOwn()
    await closed
  }
}

export const startIngest = async (options: IngestOptions): Promise<RunningIngest> => {
  const { config, log, logger } = options
  const clock = options.clock ?? systemClock
  const tail = await readTail(log, logger)
  if (tail.marker) refuseOtherChain(readChainId(tail.marker), config.chainId, 'CHAIN_ID')
  const progress = createProgress(clock, tail.marker?.height ?? 0)
  const limitations = createLimitations(tail.marker, logger)
  const stopping = linkedAbort()
  const { signal } = stopping
  const health = createNodeHealth()
  const running = run({ ...options, clock, signal, health }, { tail, progress, limitations })
  const done = handledLater(
    running.catch((error: unknown) => {
      if (!(signal.aborted && hasCode(error, 'ABORTED'))) throw error
    }),
  )
  return {
    done,
    progress: progress.read,
    readiness: () => {
      const { ready, reasons: problems } = health.readiness()
      const facts = [...describeDisagreements(tail.open), ...limitations.describe()]
      const reasons = [...problems, ...facts]
      if (progress.read().height > 0) return { ready, reasons }
      return { ready: false, reasons: ['no height is indexed', ...reasons] }
    },
    close: async () => {
      stopping.abort()
      await waitUntilSettled(done)
    },
  }
}
