// Projects one generation: the governance log and the log of agents, each from its own checkpoint, into its own tables.
import type { Store } from '../../infra/base/clickhouse/client.ts'
import type { EventLog } from '../../infra/base/log/event-log.ts'
import { linkedAbort } from '../../infra/base/runtime/abort.ts'
import type { Clock } from '../../infra/base/runtime/clock.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { policies } from '../../infra/base/runtime/policies.ts'
import { handledLater, waitUntilSettled } from '../../infra/base/runtime/promises.ts'
import { retry, withRetries } from '../../infra/base/runtime/retry.ts'
import type { ProjectionsConfig } from '../config.ts'
import { readCheckpoint } from '../contract/checkpoints.ts'
import { RUNNER, toDatabaseName } from '../contract/database.ts'
import { readStopped } from '../contract/stopped-proposals.ts'
import { type ProjectionMetrics, whenActive } from '../projection-metrics.ts'
import { followAgents } from './agents.ts'
import { readClosedProposals } from './checkpoint.ts'
import { Governance } from './governance.ts'
import { GovernanceWriter } from './governance-writer.ts'
import { Writer } from './writer.ts'

export type GenerationOptions = {
  config: ProjectionsConfig
  log: EventLog
  store: Store
  logger: Logger
  metrics: ProjectionMetrics
  clock: Clock
  control: string
  /** The signal of the projections: ends this runner too. */
  signal: AbortSignal
  /** The log of agents, if there is one. */
  agentsLog?: EventLog
  /** Whether it is the served generation: only that one is measured. */
  isActive: () => boolean
}

const readStart = async (store: Store, database: string) => {
  const start = await readCheckpoint(store, database, { projection: RUNNER })
  const closed = start ? await readClosedProposals(store, database, start) : []
  const stopped = start ? await readStopped(store, database) : new Map<string, string>()
  return { start, closed, stopped }
}

export type GenerationRunner = {
  generation: number
  governance: Governance
  /** Resolves after `stop`; rejects if this generation cannot continue. */
  done: Promise<void>
  stop(): Promise<void>
}

export async function startGeneration(
  generation: number,
  options: GenerationOptions,
): Promise<GenerationRunner> {
  const { config, store, clock, signal, agentsLog } = options
  const logger = options.logger.child({ generation })
  const database = toDatabaseName(generation, options.control)
  const retryMaxMs = config.storeRetryMaxMs
  const reading = { ...policies.readStart(retryMaxMs), signal, clock }
  const { start, closed, stopped } = await retry(() => readStart(store, database), reading)
  const controller = linkedAbort(signal)
  const metrics = whenActive(options.metrics, options.isActive)
  const common = { store, database, logger, metrics, clock, signal: controller.signal }
  const writer = new Writer({ ...common, retryMaxMs })
  const retrying = { ...policies.logCall, signal: controller.signal, clock }
  const log = {
    // A change of brokers ends nothing.
    ...withRetries(options.log, ['read', 'end', 'offsetOfHeight'], retrying),
    // A failed wait only ends earlier.
    waitFor: options.log.waitFor.bind(options.log),
  }
  const governance = new Governance({
    ...common,
    config,
    log,
    controller,
    start,
    closed,
    writer: new GovernanceWriter(writer, stopped),
  })
  logger.info({ height: start?.height }, 'started projections')
  const paceMs = config.heartbeatMs
  const agents = agentsLog
    ? followAgents({ ...common, writer, log: agentsLog, paceMs })
    : Promise.resolve()
  const run = async () => {
    // A defect of either ends both.
    agents.catch(() => controller.abort())
    try {
      await governance.run()
      await agents
    } finally {
      controller.abort()
      await waitUntilSettled(agents)
      controller.unlink()
    }
  }
  const done = handledLater(run())
  return {
    generation,
    governance,
    done,
    stop: async () => {
      controller.abort()
      await waitUntilSettled(done)
    },
  }
}
