// The metric of leadership.
import type { Metrics } from '../runtime/metrics.ts'

/** Called at each scrape of the metrics. */
export const measureLeadership = (metrics: Metrics, isLeading: () => boolean): void => {
  metrics.gauge({
    name: 'leading',
    help: '1 while this process leads, 0 on standby; exactly one process should lead',
    measure: () => (isLeading() ? 1 : 0),
  })
}
