// Ingest: follows the chain and appends every governance fact to the log. Connects the parts; contains no rules.

import type { Readiness } from '../infra/base/http/operators.ts'
import type { EventLog } from '../infra/base/log/event-log.ts'
import {
  handledLater,
  linkedAbort,
  onAbort,
  waitUntilSettled,
} from '../infra/base/runtime/abort.ts'
import { type Clock, systemClock } from '../infra/base/runtime/clock.ts'
import { AppError, hasCode } from '../infra/base/runtime/errors.ts'
import type { Logger } from '../infra/base/runtime/logger.ts'
import type { Metrics } from '../infra/base/runtime/metrics.ts'
import { createReading, type Reading } from './begin/reading.ts'
import {
  createNodeHealth,
  type NodeHealth,
  OTHER_HISTORY,
} from './comet/endpoints/endpoint-health.ts'
import type { BlockSource, ChainNode } from './comet/endpoints/node.ts'
import { createChainNode } from './comet/endpoints/node-pool.ts'
import { createWakeUp } from './comet/wake-up/wake-up.ts'
import { endpointOptions, type IngestConfig, outageAfter } from './config.ts'
import { readChainId } from './contract/envelope.ts'
import { governanceFingerprint } from './derive/derive.ts'
import { eventSelection } from './derive/event-selection.ts'
import { readTail, type Tail } from './heights/governance.ts'
import { createLimitations, type Limitations } from './heights/limitations.ts'
import { createIngestMetrics } from './ingest-metrics.ts'
import type { History } from './past-rounds/history.ts'
import { runPipeline } from './pipeline.ts'
import { createProgress, type IngestProgress } from './progress.ts'
import { describeDisagreements } from './proposals/open-proposals.ts'
import { createLiveReadings, type LiveReadings } from './rounds/live-readings.ts'
import { createBlockSource } from './source/block-source.ts'

export type IngestOptions = {
  config: IngestConfig
  log: EventLog
  logger: Logger
  metrics: Metrics
  clock?: Clock
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

const refuseOtherChain = (found: string, expected: string | undefined, whose: string) => {
  if (expected === undefined || expected === found) return
  throw new AppError('CHAIN_MISMATCH', `${whose} belongs to chain ${expected}, not to ${found}`, {
    expose: true,
  })
}

type Running = IngestOptions & { clock: Clock; signal: AbortSignal; health: NodeHealth }

const connect = async (options: Running, limitations: Limitations): Promise<ChainNode> => {
  const { config, logger, metrics, clock, signal, health } = options
  const { settings, ...endpoints } = endpointOptions(config)
  return await createChainNode({
    ...endpoints,
    // Its readers say how long they wait.
    settings: { ...settings, retryBudgetMs: 0, connectBudgetMs: Number.POSITIVE_INFINITY },
    ...(config.chainId === undefined ? {} : { chainId: config.chainId }),
    fingerprint: governanceFingerprint,
    selection: eventSelection,
    verifyHeaders: config.verifyHeaders,
    hasDataSquares: limitations.has('unverified_transactions'),
    logger,
    metrics,
    clock,
    health,
    signal,
  })
}

const createSource = (
  node: ChainNode,
  { config, logger, metrics, clock, signal, health }: Running,
  progress: Progress,
): BlockSource => {
  const latestHeight: ChainNode['latestHeight'] = async () => {
    // A poll fails only in an outage.
    const tip = await node.latestHeight({ budgetMs: outageAfter(config), signal })
    health.setPolled({ tip, indexed: progress.read().height })
    return tip
  }
  return createBlockSource({
    node: { ...node, latestHeight },
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
    pollMs: config.tipPollSeconds * 1000,
    trustedHeader: config.trustedHeader,
    logger,
    metrics,
    clock,
  })
}

/** Endpoints with old states, without those that are asked anyway. */
const connectArchive = async (
  { config, logger, metrics, clock, signal }: Running,
  chainId: string,
): Promise<ChainNode | undefined> => {
  const urls = (config.archiveUrls ?? []).filter((url) => !config.rpcUrls.includes(url))
  if (urls.length === 0 || config.history === 'off') return undefined
  const { settings, headers } = endpointOptions(config)
  return await createChainNode({
    urls,
    headers,
    settings,
    chainId,
    selection: eventSelection,
    logger,
    metrics,
    clock,
    signal,
  })
}

type Progress = ReturnType<typeof createProgress>

/** The state from the log, and what is shown of it. */
type State = {
  tail: Tail
  progress: Progress
  reading: Reading
  liveReadings: LiveReadings
  limitations: Limitations
  onHistory: (history: History) => void
  onConnected: () => void
}

const follow = async (
  options: Running,
  { node, ...state }: State & { node: ChainNode },
): Promise<void> => {
  const { config, logger, clock, signal } = options
  const { tail } = state
  refuseOtherChain(node.chainId, config.chainId, 'CHAIN_ID')
  if (tail.marker) refuseOtherChain(node.chainId, readChainId(tail.marker), 'the log')
  const archive = await connectArchive(options, node.chainId)
  const alone = node.background ?? [{ name: 'the endpoint', node }]
  try {
    await runPipeline({
      log: options.log,
      logger,
      clock,
      signal,
      ...state,
      config,
      metrics: createIngestMetrics(options.metrics),
      node,
      background: [...(archive?.background ?? []), ...alone],
      source: options.source ?? createSource(node, options, state.progress),
    })
  } finally {
    await archive?.close()
  }
}

const run = async (options: Running, state: State): Promise<void> => {
  const node = options.node ?? (await connect(options, state.limitations))
  state.onConnected()
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

/** An endpoint may be a few heights behind. */
const TOLERATED_LAG = 10

/** What was indexed since the poll shows that the endpoints are higher by now. */
const describeTooLow = (polled: NodeHealth['polled'], indexed: number): string | undefined => {
  if (!polled || polled.indexed !== indexed || polled.tip >= indexed - TOLERATED_LAG) return
  return `the endpoints are at height ${polled.tip}, below the indexed height ${indexed}: wait until they have caught up; ${OTHER_HISTORY}`
}

const describeWaiting = (problems: readonly string[]): string =>
  ['waiting for the chain', ...problems].join(': ')

export const startIngest = async (options: IngestOptions): Promise<RunningIngest> => {
  const { config, log, logger } = options
  const clock = options.clock ?? systemClock
  const tail = await readTail(log, logger)
  if (tail.marker) refuseOtherChain(readChainId(tail.marker), config.chainId, 'CHAIN_ID')
  const progress = createProgress(clock, tail.marker?.height ?? 0)
  const limitations = createLimitations(tail.marker, logger)
  const stopping = linkedAbort()
  const { signal } = stopping
  const liveReadings = createLiveReadings({
    open: tail.open,
    adopted: tail.marker?.data.adoptedRule ?? null,
    budgetMs: config.tallyReadBudgetSeconds * 1000,
    clock,
    signal,
    logger,
  })
  const reading = createReading({ logger, clock }, liveReadings)
  const health = createNodeHealth(clock)
  let history: History | undefined
  let isConnected = false
  const onHistory = (created: History) => {
    history = created
  }
  const onConnected = () => {
    isConnected = true
  }
  const state = {
    tail,
    progress,
    reading,
    liveReadings,
    limitations,
    onHistory,
    onConnected,
  }
  const running = run({ ...options, clock, signal, health }, state)
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
      const details = history ? { history: { text: history.describe() } } : {}
      const text = reading.describe()
      const facts = [...describeDisagreements(tail.open), ...limitations.describe()]
      const reasons = [...problems, ...(text === undefined ? [] : [text]), ...facts]
      const indexed = progress.read().height
      const tooLow = describeTooLow(health.polled, indexed)
      const now = tooLow ?? (isConnected ? text : describeWaiting(problems))
      const all = { ...details, ...(now === undefined ? {} : { reading: now }) }
      if (tooLow !== undefined) reasons.unshift(tooLow)
      if (indexed > 0) return { ready: ready && tooLow === undefined, reasons, details: all }
      return { ready: false, reasons: ['no height is indexed', ...reasons], details: all }
    },
    close: async () => {
      stopping.abort()
      await waitUntilSettled(done)
    },
  }
}
