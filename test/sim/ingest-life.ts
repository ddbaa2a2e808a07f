// Simulates restarts of ingest: each life ends by death, failure or at the tip, and the next one continues.
import type { EventLog } from '../../infra/base/log/event-log.ts'
import { AppError } from '../../infra/base/runtime/errors.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { startOn } from '../support/chain/ingest-run.ts'
import type { MemoryChain } from '../support/chain/memory-chain.ts'
import { createLife, type Life } from './life.ts'

export type IngestEnd = 'died' | 'reached the tip' | AppError

/** Small appends, so that a small chain has many points of death. */
export const SMALL_BATCHES = { maxBatchHeights: 2 }

export type IngestLife = Pick<Life, 'died'> & {
  logger?: Logger
  /** The endpoint of the chain; in memory by default. */
  start?: typeof startOn
  env?: Record<string, string>
}

/** Resolves with the end of this life. Unexpected errors are thrown. */
export const liveIngest = async (
  chain: MemoryChain,
  log: EventLog,
  { died, logger, start = startOn, env }: IngestLife = createLife(),
): Promise<IngestEnd> => {
  const living = async (): Promise<IngestEnd> => {
    const ingest = await start(chain, log, {
      config: SMALL_BATCHES,
      ...(env ? { env } : {}),
      ...(logger ? { logger } : {}),
    })
    let end: unknown
    const failed = ingest.done.catch((error: unknown) => {
      end = error
    })
    const isOver = () => end !== undefined || ingest.progress().height >= chain.tip
    let isDead = false
    void died.then(() => {
      isDead = true
    })
    while (!isOver() && !isDead) await new Promise((resolve) => setTimeout(resolve, 2))
    // A dead process closes nothing: its pending calls never finish.
    if (isDead) void ingest.close()
    else await Promise.all([ingest.close(), failed])
    if (end !== undefined) throw end
    return isDead ? 'died' : 'reached the tip'
  }
  try {
    return await Promise.race([living(), died])
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}
