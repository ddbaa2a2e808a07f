// What the stream of changes counts.
import type { Metrics } from '../../infra/runtime/metrics.ts'

export type StreamMetrics = {
  listeners(count: number): void
  sent(events: number): void
  slow(): void
}

export const createStreamMetrics = (metrics: Metrics): StreamMetrics => {
  const listeners = metrics.gauge({
    name: 'stream_listeners',
    help: 'Clients that listen to the stream of changes',
  })
  const events = metrics.counter({
    name: 'stream_events_total',
    help: 'Events sent to listeners, counted for each of them',
  })
  const slow = metrics.counter({
    name: 'stream_slow_listeners_total',
    help: 'Listeners let go because they did not read',
  })
  return {
    listeners: (count) => listeners.set(count),
    sent: (count) => events.inc(count),
    slow: () => slow.inc(),
  }
}
