// The metrics of one generation among several: reported only while that generation is served.
import type { ProjectionMetrics } from './projection-metrics.ts'

export const createActiveMetrics = (
  metrics: ProjectionMetrics,
  isActive: () => boolean,
): ProjectionMetrics => {
  const whenActive =
    <Given extends unknown[]>(report: (...given: Given) => void) =>
    (...given: Given): void => {
      if (isActive()) report(...given)
    }
  return {
    lagEvents: { set: whenActive((value: number) => metrics.lagEvents.set(value)) },
    openProposals: { set: whenActive((value: number) => metrics.openProposals.set(value)) },
    deadLetters: { inc: whenActive((by: number) => metrics.deadLetters.inc(by)) },
    unmatchedTallies: {
      inc: whenActive((labels: { matches_chain: string }) => metrics.unmatchedTallies.inc(labels)),
    },
    impossibleNumbers: { inc: whenActive(() => metrics.impossibleNumbers.inc()) },
    refusedRows: {
      inc: whenActive((labels: { table: string }) => metrics.refusedRows.inc(labels)),
    },
    // The store is the same for all generations.
    storeRetries: metrics.storeRetries,
    committed: whenActive(metrics.committed),
  }
}
