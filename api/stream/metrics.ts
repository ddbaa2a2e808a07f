// Metrics of the stream of changes.
import type { Metrics } from '../../infra/base/runtime/metrics.ts'

export type StreamMetrics = {
  listeners(count: number): void
  sent(events: number): void
  slow(): void
}

export const createStreamMetrics = (metrics: Metrics): StreamMetrics => {
  const listeners = metrics.gauge({
    name: 'stream_listeners',
    help: 'Open streams of changes',
  })
  const events = metrics.counter({
    name: 'stream_events_total',
    help: 'Events sent to listeners, counted for each listener',
  })
  const slow = metrics.counter({
    name: 'stream_slow_listeners_total',
    help: 'Listeners disconnected because they read too slowly',
  })
  return {
    listeners: (count) => listeners.set(count),
    sent: (count) => events.inc(count),
    slow: () => slow.inc(),
  }
}
