// Which of several processes does the work, as a number for the operators.
import type { Metrics } from '../runtime/metrics.ts'

/** Asked whenever somebody reads the metrics. */
export const measureLeadership = (metrics: Metrics, isLeading: () => boolean): void => {
  const leading = metrics.gauge({
    name: 'leading',
    help: '1 while this process leads, 0 while it stands by: there is to be one that leads',
  })
  Object.assign(leading, { collect: () => leading.set(isLeading() ? 1 : 0) })
}
