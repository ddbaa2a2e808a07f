// Runs blocks through plan, concurrent reads and ordered events into the log, with a limit at every step.
import type { EventLog } from '../infra/log/event-log.ts'
import { linkedAbort } from '../infra/runtime/abort.ts'
import type { Clock } from '../infra/runtime/clock.ts'
import { hasCode } from '../infra/runtime/errors.ts'
import type { Logger } from '../infra/runtime/logger.ts'
import { handledLater } from '../infra/runtime/promises.ts'
import { isAbsent, isKnown, unavailable } from './chain/answer.ts'
import { withGovPackage } from './chain/gov-package.ts'
import type { GovPresence } from './chain/gov-presence.ts'
import { createRetriedNode } from './chain/retried-node.ts'
import { createStateAt, type StateAt } from './chain/state-at.ts'
import { findTallyStrategy } from './chain/tally-strategy.ts'
import { toEpochMs } from './chain/time.ts'
import { bytesOfBlock } from './comet/block.ts'
import type { BlockSource, ChainNode, ChainReader, SourcedBlock } from './comet/node.ts'
import type { IngestConfig } from './config.ts'
import type { TallyStrategy } from './contract/facts.ts'
import { createProofReads, type ProofReads, type ReadProofs } from './enrich/proof.ts'
import { type EnrichedHeight, enrich, type Finishing, findSchema, finish } from './enrich.ts'
import { raiseEventAlerts } from './event-alerts.ts'
import { createGovCheck, type GovCheck } from './gov-check.ts'
import type { IngestMetrics } from './ingest-metrics.ts'
import { applyHeight, type Limitations } from './limitations.ts'
import { applyToAll, type Tail } from './log-tail.ts'
import { createOrderedQueue, type OrderedQueue } from './ordered-queue.ts'
import { createPlanner } from './plan.ts'
import type { createProgress } from './progress.ts'
import { createProofEvents } from './proof-events.ts'
import { createPublisher, type Publisher } from './publish.ts'
import { createSchemaSource, type SchemaSource } from './schema/schema-source.ts'
import { createSchemaEvents } from './schema-events.ts'
import { type Snapshot, takeSnapshot } from './snapshot.ts'
import { findStartHeight, type StartSetting } from './start-height.ts'
import type { StateAnswer } from './state-check.ts'

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
  /** At the appended height. */
  limitations: Limitations
}

/** Limit of heights with running reads while an earlier height is not done. */
const MAX_HEIGHTS_AHEAD = 64

/** `signal` also fires when any part fails: then no other part waits for a node. */
type Bound = Omit<PipelineOptions, 'node'> & {
  node: ChainReader
  schemas: SchemaSource
  readProofs: ReadProofs
  govCheck: GovCheck
  strategy: Promise<TallyStrategy>
}

type Ready = EnrichedHeight & {
  snapshot: Snapshot | undefined
  proofs: ProofReads | undefined
  gov: GovPresence | undefined
}

/** So often a log begins at a newer height because its snapshot was pruned while it was read. */
const MAX_BEGINNINGS = 4

/** The first append of a log begins with a snapshot; all later facts build on it. One with holes may be refused. */
const beginLog = async (
  { node, schemas, tail, logger, strategy }: Bound,
  { block }: SourcedBlock,
  mayHaveHoles: boolean,
): Promise<Snapshot | undefined> => {
  const snapshot = await takeSnapshot(node, block, { schemas, strategy: await strategy })
  const { events, stateHeight, isPruned } = snapshot
  const { height } = block
  if (isPruned && !mayHaveHoles) {
    logger.warn({ height }, 'the state was pruned while it was read: begins again at the tip')
    return undefined
  }
  for (const event of events) {
    applyToAll(tail, event)
    tail.pending.applyEvent(event)
  }
  logger.info({ height, stateHeight, events: events.length }, 'took a snapshot')
  return snapshot
}

/** The height after the log's last height. An empty log begins at the configured height, if the node has it. */
const firstHeight = async (
  { node, tail: { marker }, logger }: Bound,
  setting: StartSetting,
): Promise<number> => {
  const from = marker ? marker.height + 1 : await findStartHeight(node, setting, logger)
  logger.info({ chainId: node.chainId, from, resumed: marker !== undefined }, 'started ingest')
  return from
}

/** A missing proposal differs from a missing state, and from one about which endpoints disagree. */
const toStateAnswer = async (after: StateAt, proposalId: string): Promise<StateAnswer> => {
  const answer = await after.proposal(proposalId)
  if (isKnown(answer)) return { value: answer.value.proposal }
  if (answer.absence === 'contradicted') return { contradicted: true }
  const isConfirmed = answer.absence === 'confirmed'
  return isAbsent(answer) ? { deleted: true, isConfirmed } : unavailable(answer.unavailable)
}

/** Open proposals, for the planner. */
const readStates = async (
  after: StateAt,
  proposalIds: ReadonlySet<string>,
): Promise<Map<string, StateAnswer>> =>
  new Map(
    await Promise.all(
      [...proposalIds].map(async (id) => [id, await toStateAnswer(after, id)] as const),
    ),
  )

/** Resolves to false if the snapshot has holes: the log may begin at a newer height instead. */
const produceFrom = async (
  options: Bound,
  queue: OrderedQueue<Ready>,
  { from, mayHaveHoles }: { from: number; mayHaveHoles: boolean },
): Promise<boolean> => {
  const { node, schemas, readProofs, govCheck, source, tail, signal, progress } = options
  const { marker } = tail
  const previousMs = marker ? toEpochMs(marker.time) : undefined
  const planner = createPlanner(tail.open, previousMs, tail.pending)
  let isFirst = marker === undefined
  const previousHash = marker?.data.hash ?? null
  const previousTime = marker?.time ?? null
  for await (const sourced of source.follow({ from, previousHash, previousTime, signal })) {
    progress.seen(sourced.tip)
    const { block } = sourced
    const snapshot = isFirst ? await beginLog(options, sourced, mayHaveHoles) : undefined
    if (isFirst && !snapshot) return false
    isFirst = false
    const presence = govCheck.read(block, snapshot?.stateHeight)
    const gov = presence && handledLater(presence)
    const draft = planner.draft(sourced)
    const after = createStateAt(node, block.height)
    // Later heights are planned with the answers, so that a restart plans them alike.
    const planned = planner.plan(draft, await readStates(after, draft.asks))
    const enriched = enrich(node, planned, { schemas, after })
    const reads = Promise.all([enriched, readProofs(planned), gov])
    const ready = reads.then(([height, proofs, gov]) => ({ ...height, proofs, gov, snapshot }))
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

const createFinishing = (bound: Bound, strategy: TallyStrategy): Finishing => {
  const { tail, schemas, config, clock, signal, logger, metrics } = bound
  const { observed, stakes, contexts } = tail
  return {
    observed,
    stakes,
    contexts,
    schemas,
    evidence: {
      strategy,
      budgetMs: config.tallyReadBudgetSeconds * 1000,
      clock,
      signal,
      logger,
      metrics,
    },
  }
}

const consume = async (
  bound: Bound,
  queue: OrderedQueue<Ready>,
  publisher: Publisher,
): Promise<void> => {
  const { logger, metrics, tail, limitations } = bound
  const finishing = createFinishing(bound, await bound.strategy)
  const schemaEvents = createSchemaEvents(tail.marker)
  const proofEvents = createProofEvents(tail.marker, { logger, metrics })
  for await (const { snapshot, proofs, gov, ...enriched } of queue.items()) {
    const { block, tip, openSince, foreignEvents = 0 } = enriched.plan
    const schema = findSchema(enriched) ?? snapshot?.schema
    const events = [
      ...(snapshot?.events ?? []),
      ...proofEvents.createEvents(block, proofs),
      ...schemaEvents.createEvents(block, schema),
      ...(await finish(enriched, finishing)),
    ]
    raiseEventAlerts(events, { logger, metrics })
    metrics.foreign.inc(foreignEvents)
    applyHeight(limitations, { block, gov, proofs, events })
    const hashes = { schemaHash: schemaEvents.hash(), validatorsHash: proofEvents.hash() }
    const limited = { limitations: limitations.list() }
    await publisher.add({ block, tip, openSince, ...hashes, ...limited, events })
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
  const retried = createRetriedNode(options.node, { maxConcurrentQueries, clock, logger, signal })
  const node = withGovPackage(retried, { clock, logger })
  const schemas = createSchemaSource({ node, clock, logger })
  const untilReachable = () => node.status()
  const readProofs = createProofReads({ node: options.node, untilReachable, clock, signal })
  const { marker } = options.tail
  const govCheck = createGovCheck({
    node: withGovPackage(options.node, { clock, logger }),
    isAbsent: options.limitations.has('no_gov'),
    previousMs: marker && toEpochMs(marker.time),
  })
  const strategy = findTallyStrategy(
    { node, upstream: retried },
    { setting: options.config.tallyStrategy, logger },
  )
  const bound = { ...options, signal, node, schemas, readProofs, govCheck, strategy }
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
  ])
  ending.unlink()
  if (fault !== undefined) throw fault
}
