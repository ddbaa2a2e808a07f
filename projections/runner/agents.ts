// Follows the log of agents into the tables of one generation, from its own checkpoint. If that log fails, it restarts from its last
// commit, and the governance projections go on.
import { decodeAgentEvent } from '../../auth/contract/agent-codec.ts'
import type { Store } from '../../infra/base/clickhouse/client.ts'
import type { EventLog } from '../../infra/base/log/event-log.ts'
import type { Clock } from '../../infra/base/runtime/clock.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { policies } from '../../infra/base/runtime/policies.ts'
import { withDeadline } from '../../infra/base/runtime/retry.ts'
import { supervise } from '../../infra/base/runtime/supervise.ts'
import { readCheckpoint } from '../contract/checkpoints.ts'
import { AGENT_RUNNER } from '../contract/database.ts'
import { TABLES } from '../contract/tables.ts'
import { type AgentRows, createAgentFold } from '../fold/agent-fold.ts'
import type { ProjectionMetrics } from '../projection-metrics.ts'
import { checkpointRow } from './checkpoint.ts'
import { followLog, type LogPosition } from './follow-log.ts'
import type { Writer } from './writer.ts'

export type AgentRunnerOptions = {
  /** The log `rollcall.agents`. */
  log: Pick<EventLog, 'read' | 'end'>
  store: Store
  database: string
  writer: Writer
  logger: Logger
  metrics: Pick<ProjectionMetrics, 'undecodableRecords'>
  clock: Clock
  signal: AbortSignal
  /** Interval of reads at the end of the log. */
  paceMs: number
  /** Limit of records in one commit. */
  batchRecords?: number
}

type AgentBatch = { rows: AgentRows; at: LogPosition }

const BATCH_RECORDS = 1_000
const MAX_BYTES = 2 * 1024 * 1024
const CALL_MS = 30_000

/** Columns without a meaning in a log without heights. */
const NO_HEIGHT = { chainId: '', height: 0, time: '', tip: 0, limitations: [], history: null }

const commit = async ({ rows, at }: AgentBatch, options: AgentRunnerOptions): Promise<void> => {
  const { writer, clock, log } = options
  const { claims, revocations } = TABLES
  await writer.insert(claims, writer.check(claims, rows.claims).rows)
  await writer.insert(revocations, writer.check(revocations, rows.revocations).rows)
  const lag = { logEnd: await log.end(), oldestWaitingSinceMs: undefined }
  const written = { projection: AGENT_RUNNER, nowMs: clock.now() }
  await writer.writeCheckpoint(checkpointRow({ ...NO_HEIGHT, ...at }, lag, written))
}

const follow = (options: AgentRunnerOptions, onRead: () => void): Promise<void> => {
  const { store, database, log, logger, metrics, clock, signal } = options
  const call = <T>(operation: () => Promise<T>) => withDeadline(CALL_MS, signal, operation)
  const fold = createAgentFold()
  let nextOffset = 0n
  return followLog<AgentBatch>({
    logName: 'the log of agents',
    log: {
      read: async (from, limits) => {
        const records = await call(() => log.read(from, limits))
        onRead()
        return records
      },
      end: () => call(() => log.end()),
      waitFor: () => clock.sleep(options.paceMs, signal),
    },
    // Every record is its own unit.
    fold: {
      apply: async (records) => {
        for (const { offset, value } of records) {
          nextOffset = offset + 1n
          const decoded = decodeAgentEvent(value)
          if (decoded.ok) {
            fold.apply(decoded.event, offset)
            continue
          }
          metrics.undecodableRecords(1)
          const { reason } = decoded
          logger.error({ offset: String(offset), reason }, 'could not decode a record of agents')
        }
        return records.length
      },
      take: async () => {
        const rows = fold.drain()
        return { rows, at: { nextOffset, refoldOffset: fold.firstOffset() ?? nextOffset } }
      },
      discard: () => void fold.drain(),
    },
    checkpoint: {
      read: () => call(() => readCheckpoint(store, database, { projection: AGENT_RUNNER })),
      write: (batch) => commit(batch, options),
    },
    limits: { maxRecords: options.batchRecords ?? BATCH_RECORDS, maxBytes: MAX_BYTES },
    signal,
  })
}

/** Runs until the signal fires; rejects only with a defect. */
export const followAgents = (options: AgentRunnerOptions): Promise<void> => {
  const { logger, clock, signal } = options
  return supervise((works) => follow(options, works), {
    policy: policies.projectAgents,
    signal,
    clock,
    onFailure: (error, failures) => {
      if (failures === 1) logger.warn({ error }, 'could not follow the log of agents')
    },
  })
}
