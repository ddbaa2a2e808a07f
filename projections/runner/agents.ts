// Follows the log of agents into the tables of one generation, from its own checkpoint. Its failures do not affect the governance
// projections: it restarts from its last commit.
import { decodeAgentEvent } from '../../auth/contract/agent-codec.ts'
import type { Store } from '../../infra/base/clickhouse/client.ts'
import type { EventLog, LogRecord } from '../../infra/base/log/event-log.ts'
import type { Clock } from '../../infra/base/runtime/clock.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { policies } from '../../infra/base/runtime/policies.ts'
import { withDeadline } from '../../infra/base/runtime/retry.ts'
import { supervise } from '../../infra/base/runtime/supervise.ts'
import { readCheckpoint } from '../contract/checkpoints.ts'
import { AGENT_RUNNER } from '../contract/database.ts'
import type { Table } from '../contract/table/define-table.ts'
import { TABLES } from '../contract/tables.ts'
import { type AgentFold, type AgentRows, createAgentFold } from '../fold/agent-fold.ts'
import { checkpointRow } from './checkpoint.ts'
import { followLog, type LogPosition } from './follow-log.ts'

export type AgentRunnerOptions = {
  /** The log `rollcall.agents`. */
  log: Pick<EventLog, 'read' | 'end'>
  store: Store
  database: string
  logger: Logger
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

const applyRecord = (fold: AgentFold, { offset, value }: LogRecord, logger: Logger): void => {
  const decoded = decodeAgentEvent(value)
  if (decoded.ok) fold.apply(decoded.event, offset)
  else logger.error({ offset: String(offset), reason: decoded.reason }, 'skipped an agent record')
}

const commit = async ({ rows, at }: AgentBatch, options: AgentRunnerOptions): Promise<void> => {
  const { store, database, clock, log } = options
  const { claims, revocations } = rows
  const insert = async (table: Table, its: readonly object[]) => {
    if (its.length > 0) await store.insert(`${database}.${table.name}`, its.map(table.encode))
  }
  await insert(TABLES.claims, claims)
  await insert(TABLES.revocations, revocations)
  const lag = { logEnd: await log.end(), oldestWaitingSinceMs: undefined }
  const written = { projection: AGENT_RUNNER, nowMs: clock.now() }
  const row = checkpointRow({ ...NO_HEIGHT, ...at }, lag, written)
  await insert(TABLES.checkpoints, [row])
}

const follow = (options: AgentRunnerOptions, onRead: () => void): Promise<void> => {
  const { store, database, log, logger, clock, signal, batchRecords = BATCH_RECORDS } = options
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
        for (const record of records) applyRecord(fold, record, logger)
        nextOffset = (records.at(-1)?.offset ?? -1n) + 1n
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
      write: (batch) => call(() => commit(batch, options)),
    },
    limits: { maxRecords: batchRecords, maxBytes: MAX_BYTES },
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
