// Which of several processes does the work, as a number for the operators.
import type { Metrics } from '../runtime/metrics.ts'

/** Asked whenever somebody reads the metrics. */
export const measureLeadership = (metrics: Metrics, isLeading: () => boolean): void => {
  const leads = metrics.gauge({
    name: 'leads',
    help: '1 while this process leads, 0 on standby',
  })
  Object.assign(leads, { collect: () => leads.set(isLeading() ? 1 : 0) })
}
