// Repeats reads that no endpoint could answer: a height that is not there yet, or an outage. The reader decides for how long.
// Other answers are repeated elsewhere. `pace.ts` repeats what a URL refuses because of its limits. `fetch-block.ts` repeats a missing
// part of a block. `pool.ts` repeats a pruned height until it is believed.
import type { Clock } from '../../../infra/base/runtime/clock.ts'
import type { Logger } from '../../../infra/base/runtime/logger.ts'
import { policies } from '../../../infra/base/runtime/policies.ts'
import { getRepeatedWarnings } from '../../../infra/base/runtime/repeated-warnings.ts'
import { type RetryNotice, retry } from '../../../infra/base/runtime/retry.ts'

/** A read that fails for so long is reported as an outage. */
export const OUTAGE_MS = 30_000

export type Repeating = {
  /** By default without a limit. */
  budgetMs?: number | undefined
  outageAfterMs?: number | undefined
  clock: Clock
  logger: Logger
  signal: AbortSignal
  /** Replaces the log line of an outage. */
  onOutage?: (notice: RetryNotice) => void
}

/** Throws the last error once the budget is spent, and each error that is not retryable at once. */
export const repeatRead = <T>(
  what: string,
  read: () => Promise<T>,
  { budgetMs, outageAfterMs = OUTAGE_MS, clock, logger, signal, onOutage }: Repeating,
): Promise<T> => {
  const warn = ({ attempt, delayMs, error: { code, message: reason } }: RetryNotice) =>
    void getRepeatedWarnings(logger).warn({
      key: `waited ${what} ${code}`,
      fields: { what, attempt, delayMs, code, reason },
      message: 'waited for an endpoint',
    })
  return retry(read, {
    ...policies.chainRead(budgetMs),
    clock,
    signal,
    onRetry: (notice) => {
      if (notice.spentMs >= outageAfterMs) (onOutage ?? warn)(notice)
    },
  })
}
