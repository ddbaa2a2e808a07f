// A service of which one process leads and the others are on standby, with its readiness.

import type { Readiness } from '../../base/http/operators/server.ts'
import type { Leadership } from '../../base/log/leadership.ts'
import { untilAborted } from '../../base/runtime/abort.ts'
import { hasCode } from '../../base/runtime/errors.ts'
import { createMetrics, type Metrics } from '../../base/runtime/metrics.ts'
import type { Host, Running } from './service-process.ts'

export type LedServiceOptions = Host & {
  name: string
  leadership: Leadership
  /** Runs while this process leads. */
  begin(signal: AbortSignal): Promise<Running>
}

/** Called at each scrape of the metrics. */
export const measureLeadership = (metrics: Metrics, isLeading: () => boolean): void => {
  metrics.gauge({
    name: 'leading',
    help: '1 while this process leads, 0 on standby; exactly one process should lead',
    measure: () => (isLeading() ? 1 : 0),
  })
}

/** Returns at once; a permanent failure of a term goes to the lifecycle. */
export const runLedService = (options: LedServiceOptions): (() => Readiness) => {
  const { name, leadership, begin, lifecycle, metrics } = options
  const own = createMetrics(name)
  measureLeadership(own, () => leadership.state() === 'leading')
  metrics.push(own)
  let term: Running | undefined

  const serve = async (signal: AbortSignal): Promise<void> => {
    try {
      term = await begin(signal)
      metrics.push(term.metrics)
      await Promise.race([term.done, untilAborted(signal)])
    } finally {
      await term?.close()
      if (term) metrics.splice(metrics.indexOf(term.metrics), 1)
      term = undefined
    }
  }
  const led = leadership.lead(serve, lifecycle.signal).catch((error: unknown) => {
    if (!(lifecycle.signal.aborted && hasCode(error, 'ABORTED'))) lifecycle.fail(error)
  })
  lifecycle.onShutdown(name, async () => {
    await led
    await leadership.close()
  })
  return () => {
    if (leadership.state() === 'standby') {
      return { ready: true, reasons: ['on standby: another process leads'] }
    }
    return term?.readiness() ?? { ready: false, reasons: ['its term is starting'] }
  }
}
