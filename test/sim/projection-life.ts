// Simulates restarts of the projections: each life ends by death, failure or at the end of the log.
import type { Store } from '../../infra/base/clickhouse/client.ts'
import type { EventLog } from '../../infra/base/log/event-log.ts'
import { AppError } from '../../infra/base/runtime/errors.ts'
import type { ProjectionsConfig } from '../../projections/config.ts'
import { startForTest } from '../support/fold/run-projections.ts'
import { createLife, type Life } from './life.ts'

export type ProjectionEnd = 'died' | 'caught up' | AppError

/** Small commits, so that a small log has many points of death. */
export const SMALL_COMMITS = { batchEvents: 20, storeRetryMaxMs: 20, heartbeatMs: 50 }

export type ProjectionLife = {
  log: EventLog
  store: Store
  life?: Pick<Life, 'died'>
  config?: Partial<ProjectionsConfig>
  control?: string
  /** The last offset; by default the current end of the log. */
  end?: bigint
}

/** Resolves with the end of this life. Unexpected errors are thrown. */
export const liveProjections = async (options: ProjectionLife): Promise<ProjectionEnd> => {
  const { log, store, life = createLife(), config = SMALL_COMMITS, control } = options
  let isDead = false
  void life.died.then(() => {
    isDead = true
  })
  const living = async (): Promise<ProjectionEnd> => {
    const end = options.end ?? (await log.end())
    const projections = await startForTest(log, store, config, control ? { control } : {})
    let fault: unknown
    const failed = projections.done.catch((error: unknown) => {
      fault = error
    })
    const isOver = () => fault !== undefined || projections.progress().nextOffset >= end
    while (!isOver() && !isDead) await new Promise((resolve) => setTimeout(resolve, 1))
    // A dead process closes nothing: its pending calls never finish.
    if (isDead) void projections.close()
    else await Promise.all([projections.close(), failed])
    if (fault !== undefined) throw fault
    return isDead ? 'died' : 'caught up'
  }
  try {
    return await Promise.race([living(), life.died])
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}
