// Writes one commit in the order that keeps readers right: rows, then watermarks, then the checkpoint.
// Waits for a store that is unavailable for as long as it takes; anything else it refuses is a bug, and thrown.
import type { Store } from '../infra/clickhouse/client.ts'
import type { Clock } from '../infra/runtime/clock.ts'
import type { Logger } from '../infra/runtime/logger.ts'
import { retry } from '../infra/runtime/retry.ts'
import { type CheckpointRow, TABLE } from './contract/read-model.ts'
import type { DrainedRows } from './models/governance-fold.ts'

export type Writer = {
  /** `checkpointRow` is asked for when all else is written. */
  commit(rows: DrainedRows, checkpointRow: () => Promise<CheckpointRow>): Promise<void>
  /** One attempt, for a heartbeat. */
  beat(row: CheckpointRow): Promise<void>
}

export type WriterOptions = {
  store: Store
  database: string
  log: Logger
  clock: Clock
  signal: AbortSignal
  retryMaxMs: number
  countRetry: () => void
}

const FIRST_PAUSE_MS = 50

export const createWriter = (options: WriterOptions): Writer => {
  const { store, database, log, clock, signal } = options
  const insert = (table: string, rows: readonly object[]): Promise<void> => {
    if (rows.length === 0) return Promise.resolve()
    return retry(() => store.insert(`${database}.${table}`, rows), {
      limit: Number.POSITIVE_INFINITY,
      budgetMs: Number.POSITIVE_INFINITY,
      baseDelayMs: FIRST_PAUSE_MS,
      maxDelayMs: options.retryMaxMs,
      signal,
      clock,
      onRetry({ attempt, delayMs, error }) {
        options.countRetry()
        log.warn({ table, attempt, delayMs, reason: error.message }, 'waited for the store')
      },
    })
  }
  return {
    async commit(rows, checkpointRow) {
      const { watermarks, alarms: _, ...tables } = rows
      await Promise.all(Object.entries(tables).map(([table, its]) => insert(table, its)))
      await insert(TABLE.watermarks, watermarks)
      await insert(TABLE.checkpoints, [await checkpointRow()])
    },
    beat: (row) => store.insert(`${database}.${TABLE.checkpoints}`, [row]),
  }
}
