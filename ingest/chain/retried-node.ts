// Wraps the node for the pipeline: retries each read until it succeeds, so an outage delays events and loses none.
import pLimit from 'p-limit'
import type { Clock } from '../../infra/runtime/clock.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { policies } from '../../infra/runtime/policies.ts'
import { getRepeatedWarnings } from '../../infra/runtime/repeated-warnings.ts'
import { type RetryNotice, withRetries } from '../../infra/runtime/retry.ts'
import type { AbciRequest, ChainNode, ChainReader } from '../comet/node.ts'

export type RetriedNodeOptions = {
  /** Limit of concurrent queries; further queries wait. */
  maxConcurrentQueries: number
  clock: Clock
  logger: Logger
  signal: AbortSignal
}

export const logRetry = (
  logger: Logger,
  what: string,
  { attempt, delayMs, error: { code, message: reason } }: RetryNotice,
): void => {
  getRepeatedWarnings(logger).warn({
    key: `waited ${what} ${code}`,
    fields: { what, attempt, delayMs, code, reason },
    message: 'waited for an endpoint',
  })
}

export const createRetriedNode = (
  node: ChainNode,
  { maxConcurrentQueries, logger, ...options }: RetriedNodeOptions,
): ChainReader => {
  const limited = pLimit(maxConcurrentQueries)
  const retried = withRetries(node, ['status', 'block', 'abciQuery'], {
    ...policies.chainRead,
    ...options,
    onRetry: ({ call: { method, parameters }, ...notice }) => {
      const what = method === 'abciQuery' ? (parameters[0] as AbciRequest).path : method
      logRetry(logger, what, notice)
    },
  })
  return {
    ...retried,
    chainId: node.chainId,
    abciQuery: (request, options) =>
      // A second opinion is worth less than a delay.
      limited(() => (options?.besides ? node : retried).abciQuery(request, options)),
    refuse: (answers, reason) => node.refuse?.(answers, reason) ?? false,
  }
}
