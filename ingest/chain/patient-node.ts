// A `ChainNode` that never gives up while it makes sense to ask again: an outage delays events, it never empties them.
import pLimit from 'p-limit'
import type { Clock } from '../../infra/runtime/clock.ts'
import { AppError } from '../../infra/runtime/errors.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { repeatedWarningsOf } from '../../infra/runtime/repeated-warnings.ts'
import { retry } from '../../infra/runtime/retry.ts'
import type { ChainNode } from '../comet/node.ts'

export type PatientNode = Pick<ChainNode, 'chainId' | 'status' | 'block' | 'abciQuery' | 'refuse'>

export type PatientNodeOptions = {
  node: ChainNode
  /** Calls that may be under way at once; the rest wait their turn. */
  maxConcurrentQueries: number
  clock: Clock
  log: Logger
  signal: AbortSignal
}

const BASE_DELAY_MS = 500
const MAX_DELAY_MS = 10_000

/** Runs until it succeeds, is aborted, or fails in a way that asking again cannot mend. */
export const insist = <T>(
  operation: () => Promise<T>,
  what: string,
  { clock, log, signal }: Pick<PatientNodeOptions, 'clock' | 'log' | 'signal'>,
): Promise<T> =>
  retry(
    async () => {
      if (signal.aborted) throw new AppError('ABORTED', 'aborted')
      return await operation()
    },
    {
      limit: Number.POSITIVE_INFINITY,
      budgetMs: Number.POSITIVE_INFINITY,
      baseDelayMs: BASE_DELAY_MS,
      maxDelayMs: MAX_DELAY_MS,
      signal,
      clock,
      onRetry: ({ attempt, delayMs, error: { code, message: reason } }) =>
        repeatedWarningsOf(log).warn({
          key: `waited ${what} ${code}`,
          fields: { what, attempt, delayMs, code, reason },
          message: 'waited for the node',
        }),
    },
  )

export const createPatientNode = (options: PatientNodeOptions): PatientNode => {
  const { node } = options
  const limited = pLimit(options.maxConcurrentQueries)
  return {
    chainId: node.chainId,
    status: () => insist(() => node.status(), 'status', options),
    block: (height) => insist(() => node.block(height), 'block', options),
    abciQuery: (request, avoiding) =>
      limited(() => insist(() => node.abciQuery(request, avoiding), request.path, options)),
    refuse: (answers, reason) => node.refuse?.(answers, reason) ?? false,
  }
}
