// Runs blocks through plan, concurrent reads and ordered events into the log, with a limit at every step.
import type { EventLog } from '../infra/base/log/event-log.ts'
import { linkedAbort } from '../infra/base/runtime/abort.ts'
import type { Clock } from '../infra/base/runtime/clock.ts'
import { hasCode } from '../infra/base/runtime/errors.ts'
import type { Logger } from '../infra/base/runtime/logger.ts'
import type { Reading } from './begin/reading.ts'
import { beginLog, type Snapshot } from './begin/snapshot.ts'
import { findStartHeight, type StartSetting } from './begin/start-height.ts'
import { withGovPackage } from './chain/gov-package.ts'
import { createRetriedNode } from './chain/query.ts'
import { createStateAt, type RuledNode } from './chain/state-at.ts'
import { toEpochMs } from './chain/time.ts'
import { bytesOfBlock } from './comet/blocks/block.ts'
import type {
  BackgroundReader,
  BlockSource,
  ChainNode,
  ChainReader,
} from './comet/endpoints/node.ts'
import { type IngestConfig, outageAfter } from './config.ts'
import type { GovernanceEvent } from './contract/events.ts'
import type { AdoptedRule } from './contract/round-events.ts'
import { inOrder } from './derive/event-at.ts'
import type { Tail } from './heights/governance.ts'
import { readHeightEvents } from './heights/height-events.ts'
import { applyHeight, createModuleChecks, type Limitations } from './heights/limitations.ts'
import { createPlanner, type PlannedHeight } from './heights/plan.ts'
import type { IngestMetrics } from './ingest-metrics.ts'
import { createOrderedQueue, type OrderedQueue } from './ordered-queue.ts'
import { History } from './past-rounds/history.ts'
import type { createProgress } from './progress.ts'
import { createProofReads, type ProofReads, type ReadProofs } from './proofs/proof.ts'
import { createProofEvents } from './proofs/proof-events.ts'
import { readStates } from './proposals/state-check.ts'
import { raiseEventAlerts } from './publish/event-alerts.ts'
import { createPublisher, type Publisher } from './publish/publish.ts'
import type { ClosingOptions } from './rounds/closing.ts'
import type { LiveReadings } from './rounds/live-readings.ts'
import { createSchemaSource, type SchemaSource } from './schema/schema-source.ts'
import { createTallyRules, withTallyRules } from './tally-rules/find-rule.ts'

export type PipelineOptions = {
  config: IngestConfig
  log: EventLog
  logger: Logger
  metrics: IngestMetrics
  clock: Clock
  signal: AbortSignal
  node: ChainNode
  source: BlockSource
  tail: Tail
  progress: ReturnType<typeof createProgress>
  reading: Reading
  liveReadings: LiveReadings
  /** At the appended height. */
  limitations: Limitations
  /** Reads of old states, the first ones before the others; each yields to the tip. */
  background: readonly BackgroundReader[]
  onHistory(history: History): void
}

/** Limit of heights with running reads while an earlier height is not done. */
const MAX_HEIGHTS_AHEAD = 64

/** `signal` also fires when any part fails: then no other part waits for a node. */
type Bound = Omit<PipelineOptions, 'node'> & {
  node: ChainReader & RuledNode
  schemas: SchemaSource
  readProofs: ReadProofs
  checkModules: ReturnType<typeof createModuleChecks>
  history: History
  closing: ClosingOptions
}

type Ready = {
  plan: PlannedHeight
  events: readonly GovernanceEvent[]
  snapshot: Snapshot | undefined
  proofs: ProofReads | undefined
  /** The rule of tallies after the height. */
  tallies: { adoptedRule: AdoptedRule | undefined; isReported: boolean | undefined }
}

/** So often a log begins at a newer height because its snapshot was pruned while it was read. */
const MAX_BEGINNINGS = 4

/** The height after the log's last height. An empty log begins at the configured height, if the node has it. */
const firstHeight = async (bound: Bound, setting: StartSetting): Promise<number> => {
  const {
    node,
    tail: { marker },
    logger,
  } = bound
  const from = marker ? marker.height + 1 : await findStartHeight(bound, setting)
  logger.info({ chainId: node.chainId, from, resumed: marker !== undefined }, 'started ingest')
  return from
}

/** Resolves to false if the snapshot has holes: the log may begin at a newer height instead. */
const produceFrom = async (
  options: Bound,
  queue: OrderedQueue<Ready>,
  { from, mayHaveHoles }: { from: number; mayHaveHoles: boolean },
): Promise<boolean> => {
  const { node, schemas, readProofs, source, tail, signal, progress } = options
  const { liveReadings, closing } = options
  const { marker } = tail
  const previousMs = marker ? toEpochMs(marker.time) : undefined
  const plan = createPlanner(tail, previousMs)
  let isFirst = marker === undefined
  const previousHash = marker?.data.hash ?? null
  const previousTime = marker?.time ?? null
  for await (const sourced of source.follow({ from, previousHash, previousTime, signal })) {
    progress.seen(sourced.tip)
    const { block } = sourced
    const snapshot = isFirst ? await beginLog(options, sourced, mayHaveHoles) : undefined
    if (isFirst && !snapshot) return false
    isFirst = false
    const after = createStateAt(node, block.height)
    // Later heights are planned with the answers.
    const planned = await plan(sourced, (asks) => readStates(node, after, asks))
    // The votes of the next height change what is open: at the tip it waits for the readings.
    const readings = await liveReadings.read(planned, after)
    const tallies = {
      adoptedRule: liveReadings.adopted() ?? undefined,
      isReported: liveReadings.isReported(),
    }
    const reads = Promise.all([
      readHeightEvents(node, planned, { schemas, after, closing, readings }),
      readProofs(planned),
    ])
    const ready = reads.then(([events, proofs]) => ({
      events,
      plan: planned,
      proofs,
      snapshot,
      tallies,
    }))
    await queue.push(ready, bytesOfBlock(planned.block))
  }
  return true
}

const produce = async (options: Bound, queue: OrderedQueue<Ready>): Promise<void> => {
  for (let beginnings = 1; ; beginnings++) {
    const setting = beginnings === 1 ? options.config.startHeight : 'tip'
    const from = await firstHeight(options, setting)
    const mayHaveHoles = beginnings === MAX_BEGINNINGS
    if (await produceFrom(options, queue, { from, mayHaveHoles })) return
  }
}

const createClosing = (options: PipelineOptions, signal: AbortSignal): ClosingOptions => {
  const { config, liveReadings, clock, logger, metrics } = options
  const budgetMs = config.tallyReadBudgetSeconds * 1000
  return { ruleOf: (shown) => liveReadings.ruleOf(shown), budgetMs, clock, signal, logger, metrics }
}

const consume = async (
  bound: Bound,
  queue: OrderedQueue<Ready>,
  publisher: Publisher,
): Promise<void> => {
  const { checkModules, logger, metrics, tail, limitations, history, reading } = bound
  const proofEvents = createProofEvents(tail.marker, { logger, metrics })
  for await (const { plan, snapshot, proofs, tallies, events: own } of queue.items()) {
    const { block, tip, openSince } = plan
    const events = [
      ...(snapshot?.events ?? []),
      ...proofEvents.createEvents(block, proofs),
      ...inOrder([...own, ...history.takeEvents(block)]),
    ]
    raiseEventAlerts(events, { logger, metrics })
    const { isReported, adoptedRule } = tallies
    applyHeight(limitations, { block, ...(await checkModules(block)), proofs, events, isReported })
    const known = {
      validatorsHash: proofEvents.hash(),
      limitations: limitations.list(),
      history: history.member(),
      adoptedRule,
    }
    reading.log()
    await publisher.add({ block, tip, openSince, ...known, events })
  }
}

const bindPublisher = (options: Bound): Publisher => {
  const { config, tail, log, logger, metrics, clock, signal, progress } = options
  return createPublisher({
    log,
    logger,
    metrics,
    clock,
    signal,
    liveMarkerMs: config.liveMarkerSeconds * 1000,
    maxBatchHeights: config.maxBatchHeights,
    maxBatchBytes: config.maxBatchMebibytes * 2 ** 20,
    appended: tail.marker?.height ?? -1,
    onAppended: (batch) => {
      metrics.heights.inc(batch.heights)
      metrics.lag.set(batch.tip - batch.height)
      progress.appended(batch)
      logger.debug({ height: batch.height, heights: batch.heights }, 'appended heights')
    },
  })
}

/** Ends when aborted; throws the first error of any part, after all parts have ended. */
export const runPipeline = async (options: PipelineOptions): Promise<void> => {
  const ending = linkedAbort(options.signal)
  const { signal } = ending
  const { maxConcurrentQueries } = options.config
  const { clock, logger } = options
  const reading = { maxConcurrentQueries, signal }
  const retried = createRetriedNode(options.node, reading)
  const budgetMs = outageAfter(options.config)
  const brief = createRetriedNode(options.node, { ...reading, budgetMs })
  const found = withGovPackage(retried, { clock, logger })
  const { tallyStrategy: setting } = options.config
  const rules = createTallyRules({ node: found, upstream: retried, setting, logger })
  const node = withTallyRules(found, rules)
  const schemas = createSchemaSource({ node, clock, logger })
  const untilReachable = () => node.status()
  const readProofs = createProofReads({ node: options.node, untilReachable, clock, signal })
  const { limitations } = options
  const checkModules = createModuleChecks({ node: brief, limitations, clock, logger })
  const reads = { ...options, signal, schemas, rules }
  const history = new History(reads)
  options.onHistory(history)
  const closing = createClosing(options, signal)
  const bound = { ...reads, node, readProofs, checkModules, history, closing }
  const queue = createOrderedQueue<Ready>({
    items: MAX_HEIGHTS_AHEAD,
    bytes: options.config.prefetchMebibytes * 2 ** 20,
  })
  const publisher = bindPublisher(bound)
  let fault: unknown
  const part = async (work: Promise<void>): Promise<void> => {
    try {
      await work
    } catch (error) {
      if (!hasCode(error, 'ABORTED')) fault ??= error
      ending.abort()
    }
  }
  const producing = produce(bound, queue).then(
    () => queue.end(),
    (error: unknown) => {
      queue.end(error)
      throw error
    },
  )
  await Promise.all([
    part(producing),
    part(consume(bound, queue, publisher)),
    part(publisher.tick()),
    part(history.run()),
  ])
  ending.unlink()
  if (fault !== undefined) throw fault
}
