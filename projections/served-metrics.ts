// The metrics of one generation among several: heard while it is the one that is served, and silent else.
import type { ProjectionMetrics } from './projection-metrics.ts'

export const metricsWhile = (
  metrics: ProjectionMetrics,
  isServed: () => boolean,
): ProjectionMetrics => {
  const heard =
    <Given extends unknown[]>(tell: (...given: Given) => void) =>
    (...given: Given): void => {
      if (isServed()) tell(...given)
    }
  return {
    lagEvents: { set: heard((value: number) => metrics.lagEvents.set(value)) },
    openProposals: { set: heard((value: number) => metrics.openProposals.set(value)) },
    deadLetters: { inc: heard((by: number) => metrics.deadLetters.inc(by)) },
    unmatchedTallies: {
      inc: heard((labels: { matches_chain: string }) => metrics.unmatchedTallies.inc(labels)),
    },
    impossibleNumbers: { inc: heard(() => metrics.impossibleNumbers.inc()) },
    refusedRows: { inc: heard((labels: { table: string }) => metrics.refusedRows.inc(labels)) },
    // The store is the same for all of them.
    storeRetries: metrics.storeRetries,
    committed: heard(metrics.committed),
  }
}
